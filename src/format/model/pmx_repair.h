// SPDX-License-Identifier: MIT
/*
 * pmx_repair.h - repairs a model as read from a file, so that it satisfies pmx.h
 *
 * Called by pmx.c, pmd.c and xfile.c after reading.  Before the call, indices may be out of range
 * and floats NaN or infinite.  Repairs follow the rules of format/model/README.md 6 and are
 * reported to the Diag as warnings.
 */
#pragma once

#include "format/model/pmx.h"

void pmx_repair(PmxModel *model, Arena *arena, Diag *diag);

/* Repairs parents only: in range or -1, no cycles.  pmd_convert.c needs them to assign layers. */
void pmx_repair_parents(PmxModel *model, Arena *scratch, Diag *diag);

bool pmx_index_in_range(int32_t index, uint32_t count);

/* Gives a model without bones one movable bone at the origin. */
void pmx_add_center_bone(PmxModel *model, Arena *arena);

/* Sets first[i] to the lowest index whose text equals names[i]. */
void pmx_find_first_names(uint32_t *first, const char *const *names, uint32_t count,
                          Arena *scratch);
