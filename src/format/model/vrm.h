// SPDX-License-Identifier: MIT
/*
 * vrm.h - avatars of VRM 0.x and 1.0 (.vrm) as models (format/model/README.md 9)
 *
 * The model satisfies pmx.h.  Its bones have the names that MMD's motions use, its expressions are
 * vertex morphs, its comment has the author, the licence and the permissions of the file.
 * Embedded pictures are copied to the arena.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/side_files.h"

bool vrm_load(PmxModel *model, Bytes bytes, const SideFiles *side, Arena *arena, Diag *diag);
