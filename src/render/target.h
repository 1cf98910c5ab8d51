/*
 * target.h - the surface that a frame is drawn on, and its conversion to an Image
 *
 * RGBA8 with float depth, and stencil if wanted, one or four samples per pixel, `scale` times the
 * finished size in each direction.  The surface covers only a window of the image, because clearing
 * and resolving a large one costs more than drawing on a small part of it; the window depends only
 * on what the current frame draws.  The rest of the Image is filled with the background.  Samples
 * are averaged as stored, without linearisation, as MMD's antialiasing does.
 */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "render/gl/gl_api.h"

typedef ImageRect TargetRect;

TargetRect target_rect_union(TargetRect a,
                             TargetRect b); /* the smallest rectangle that contains both */

typedef struct TargetSpec {
    int width, height; /* of the finished image, pixels */
    int scale, samples;
    bool stencil;            /* costs as much memory as the depths do, and time */
    bool alpha;              /* return straight alpha; otherwise the image is opaque */
    float background[4];     /* straight alpha */
    ImageFit background_fit; /* of a background image with another aspect ratio */
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
    TargetSpec spec;
    TargetRect window; /* part of the finished image that the surface shows in this frame */
    int width,
        height; /* of the surface: the window's times scale; 0 before the first one is created */
    GLuint draw, resolve;   /* framebuffers; identical with one sample */
    bool has_overlays;      /* the surface has a second color (render/README.md 14.2) */
    GLuint overlay_resolve; /* framebuffer; 0 with one sample */
    GLuint buffers[TARGET_BUFFERS];
    uint8_t *background; /* [width * height * 4], finished size, premultiplied; NULL: `clear` */
    uint8_t *read;       /* a strip of the surface before averaging; NULL with scale 1 */
    float clear[4];      /* premultiplied */
    uint8_t *plain_row;  /* [width * 4], of the finished image: that color */
} Target;

/* Creates a surface for the whole image, to verify that this is possible.  Its framebuffer remains
 * bound: a surfaceless context rejects all drawing, including skinning, without one. */
bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag);

/* Sets the image of any size that is composited over the background color from now on. */
void target_set_background(Target *target, const Image *image, Arena *arena);

/* The part of the image that the surface shows if `drawn`, a rectangle of it, is drawn on. */
TargetRect target_window(const TargetSpec *spec, TargetRect drawn);

/* Prepares a surface for `window`, of target_window, with undefined contents, and the depth test.
 * reversed_depth: nearer points have greater depths.  Returns false after an error was reported. */
bool target_begin(Target *target, const GlApi *gl, TargetRect window, bool reversed_depth,
                  Diag *diag);
void target_clear(const Target *target, const GlApi *gl);

/* Of depths, with stencil if the surfaces have it. */
GLenum target_depth_format(const Target *target);
GLenum target_depth_attachment(const Target *target);

/* Creates a buffer for the pixels of a surface like the current one. */
GLuint target_create_buffer(const Target *target, const GlApi *gl, int samples, GLenum format);

/* A rectangle of the image as one of the surface. */
TargetRect target_surface_rect(const Target *target, TargetRect rect);

/* Resolves multisamples. */
void target_resolve(const Target *target, const GlApi *gl, TargetRect drawn);

/* Fills the image, premultiplied: `drawn` from the surface, the rest from `around`, the pixels of
 * an image of the same size, such as the background. */
void target_read(Image *image, const Target *target, const GlApi *gl, TargetRect drawn,
                 const uint8_t *around);

/* From premultiplied to straight alpha, if the target has alpha. */
void target_unpremultiply(Image *image, const Target *target);

/* Whether surfaces of target_begin have a second color from now on. */
void target_want_overlays(Target *target, bool wanted);

/* Whether surfaces of target_begin have a stencil buffer from now on. */
void target_want_stencil(Target *target, bool wanted);

/* Makes the second color white; sets which of its channels are drawn, light and lines: both,
 * except while something is drawn that has no overlays. */
void target_clear_overlays(const Target *target, const GlApi *gl);
void target_draw_overlays(const GlApi *gl, bool light, bool lines);

/* As target_read for the second color; pixels outside of `drawn` are not written. */
void target_read_overlays(Image *image, const Target *target, const GlApi *gl, TargetRect drawn);

/* One channel of overlays that were read so, as a grey image; white outside of `drawn`. */
void target_copy_overlay(Image *image, const Image *overlays, TargetRect drawn, size_t channel);

/* Reads all samples of part of the image from the resolved surface, before averaging: rows of RGBA,
 * `scale` times as wide and high. */
void target_read_surface(uint8_t *out, const Target *target, const GlApi *gl, TargetRect part);

#endif
