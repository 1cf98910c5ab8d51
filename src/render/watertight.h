/*
 * watertight.h - faces whose back nobody outside can see
 *
 * Exported hair is often double-sided although every strand is a closed tube, so half of its
 * triangles are drawn to be hidden by the other half.  Here those faces are found whose piece of
 * the material is closed (each edge is passed once in either direction), faces outwards (positive
 * volume), and stays closed in every pose: corners count as one only if they lie, hang on bones and
 * morph alike.
 */
#ifndef RENDER_WATERTIGHT_H
#define RENDER_WATERTIGHT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "format/model/pmx.h"

/* [vertex_count]: vertices that move as one get the number of the first of them. */
uint32_t *watertight_weld(const PmxModel *pmx, Arena *arena);

/* closed[i] for face i of the material (index_count / 3 of them). */
void watertight_find(bool *closed, const PmxModel *pmx, const PmxMaterial *material,
                     const uint32_t *weld, Arena *scratch);

#endif
