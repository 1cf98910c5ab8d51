// SPDX-License-Identifier: MIT
/*
 * figure_parts.h - the parts of the demo's dancer
 *
 * The head is a deformed sphere.  A position on it is a longitude theta (0 in front, +90
 * degrees at its left ear, +x) and a latitude phi (-90 chin side, +90 crown), in degrees, and a
 * lift: height above the skin, relative to the distance from the center of the head.
 */
#pragma once

#include "demo/figure_rig.h"
#include "demo/shape.h"

typedef enum FaceMorph {
    MORPH_BLINK,
    MORPH_HAPPY_EYES,
    MORPH_WINK_LEFT,
    MORPH_WINK_RIGHT,
    MORPH_A,
    MORPH_I,
    MORPH_U,
    MORPH_E,
    MORPH_O,
    MORPH_GRIN,
    MORPH_BROW_TROUBLE,
    MORPH_BROW_UP,
    MORPH_VERTEX_COUNT,               /* vertex morphs above */
    MORPH_BLUSH = MORPH_VERTEX_COUNT, /* a material morph */
    MORPH_COUNT
} FaceMorph;

_Static_assert((int)MORPH_VERTEX_COUNT <= SHAPE_MORPHS, "a Shape has their offsets");

vec3s head_point(float theta, float phi, float lift);

/* The parts, in the order in which they are drawn; a material is to be added after each. */
void head_add_skin(Shape *shape); /* with holes for the eyes */
void face_add_whites(Shape *shape);
void face_add_irises(Shape *shape);
void face_add_lines(Shape *shape); /* lashes, brows */
void face_add_mouth(Shape *shape);
void face_add_blush(Shape *shape);

/* A point in or around an eye: a across, from the nose (-1) outwards (1), b up; |(a, b)| about 1 is
 * the edge of the lids.  `morph` (or -1) is fully on, as it moves the lids at this place. */
vec3s eye_point(Side side, float a, float b, float lift);

/* The edge of the open lids, angle in degrees: 0 outer corner, 90 top. */
vec2s eye_edge(float angle);

/* Position of a point of that edge when the eye is closed, in a blink or a smile. */
vec2s eye_edge_closed(vec2s edge, bool happy);

/* Adds an offset to a morph that moves `vertex` to `to`. */
void morph_move(Shape *shape, FaceMorph morph, uint32_t vertex, vec3s to);

/* As above for both ways of closing the eye of one side, and the winks that are part of them. */
void morph_close_eye(Shape *shape, uint32_t vertex, Side side, vec3s blinking, vec3s happy);

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
void bow_add(Shape *shape, vec3s at, vec3s out, float size, Bind bind);
