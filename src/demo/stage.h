// SPDX-License-Identifier: MIT
/*
 * stage.h - the stage of the demo
 *
 * A model without motion; its center is the origin, where the dancer stands on y = 0.
 */
#pragma once

#include "demo/shape.h"

extern const Paintings STAGE_PAINTINGS;

/* A round floor, an evening sky and paper lanterns. */
PmxModel stage_make(Arena *arena);

/* A material that shines in its color, or in that of its texture.  toon: PMX_NONE if nothing shades
 * it */
void stage_material(Shape *shape, const char *name, const char *name_en, int texture,
                    unsigned color, int toon);

/* A model with one bone from a shape whose points follow bone 0. */
PmxModel stage_model(const char *name, const char *name_en, const Shape *shape,
                     Paintings paintings);
