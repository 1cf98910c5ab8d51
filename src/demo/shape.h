// SPDX-License-Identifier: MIT
/*
 * shape.h - builds the geometry of a model
 *
 * A Shape collects vertices, triangles, materials and morphs in an arena.  Geometry is made part by
 * part: a part begins, points and quads are added, and the end of the part decides winding and
 * normals:
 *
 *   shape_begin -> shape_point, shape_quad, shape_tube, ... -> shape_end_closed or shape_end_sheet
 *
 * Lengths are MMD units, left-handed, +y up, the front of a model looks along -z.  A triangle a b c
 * faces the side that cross(b - a, c - a) points to, which is clockwise as MMD draws it.
 * Points of one part at exactly the same position share one normal, so seams stay smooth.
 */
#pragma once

#include <cglm/struct.h>

#include "demo/paint.h"
#include "format/model/pmx.h"

enum { RING_MAX_SIDES = 96, SHAPE_MORPHS = 12 };

static inline vec3s vec(float x, float y, float z)
{
    return (vec3s){.raw = {x, y, z}};
}

static inline float mix(float a, float b, float t)
{
    return a + (b - a) * t;
}

/* 0 below a, 1 above b, smooth between. */
static inline float smooth(float a, float b, float x)
{
    const float t = glm_clamp((x - a) / (b - a), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

/* Skinning of a point.  Weights sum to 1. */
typedef struct Bind {
    PmxDeform deform;
    int bones[PMX_MAX_WEIGHTS];
    float weights[PMX_MAX_WEIGHTS];
    vec3s sdef_center,
        sdef_axis; /* PMX_SDEF: point on the limb's axis, direction to bones[0]'s side */
} Bind;

typedef struct Shape {
    Arena *arena;
    ARENA_LIST(PmxVertex) vertices;
    ARENA_LIST(uint32_t) indices;
    ARENA_LIST(PmxMaterial) materials;
    ARENA_LIST(PmxVertexOffset) offsets[SHAPE_MORPHS]; /* of vertex morphs */
    size_t part_vertex, part_index;                    /* where the part being built begins */
} Shape;

/* A cross-section: a superellipse around `center` in the plane of x and y. */
typedef struct Ring {
    vec3s center;
    vec3s x, y;  /* half axes, with their lengths */
    float power; /* 2: ellipse; larger: rounder box; 0 means 2 */
    float v;     /* texture row */
    Bind bind;
} Ring;

Shape shape_init(Arena *arena);

Bind bind_one(int bone);
Bind bind_two(int a, int b, float weight_a);

/* A horizontal ellipse, `wide` along x and `deep` along z. */
Ring ring_flat(vec3s center, float wide, float deep, float v, Bind bind);

void shape_begin(Shape *shape);
uint32_t shape_point(Shape *shape, vec3s at, float u, float v, Bind bind);
void shape_quad(Shape *shape, uint32_t a, uint32_t b, uint32_t c, uint32_t d);

/* Quads over the points of the part, which are `rows` x `columns`, row by row. */
void shape_grid(Shape *shape, int rows, int columns);

/* A closed part of its own: skin over a row of rings, with both ends closed by a fan.  u goes once
 * around from 0 to 1.  sides: 3..RING_MAX_SIDES points around */
void shape_tube(Shape *shape, const Ring *rings, int ring_count, int sides);

/* The same for an ellipsoid around `center` with half axes x, y, z. */
void shape_ball(Shape *shape, vec3s center, vec3s half, int sides, Bind bind);

/* Ends a part: the winding of a closed one is chosen so that it faces outwards, a sheet so that
 * most of it faces a direction, a wall so that most of it faces a point inside.  Then smooth
 * normals. */
void shape_end_closed(Shape *shape);
void shape_end_sheet(Shape *shape, vec3s towards);
void shape_end_wall(Shape *shape, vec3s inside);

/* Adds a material for all triangles since the previous one, and sets its index range. */
void shape_material(Shape *shape, const PmxMaterial *material);

/* A model with the mesh and the materials of the shape, whose textures are the paintings; without
 * bones. */
PmxModel shape_model(const Shape *shape, const char *name, const char *name_en,
                     Paintings paintings);

/* Point of a Catmull-Rom spline through `points`, s from 0 to count - 1. */
vec3s spline_point(const vec3s *points, int count, float s);
