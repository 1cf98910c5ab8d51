// SPDX-License-Identifier: MIT
/*
 * pmd.h - PMD, the older model format, converted to a PmxModel while it is read
 *
 * The conversion is described in format/model/README.md 1: layers 0 (bones), 1 (IK, in file order)
 * and 2 (types 5 and 9); IK weight x 4; limited knees; hidden child bones for additional IKs of a
 * bone; morph indices resolved through the base morph; the texture field split into texture and
 * sphere; the toon list into shared toons or textures; absolute positions of rigid bodies.  The
 * model satisfies pmx.h; ownership and errors are those of pmx_load.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/project/pmm.h"

bool pmd_load(PmxModel *model, Bytes bytes, Arena *arena, Diag *diag);

/* The names of a complete file, in its order, for projects of version 1. */
bool pmd_load_names(PmmModelBones *out, Bytes bytes, Arena *arena, Diag *diag);
