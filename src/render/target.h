// SPDX-License-Identifier: MIT
/*
 * target.h - the surface that a frame is drawn on, and its conversion to an Image
 *
 * RGBA8, or RGBA16F, with float depth, and stencil if wanted, one or four samples per pixel,
 * `scale` times the finished size in each direction.  The surface covers only a window of the
 * image, because clearing and resolving a large one costs more than drawing on a small part of it;
 * the window depends only on what the current frame draws.  The rest of the Image is filled with
 * the background.  Samples are averaged as stored, without linearisation, as MMD's antialiasing
 * does.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "render/gl/gl.h"
#include "render/sample_filter.h"

typedef struct TargetSpec {
    int width, height; /* size of the finished image, pixels */
    int scale, samples;
    bool stencil;            /* costs as much memory as the depths do, and time */
    bool alpha;              /* return straight alpha; otherwise the image is opaque */
    float background[4];     /* straight alpha */
    ImageFit background_fit; /* how a background image with another aspect ratio is fitted */
} TargetSpec;

enum {
    TARGET_COLOR,
    TARGET_DEPTH,
    TARGET_RESOLVE,
    TARGET_OVERLAY,
    TARGET_OVERLAY_RESOLVE,
    TARGET_BUFFERS
};

typedef struct Target {
    const GlApi *gl;
    TargetSpec spec;
    ImageRect window;       /* part of the finished image that the surface shows in this frame */
    int width, height;      /* surface size: the window's times scale; 0 before the first one */
    GLuint draw, resolve;   /* framebuffers; identical with one sample unless wide */
    bool is_wide;           /* colors do not end at 1: RGBA16F */
    GLuint wide;            /* texture of the resolved surface, if it is wide */
    bool has_overlays;      /* the surface has a second color (render/README.md 14.2) */
    GLuint overlay_resolve; /* framebuffer; 0 with one sample */
    GLuint buffers[TARGET_BUFFERS];
    uint8_t *background;   /* [width * height * 4], finished size, premultiplied; NULL: `color` */
    float color[4];        /* background color, premultiplied */
    float clear[4];        /* what the surface is cleared to: nothing, unless it draws_background */
    bool draws_background; /* its color is drawn on, not put behind the finished pixels */
    uint8_t *plain_row;    /* [width * 4], of the finished image: `color` */
    SampleFilter filter;   /* unless scale is 1, as what follows */
    uint8_t *read;         /* samples of a strip of the surface */
    uint8_t *alphas;       /* of the picture's samples there, while overlays are read */
    float *depths;         /* of the samples of a row of pixels; NULL before the first are read */
} Target;

/* Creates a surface for the whole image, to verify that this is possible.  Its framebuffer remains
 * bound: a surfaceless context rejects all drawing, including skinning, without one. */
bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag);

/* Sets the background color, premultiplied, until the next call. */
void target_set_color(Target *target, const float color[4]);

/* From now on the surface is cleared to the background color, which effects may read. */
void target_draw_background(Target *target);

/* Sets the image of any size that is composited over the background color from now on. */
void target_set_background(Target *target, const Image *image, Arena *arena);

/* Prepares a surface for the part `drawn` of the image, with undefined contents, and the depth
 * test.  reversed_depth: nearer points have greater depths.  Returns false after an error was
 * reported. */
bool target_begin(Target *target, ImageRect drawn, bool reversed_depth, Diag *diag);
void target_clear(const Target *target);

/* Sets the blend function, for outlines or for all else: samples that an outline covers get an
 * alpha just below 1, by which target_read finds them. */
void target_draw_lines(const Target *target, bool lines);

/* The format of depths, with stencil if the surfaces have it. */
GLenum target_depth_format(const Target *target);
GLenum target_depth_attachment(const Target *target);

/* Creates a buffer for the pixels of a surface like the current one, in a framebuffer. */
GLuint target_attach_buffer(const Target *target, GLuint framebuffer, GLenum attachment,
                            int samples, GLenum format);

/* A rectangle of the image as one of the surface. */
ImageRect target_surface_rect(const Target *target, ImageRect rect);

/* Resolves multisamples. */
void target_resolve(const Target *target, ImageRect drawn);

/* Fills the image, premultiplied: `drawn` from the surface, the rest from `background_pixels`, an
 * image of the same size; NULL: the background color. */
void target_read(Image *image, const Target *target, ImageRect drawn,
                 const uint8_t *background_pixels);

/* Converts premultiplied to straight alpha, if the target has alpha. */
void target_unpremultiply(Image *image, const Target *target);

/* Whether surfaces of target_begin have a stencil buffer, a second color, and wide colors from now
 * on. */
void target_want(Target *target, bool stencil, bool overlays, bool wide);

/* Makes the second color white; sets which of its channels are drawn, light and lines: both,
 * except while something is drawn that has no overlays. */
void target_clear_overlays(const Target *target);
void target_draw_overlays(const Target *target, bool light, bool lines);

/* Reads the second color as target_read does; pixels outside of `drawn` are not written. */
void target_read_overlays(Image *image, const Target *target, ImageRect drawn);

/* Copies one channel of overlays that were read so to a grey image; white outside of `drawn`. */
void target_copy_overlay(Image *image, const Image *overlays, ImageRect drawn, size_t channel);

/*
 * Reads the greatest depth of each pixel's samples, the nearest one where depths are reversed.
 *
 * out          [spec.width * spec.height] of the image; pixels outside of `part` are not written
 * framebuffer  of the size of the current surface and with the same format of depths
 */
void target_read_depths(float *out, Target *target, GLuint framebuffer, ImageRect part,
                        Arena *arena);

/* Reads all samples of part of the image from the resolved surface, before averaging: rows of RGBA,
 * `scale` times as wide and high. */
void target_read_surface(uint8_t *out, const Target *target, ImageRect part);
