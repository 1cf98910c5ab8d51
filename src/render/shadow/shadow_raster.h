// SPDX-License-Identifier: MIT
/*
 * shadow_raster.h - scan conversion of triangles to the depths of a shadow map
 *
 * The map has few texels and its triangles are small (about two texels in a row), which costs the
 * driver several times as much as it does here, where neither shading groups nor read-back exist.
 * A texel belongs to a triangle that contains its center.  Pure functions on memory; they cannot
 * fail.
 */
#pragma once

#include "render/texture/alpha_mask.h"

enum { SHADOW_FARTHEST = 0xffff };

/* A vertex seen from the light: texels from the upper left corner, depth 0 to SHADOW_FARTHEST. */
typedef struct ShadowPoint {
    float x, y, depth;
} ShadowPoint;

typedef struct ShadowRaster {
    int width, height; /* texels */
    size_t stride;     /* texels from one row to the next */
    uint16_t *depths;  /* depths, beginning at the first texel */
    float slope;       /* texels: depths are moved away from the light by as many slopes ... */
    float offset;      /* ... and by this */
    const ShadowPoint *points;
    const float *uvs;      /* two for each point */
    const AlphaMask *mask; /* texels of triangles that are less than half opaque do not count;
                              NULL: all do */
} ShadowRaster;

/*
 * Lowers the depths to those of triangles where these are nearer; depths outside of the range are
 * clamped to it.
 *
 * indices  [count] of points and uvs, three for each triangle
 * culled   only triangles whose corners are clockwise
 */
void shadow_raster_draw(const ShadowRaster *raster, const uint32_t *indices, size_t count,
                        bool culled);
