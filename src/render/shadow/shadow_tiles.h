// SPDX-License-Identifier: MIT
/*
 * shadow_tiles.h - the part of a still picture whose shadows change with the map
 *
 * A picture is divided into tiles, and for each of them the texels are found that the surfaces in
 * it look up, from their depths.  A map that differs from the one of the picture in other texels,
 * behind the surfaces, or where they are dark already, gives the same colors there.  Only for
 * pictures of opaque surfaces: behind others there are more.
 */
#pragma once

#include "base/arena.h"
#include "render/shadow/shadow_fit.h"
#include "render/target.h"

/* Texels of the map, from its upper left corner; empty: left > right. */
typedef struct ShadowTexelRect {
    int16_t left, top, right, bottom;
} ShadowTexelRect;

typedef struct ShadowTile {
    ShadowTexelRect texels;
    float near, far; /* of the surfaces along the light, in steps of the map's depths */
} ShadowTile;

/* Zero-initialise. */
typedef struct ShadowTiles {
    int columns, rows; /* of tiles of the surface */
    size_t capacity;
    ShadowTile *tiles;
    float *depths; /* of a row of tiles */
    size_t depth_capacity;
    uint32_t *counts; /* changed texels above and left of each one */
    size_t count_capacity;
} ShadowTiles;

/* Finds the texels of the surfaces on the target, in a view with reversed depths. */
void shadow_tiles_find(ShadowTiles *tiles, const Target *target, const View *view,
                       const ShadowFit *fit, Arena *arena);

/*
 * The part of the image that looks up texels of `now` which differ from `before`; empty: none.
 *
 * before, now  [fit->height] rows of fit->width depths, each `stride` after the one before
 */
ImageRect shadow_tiles_changed(ShadowTiles *tiles, const Target *target, const uint16_t *before,
                               const uint16_t *now, size_t stride, const ShadowFit *fit,
                               Arena *arena);
