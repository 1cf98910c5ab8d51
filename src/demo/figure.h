/*
 * figure.h - the dancer of the demo: a model in memory, and its textures
 *
 * About 16 units high, in MMD's units and axes, facing -z; feet on y = 0.  Texture names in the
 * model are those of the paintings, which are saved beside it.
 */
#ifndef DEMO_FIGURE_H
#define DEMO_FIGURE_H

#include "demo/figure_head.h"
#include "demo/paint.h"
#include "format/model/pmx.h"

PmxModel figure_make(Arena *arena);

const char *figure_morph_name(FaceMorph morph);

/* The paintings, in the order of the model's textures. */
const Painting *figure_paintings(size_t *count);

#endif
