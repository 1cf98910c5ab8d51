/*
 * target.h - the surface that a frame is drawn on, and how it becomes an Image
 *
 * RGBA8 with depth and stencil, one or four samples a pixel, `scale` times the finished size each
 * way. The surface is a window of the picture: clearing and resolving a large one costs more than
 * drawing on a small part of it.  Its size and place depend on what this frame draws and on nothing
 * else.  The rest of the Image is the background. Colours are averaged as stored, as MMD's
 * antialiasing does.
 */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "render/gl_api.h"

/* Pixels [left, right) x [top, bottom); an empty one is all zero. */
typedef struct TargetRect {
    int left, top, right, bottom;
} TargetRect;

TargetRect target_joined(TargetRect a, TargetRect b); /* the least that holds both */

typedef struct TargetSpec {
    int width, height; /* finished */
    int scale, samples;
    bool alpha;              /* pixels leave with alpha, not premultiplied; else opaque */
    float background[4];     /* not premultiplied */
    ImageFit background_fit; /* of a picture of another shape */
} TargetSpec;

enum { TARGET_COLOR, TARGET_DEPTH, TARGET_RESOLVE, TARGET_BUFFERS };

typedef struct Target {
    TargetSpec spec;
    TargetRect window;    /* of the finished picture: what the surface shows in this frame */
    int width, height;    /* of the surface: the window's times scale; 0: there is none yet */
    GLuint draw, resolve; /* framebuffers; the same with one sample */
    GLuint buffers[TARGET_BUFFERS];
    uint8_t *background; /* [width * height * 4] of the finished size, premultiplied */
    uint8_t *read;       /* the surface's pixels before averaging; NULL with scale 1 */
    float clear[4];      /* premultiplied */
} Target;

/* Makes a surface of the whole picture, to know that it is possible.  A framebuffer stays bound: a
 * context without a surface of its own refuses any drawing, skinning too, until it has one. */
bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag);

/* A picture of any size behind all frames from now on, over the background colour. */
void target_set_background(Target *target, const Image *image);

/* A cleared surface for `drawn`, a rectangle of the finished picture.  False: told. */
bool target_begin(Target *target, const GlApi *gl, TargetRect drawn, Diag *diag);

/* Gathers the samples of a pixel. */
void target_resolve(const Target *target, const GlApi *gl, TargetRect drawn);

/* Fills the image: `drawn` from the surface, the rest with the background. */
void target_read(Image *image, const Target *target, const GlApi *gl, TargetRect drawn);

#endif
