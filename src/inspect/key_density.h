// SPDX-License-Identifier: MIT
/*
 * key_density.h - the number of keys of a motion in each second
 */
#pragma once

#include "base/arena.h"
#include "format/motion/vmd.h"
#include "output/chart/chart.h"
#include "scene/motion.h"

enum { KEY_DENSITY_MAX = 36000 }; /* seconds; later keys are not counted */

typedef struct KeyDensity {
    size_t seconds;                          /* at least 1 */
    uint32_t *bones, *morphs, *camera, *all; /* [seconds]; all: also light, shadow, properties */
} KeyDensity;

KeyDensity key_density_of(const VmdMotion *motion, Arena *arena);

/* Bytes of a line of `columns` characters of up to three bytes, with its end. */
#define KEY_DENSITY_LINE_SIZE(columns) (3 * (columns) + 1)

/* Draws values as blocks of eight heights, the largest of each column; a dot is 0.  A line has at
 * most one column for each value. */
void key_density_line(char *out, const uint32_t *values, size_t count, size_t columns);

/* Keys per second, and cuts of the camera; in the arena.  fit: to a model, for the caption, or
 * NULL; its name. */
Chart key_density_chart(const char *title, const VmdMotion *motion, const MotionFit *fit,
                        const char *model, Arena *arena);
