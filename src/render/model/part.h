// SPDX-License-Identifier: MIT
/*
 * part.h - a stage in small parts, of which some move and some are in view
 *
 * Most of a stage stays while a lift or a light moves, and a material may have both.  So its
 * triangles are divided into parts of some neighbours each, in their order.
 */
#pragma once

#include "base/image.h"
#include "render/model/mesh.h"

enum { PART_STILL_FRAMES = 30 }; /* longer than the pauses of lights that blink */

/* Consecutive triangles of one run of a material; all of one without triangles. */
typedef struct Part {
    uint32_t material;
    uint32_t first, count; /* range of the index buffer */
    const uint32_t *bones; /* [bone_count]: those that its vertices follow */
    uint32_t bone_count;
    VertexRange ranges[MESH_DEFORMS]; /* the vertices used are inside these ranges */

    /* state of the current frame */
    bool moved;     /* by bones or morphs, since the frame before */
    bool same;      /* place, shape and material are those of the frame before */
    uint8_t still;  /* frames since they were not, at most PART_STILL_FRAMES */
    bool kept;      /* it is in what is kept from frame to frame (renderer.c) */
    bool selected;  /* it is drawn, if the actor is limited to some parts */
    bool has_rect;  /* the following is that of the frame */
    ImageRect rect; /* where it may be in the image */
} Part;

typedef struct Parts {
    Part *items; /* in the order of the index buffer */
    uint32_t count;
    uint32_t *first; /* [material_count + 1]: the first part of each material */
} Parts;

Parts *parts_create(const Mesh *mesh, Arena *arena);
