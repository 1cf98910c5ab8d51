/*
 * figure_head.h - the head of the demo's dancer: its shape, skin, eyes, brows and mouth
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

/* Vertex offsets of each morph, collected while the face is built. */
typedef struct FaceMorphs {
    ARENA_LIST(PmxVertexOffset) offsets[MORPH_VERTEX_COUNT];
} FaceMorphs;

vec3s head_point(float theta, float phi, float lift);

/* The parts, in the order in which they are drawn; a material is to be added after each. */
void head_add_skin(Shape *shape, FaceMorphs *morphs); /* with holes for the eyes */
void face_add_whites(Shape *shape);
void face_add_irises(Shape *shape);
void face_add_lines(Shape *shape, FaceMorphs *morphs); /* lashes, brows */
void face_add_mouth(Shape *shape, FaceMorphs *morphs);
void face_add_blush(Shape *shape);

/* A point in or around an eye: a across, from the nose (-1) outwards (1), b up; |(a, b)| about 1 is
 * the edge of the lids.  `morph` (or -1) is fully on, as it moves the lids at this place. */
vec3s eye_point(Side side, float a, float b, float lift);

/* The edge of the open lids, angle in degrees: 0 outer corner, 90 top. */
vec2s eye_edge(float angle);

/* Position of a point of that edge when the eye is closed, in a blink or a smile. */
vec2s eye_edge_closed(vec2s edge, bool happy);

/* Adds an offset to a morph that moves `vertex` to `to`. */
void morph_move(FaceMorphs *morphs, FaceMorph morph, const Shape *shape, uint32_t vertex, vec3s to);

/* As above for both ways of closing the eye of one side, and the winks that are part of them. */
void morph_close_eye(FaceMorphs *morphs, const Shape *shape, uint32_t vertex, Side side,
                     vec3s blinking, vec3s happy);
