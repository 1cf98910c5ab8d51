// SPDX-License-Identifier: MIT
/*
 * simplify.h - fewer triangles for passes that draw only a shape: shadow maps and ground shadows
 *
 * Vertices are merged into neighbours (half-edge collapse) while the surface stays near: the error
 * is the root of the summed squared distances to the planes of all faces merged so far (Garland
 * and Heckbert 1997).  No vertex moves, so the result is skinned like the model.  Vertices on open
 * edges and vertices of morphs stay, and a vertex merges only into one with similar bone weights.
 * Edges stay balanced: a watertight surface remains watertight.
 */
#pragma once

#include "base/arena.h"
#include "format/model/pmx.h"

/*
 * Simplifies a list of triangles in place and returns its new length.
 *
 * indices  vertices of the file, welded (watertight_weld): equal indices for connected faces
 * fixed    [vertex_count]: vertices that must stay
 * error    MMD units
 */
uint32_t simplify_triangles(uint32_t *indices, uint32_t index_count, const PmxModel *pmx,
                            const bool *fixed, float error, Arena *scratch);
