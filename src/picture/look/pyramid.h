// SPDX-License-Identifier: MIT
/*
 * pyramid.h - wide blurs of an image by a pyramid of halved sizes
 *
 * Level k is 2^k times smaller than level 0.  Going down and up again is a blur of about 2^k pixels
 * of level 0 that costs a third more than touching each pixel once (picture/look/README.md 4.1).
 * Values are red, green, blue in any unit.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"

typedef struct PyramidLevel {
    int width, height;
    float (*pixels)[3]; /* rows from the top */
} PyramidLevel;

enum { PYRAMID_MAX_LEVELS = 12 };

typedef struct Pyramid {
    PyramidLevel levels[PYRAMID_MAX_LEVELS];
    int level_count; /* 1.. */
} Pyramid;

/* Creates as many levels as reach `radius`, in pixels of level 0, whose size is width x height. */
Pyramid *pyramid_create(int width, int height, float radius, Arena *arena);

/* Replaces level 0 by the sum of its blurs of all widths: a bright core with a wide halo. */
void pyramid_glow(Pyramid *pyramid);

/* Replaces level 0 by its blur of the largest width. */
void pyramid_blur(Pyramid *pyramid);

/* Interpolated bilinearly at (x, y), pixels of the level with centers at .5; clamped at the edges.
 */
void pyramid_sample(float out[3], const PyramidLevel *level, float x, float y);
