/*
 * target.h - the surface that a frame is drawn on, and how it becomes an Image
 *
 * RGBA8 with depth and stencil, one or four samples a pixel, `scale` times the finished size each way.
 * Only the part that was drawn on is resolved and read; the rest of the Image is the background.
 * Colours are averaged as stored, as MMD's antialiasing does.
 */
#ifndef RENDER_TARGET_H
#define RENDER_TARGET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "render/gl_api.h"

/* Pixels [left, right) x [top, bottom); empty when left >= right. */
typedef struct TargetRect {
    int left, top, right, bottom;
} TargetRect;

typedef struct TargetSpec {
    int width, height; /* finished */
    int scale, samples;
    bool alpha;                  /* pixels leave with alpha, not premultiplied; else opaque */
    float background[4];         /* not premultiplied */
    const Image *background_image; /* of any size, scaled to cover; or NULL */
} TargetSpec;

typedef struct Target {
    TargetSpec spec;
    int width, height;    /* of the surface: finished size times scale */
    GLuint draw, resolve; /* framebuffers; the same with one sample */
    uint8_t *background;  /* [width * height * 4] finished size, as blending wants it: premultiplied */
    uint8_t *read;        /* the surface's pixels before averaging; NULL with scale 1 */
    float clear[4];       /* premultiplied */
} Target;

/* Stays bound: a context without a surface refuses any drawing, skinning too, until it has one. */
bool target_init(Target *target, const TargetSpec *spec, const GlApi *gl, Arena *arena, Diag *diag);

/* Clears. */
void target_begin(const Target *target, const GlApi *gl);

/* Gathers samples of `drawn`, a rectangle of the finished picture. */
void target_resolve(const Target *target, const GlApi *gl, TargetRect drawn);

/* Fills the image: `drawn` from the surface, the rest with the background. */
void target_read(Image *image, const Target *target, const GlApi *gl, TargetRect drawn);

#endif
