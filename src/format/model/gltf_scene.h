// SPDX-License-Identifier: MIT
/*
 * gltf_scene.h - a glTF scene (.glb, .gltf) as a model that does not move (format/model/README.md
 * 7)
 *
 * The model satisfies pmx.h and is an accessory: one bone, センター, moves all vertices.  Embedded
 * pictures are copied to the arena.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/side_files.h"

bool gltf_scene_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag);
