// SPDX-License-Identifier: MIT
/*
 * gltf_values.h - the accessors of a glTF file: where numbers are in its buffers
 *
 * A part of gltf_read.h, which declares what other modules call.
 */
#pragma once

#include "format/gltf/gltf_read.h"

/* Reads the list of accessors; gltf_read calls it when the buffers are there. */
bool gltf_values_read(GltfFile *file, Diag *diag);

/* What an accessor says of itself.  scale: of normalized whole numbers, otherwise 0.  components
 * and scale may be NULL.  False after an error. */
bool gltf_values_size(uint32_t *count, uint32_t *components, float *scale, const GltfFile *file,
                      int32_t accessor, Diag *diag);

/* Whether it has bytes, or was set. */
bool gltf_values_are_there(const GltfFile *file, int32_t accessor);

/* Sets its numbers, in the arena, and its count. */
void gltf_values_set(GltfFile *file, int32_t accessor, float *values, uint32_t count);
