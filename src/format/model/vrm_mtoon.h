// SPDX-License-Identifier: MIT
/*
 * vrm_mtoon.h - MToon materials of VRM files (format/model/README.md 9.1)
 */
#pragma once

#include "format/model/gltf_material.h"

/*
 * Sets a material of the builder that is shaded by MToon, with what shows it without: a toon of two
 * colors, an edge.  Others are left as they are.
 *
 * index     of the material in the file
 * older     materialProperties of VRM 0.x; NULL: VRM 1.0
 * arena     of the model
 * False after an error: a texture cannot be read.
 */
bool vrm_mtoon_set(MeshMaterial *out, const GltfFile *file, MeshBuilder *b, uint32_t index,
                   const JsonValue *older, Arena *arena, Diag *diag);
