/*
 * hall.h - a second stage of the demo: a vaulted hall of 300,000 triangles
 *
 * It shows what a large stage costs.  The dancer stands on a round dais in its middle, y = 0; the
 * hall extends along z.  Nothing in it receives self-shadows.
 */
#ifndef DEMO_HALL_H
#define DEMO_HALL_H

#include "demo/paint.h"
#include "format/model/pmx.h"

PmxModel hall_make(Arena *arena);

/* The paintings, in the order of the model's textures. */
const Painting *hall_paintings(size_t *count);

#endif
