// SPDX-License-Identifier: MIT
/*
 * watertight.h - finds faces whose back cannot be seen from outside
 *
 * Exported hair is often double-sided although every strand is a closed tube, so half of its
 * triangles are drawn only to be hidden.  A face qualifies if its connected component within the
 * material is watertight (each edge is traversed equally often in both directions), faces outwards
 * (positive volume) and remains watertight in every pose: vertices are welded only if position,
 * bone weights and morph offsets agree.
 */
#pragma once

#include "base/arena.h"
#include "format/model/pmx.h"

/* [vertex_count]: the index of the first vertex that moves identically. */
uint32_t *watertight_weld(const PmxModel *pmx, Arena *arena);

/* Sets watertight[i] for each face i of the material (index_count / 3 faces). */
void watertight_faces(bool *watertight, const PmxModel *pmx, const PmxMaterial *material,
                      const uint32_t *weld, Arena *scratch);
