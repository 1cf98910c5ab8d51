// SPDX-License-Identifier: MIT
/*
 * vrm_facing.h - the orientation of a VRM figure, by the places of its humanoid bones
 *
 * VRM demands figures that stand upright and face -z in 0.x, +z in 1.0.  Some files hold others,
 * which lie on the floor or face backwards (format/model/README.md 9.2).
 */
#pragma once

#include "base/diag.h"
#include "format/gltf/gltf_read.h"

/* Turns the nodes without a parent, and so all that the file holds, until the figure stands as its
 * version demands, with a note.  Figures that stand so already are not changed.
 * human: [node_count] as vrm_bones_name_nodes; older: it is VRM 0.x */
void vrm_facing_correct(GltfFile *file, const char *const *human, bool older, Arena *scratch,
                        Diag *diag);
