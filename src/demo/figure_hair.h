/*
 * figure_hair.h - the dancer's hair: a cap on the skull, and locks over it
 */
#ifndef DEMO_FIGURE_HAIR_H
#define DEMO_FIGURE_HAIR_H

#include "demo/figure_head.h"

void hair_add(Shape *shape);         /* cap, fringe, side locks, back, twin tails */
void hair_add_ribbons(Shape *shape); /* bows where the tails are tied */

/* A bow with two loops and two ends, its knot at `at`, facing `out`; `size` is the length of a
 * loop. */
void bow_add(Shape *shape, vec3s at, vec3s out, float size, const Bind *bind);

#endif
