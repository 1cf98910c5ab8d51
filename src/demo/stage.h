// SPDX-License-Identifier: MIT
/*
 * stage.h - the stages of the demo
 *
 * Models without motion; their center is the origin, where the dancer stands on y = 0.
 */
#pragma once

#include "demo/shape.h"

extern const Paintings STAGE_PAINTINGS, HALL_PAINTINGS;

/* A round floor, an evening sky and paper lanterns. */
PmxModel stage_make(Arena *arena);

/* hall.c: a vaulted hall of 300,000 triangles, which shows what a large stage costs.  It extends
 * along z, around a dais; nothing in it receives self-shadows. */
PmxModel hall_make(Arena *arena);

/* A material that shines in its color, or in that of its texture.  toon: PMX_NONE if nothing shades
 * it */
void stage_material(Shape *shape, const char *name, const char *name_en, int texture,
                    unsigned color, int toon);

/* A model with one bone from a shape whose points follow bone 0. */
PmxModel stage_model(const char *name, const char *name_en, const Shape *shape,
                     Paintings paintings);
