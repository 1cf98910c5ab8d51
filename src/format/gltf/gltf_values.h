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
