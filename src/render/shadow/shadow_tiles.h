// SPDX-License-Identifier: MIT
/*
 * shadow_tiles.h - the part of a still picture whose shadows change with the map
 *
 * A picture is divided into tiles, and for each of them the texels are found that the surfaces in
 * it look up, from their depths.  A map that differs from the one of the picture in other texels,
 * behind the surfaces, or where they are dark already, gives the same colors there.  The depths are
 * those of the opaque surfaces; each face of the others, which may lie in front of them, has its
 * own texels and place in the image.
 */
#pragma once

#include "base/arena.h"
#include "render/draw_context.h"
#include "render/shadow/shadow_fit.h"

/* Texels of the map, from its upper left corner; empty: left > right. */
typedef struct ShadowTexelRect {
    int16_t left, top, right, bottom;
} ShadowTexelRect;

typedef struct ShadowTile {
    ShadowTexelRect texels;
    float near, far; /* of the surfaces along the light, in steps of the map's depths */
} ShadowTile;

/* A triangle that is not opaque. */
typedef struct ShadowFace {
    ShadowTile tile;
    int16_t left, top, right, bottom; /* of the image */
} ShadowFace;

/* Zero-initialise. */
typedef struct ShadowTiles {
    int columns, rows; /* of tiles of the surface */
    size_t capacity;
    ShadowTile *tiles;
    size_t face_count, face_capacity;
    ShadowFace *faces;
    float *depths; /* of a row of tiles */
    size_t depth_capacity;
    uint32_t *counts; /* changed texels above and left of each one */
    size_t count_capacity;
} ShadowTiles;

/* Finds the texels of the surfaces on the target, in a view with reversed depths.  There are no
 * faces. */
void shadow_tiles_find(ShadowTiles *tiles, const DrawContext *context, const ShadowFit *fit);

/* Adds the faces of a model that receive shadows and are not opaque. */
void shadow_tiles_add_faces(ShadowTiles *tiles, const DrawContext *context, const Actor *actor,
                            const ShadowFit *fit);

/*
 * The part of the image that looks up texels of `now` which differ from `before`; empty: none.
 *
 * before, now  [fit->height] rows of fit->width depths, each `stride` after the one before
 */
ImageRect shadow_tiles_changed(ShadowTiles *tiles, const DrawContext *context,
                               const uint16_t *before, const uint16_t *now, size_t stride,
                               const ShadowFit *fit);
