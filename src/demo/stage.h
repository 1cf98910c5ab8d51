/*
 * stage.h - the stage of the demo: a round floor, an evening sky and paper lanterns
 *
 * A model without motion; its centre is the origin, the floor is at y = 0.
 */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include "demo/paint.h"
#include "format/model/pmx.h"

PmxModel stage_make(Arena *arena);

/* The paintings, in the order of the model's textures. */
const Painting *stage_paintings(size_t *count);

#endif
