/*
 * diffusion.h - a soft copy of the image blended over it
 *
 * Formulas: render/look/README.md 5.  Not thread-safe.
 */
#ifndef RENDER_LOOK_DIFFUSION_H
#define RENDER_LOOK_DIFFUSION_H

#include "base/arena.h"
#include "base/image.h"

typedef enum DiffusionBlend {
    DIFFUSION_SCREEN,
    DIFFUSION_LIGHTEN,
    DIFFUSION_OVERLAY
} DiffusionBlend;

typedef struct DiffusionOptions {
    DiffusionBlend blend;
    float strength; /* 0..1 */
    float size;     /* of the blur, part of the image's height */
} DiffusionOptions;

typedef struct Diffusion Diffusion;

/* For images of this size. */
Diffusion *diffusion_create(const DiffusionOptions *options, int width, int height, Arena *arena);

/* Changes an image of straight alpha in place; alpha is kept. */
void diffusion_apply(Image *image, Diffusion *diffusion);

/* One channel, stored values 0..1: v of the image, b of the blurred copy. */
float diffusion_blend(DiffusionBlend blend, float v, float b);

#endif
