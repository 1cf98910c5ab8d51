/*
 * stage.h - where the demo is danced: a round floor before an evening sky, with paper lanterns
 *
 * A model without motion; its middle is the origin, the floor lies at y = 0.
 */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include "demo/paint.h"
#include "format/model/pmx.h"

PmxModel stage_make(Arena *arena);

/* The paintings, in the order of the model's textures. */
const Painting *stage_paintings(size_t *count);

#endif
