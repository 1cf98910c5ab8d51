/*
 * glow.h - light that materials emit, spread and added to the image
 *
 * Formulas: render/look/README.md 4.  Not thread-safe.
 */
#ifndef RENDER_LOOK_GLOW_H
#define RENDER_LOOK_GLOW_H

#include "base/arena.h"
#include "base/image.h"

typedef struct GlowOptions {
    float strength;
    float size; /* of the halo, part of the image's height */
} GlowOptions;

typedef struct Glow Glow;

/* For images of this size. */
Glow *glow_create(const GlowOptions *options, int width, int height, Arena *arena);

/* Where the caller adds the emitted light between glow_clear and glow_add: stored values, 1 is
 * white, for pixels of half the size, rounded up: [(width + 1) / 2 * ((height + 1) / 2)]. */
float (*glow_emission(Glow *glow))[3];

void glow_clear(Glow *glow); /* sets it to 0 */

/* Adds the light to an image of straight alpha; where it is transparent, light makes it opaque. */
void glow_add(Image *image, Glow *glow);

#endif
