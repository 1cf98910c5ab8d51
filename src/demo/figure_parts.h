/*
 * figure_parts.h - the dancer's limbs, clothes and hair
 *
 * Each function adds closed parts; a material is to be added after each.
 */
#pragma once

#include "demo/figure_head.h"

/* figure_body.c */
void body_add_skin(Shape *shape); /* neck, arms, hands, legs */

/* figure_dress.c */
void dress_add_white(Shape *shape); /* shorts, socks */
void dress_add_shoes(Shape *shape);
void dress_add_blouse(Shape *shape);
void dress_add_sleeves(Shape *shape);
void dress_add_trim(Shape *shape); /* cuffs, sock bands, collar */
void dress_add_petticoat(Shape *shape);
void dress_add_skirt(Shape *shape);
void dress_add_bows(Shape *shape); /* belt, chest bow, back bow */

/* figure_body.c: a ring around an arm, `s` units down from the shoulder joint (elbow 1.75,
 * wrist 3.4), and around a leg at height y.  `radius` is its half width. */
Ring arm_ring(Side side, float s, float radius);
Ring leg_ring(Side side, float y, float radius);

/* figure_hair.c */
void hair_add(Shape *shape);         /* cap, fringe, side locks, back, twin tails */
void hair_add_ribbons(Shape *shape); /* bows where the tails are tied */

/* A bow with two loops and two ends, its knot at `at`, facing `out`; `size` is the length of a
 * loop. */
void bow_add(Shape *shape, vec3s at, vec3s out, float size, const Bind *bind);
