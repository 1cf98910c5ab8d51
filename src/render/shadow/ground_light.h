// SPDX-License-Identifier: MIT
/*
 * ground_light.h - a light with a diameter, and how much of it a map of the ground receives
 * (render/README.md 13)
 *
 * The map is a projection along the middle of the light.  Each of its texels has the heights at
 * which something blocks the light there, as bits: one for each slice of the scene.  Another ray of
 * the light sees each slice at another place.
 * Pure functions on values; they allocate nothing and cannot fail.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "render/render_options.h"

enum {
    GROUND_RAYS = 32,
    GROUND_SLICES = 32,
    GROUND_SIDE = 1024,   /* largest width and height of a map, texels */
    GROUND_MAX_RADIUS = 8 /* texels */
};

/* How far rays move along the ground, x and z, for each unit of height: a point at the height y
 * above the ground shadows the place that is y * (center + shifts[i]) beside it. */
typedef struct GroundRays {
    float center[2], shifts[GROUND_RAYS][2];
    float spread; /* the largest length of a shift */
} GroundRays;

/* to_light: unit vector towards the middle of the light, above the ground */
GroundRays ground_rays(const float to_light[3], float angle);

/* Memory for ground_shade, which overwrites it. */
typedef struct GroundScratch GroundScratch;
extern const unsigned long ground_scratch_size; /* bytes */

/* The size of the map, and how each ray sees it. */
typedef struct GroundMapShape {
    int width, height; /* texels */
    int radius;        /* radius of the tent, texels, 1 (no blur) to the maximum */
    int moves[GROUND_RAYS][GROUND_SLICES][2]; /* shift of a slice seen along a ray, texels */
} GroundMapShape;

/*
 * The shadowed part of the rays at each texel, 0..255, blurred by a tent.  Nothing blocks light
 * outside of the map.
 *
 * out, slices  [height][width]
 */
void ground_shade(uint8_t *out, const uint32_t *slices, const GroundMapShape *shape,
                  GroundScratch *scratch);
