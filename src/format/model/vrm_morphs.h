// SPDX-License-Identifier: MIT
/*
 * vrm_morphs.h - the expressions of a VRM figure as vertex morphs with their rules
 * (format/model/README.md 9)
 */
#pragma once

#include "format/model/gltf_mesh.h"
#include "format/model/vrm_bones.h"

/* extension: VRM or VRMC_vrm; older: it is VRM 0.x.  left_out: set to the number of expressions
 * that also change materials, which is ignored. */
bool vrm_morphs_make(PmxModel *model, VrmRig *rig, uint32_t *left_out, GltfFile *file,
                     const GltfMeshes *meshes, const VrmBones *bones, const JsonValue *extension,
                     bool older, Arena *arena, Diag *diag);
