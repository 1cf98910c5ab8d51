/*
 * stage.h - the stage of the demo: a round floor, an evening sky and paper lanterns
 *
 * A model without motion; its center is the origin, the floor is at y = 0.
 */
#ifndef DEMO_STAGE_H
#define DEMO_STAGE_H

#include "demo/paint.h"
#include "demo/shape.h"
#include "format/model/pmx.h"

PmxModel stage_make(Arena *arena);

/* A model with one bone from a shape whose points follow bone 0. */
PmxModel stage_model(const char *name, const char *name_en, const Shape *shape,
                     const Painting *pictures, size_t picture_count, Arena *arena);

/* The paintings, in the order of the model's textures. */
const Painting *stage_paintings(size_t *count);

#endif
