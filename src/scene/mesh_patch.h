// SPDX-License-Identifier: MIT
/*
 * mesh_patch.h - some triangles of a model as cloth and soft bodies use them
 *
 * Vertices at one position are one point, a mass or a node.  Vertices of one point whose normals
 * are at most 60 degrees apart are on one side, and share a normal.
 */
#pragma once

#include "base/arena.h"
#include "format/model/pmx.h"

typedef struct MeshPatch {
    const PmxModel *pmx;
    uint32_t *vertices; /* [count] of the model, ascending */
    uint32_t *points;   /* [count] of each, numbered by their first vertices */
    uint32_t *sides;    /* [count], after mesh_patch_find_sides */
    uint32_t *slots;    /* [vertex_count of the model] index in `vertices`, or UINT32_MAX */
    uint32_t count, point_count, side_count;
} MeshPatch;

/* The vertices of the marked materials ([material_count]), and their points.  `slots` are in the
 * scratch arena. */
MeshPatch mesh_patch_create(const PmxModel *pmx, const bool *materials, Arena *arena,
                            Arena *scratch);

/* any_length: the normals of the model need not have the length 1; one of length 0 is on any side
 */
void mesh_patch_find_sides(MeshPatch *patch, bool any_length, Arena *arena, Arena *scratch);

/* The vertices of a triangle, as indices in `vertices`: oriented so that (b - a) x (c - a) is on
 * the side of the vertices' normals. */
void mesh_patch_orient(uint32_t slots[3], const MeshPatch *patch, const uint32_t vertices[3]);
