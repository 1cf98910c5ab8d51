/*
 * pmx_repair_internal.h - shared by pmx_repair.c, pmx_repair_geometry.c and pmd_convert.c
 */
#pragma once

#include "format/model/pmx.h"

bool pmx_index_in_range(int32_t index, uint32_t count);

/* Replaces NaN and infinity with 0, and limits the others to PMX_MAX_VALUE; returns the number of
 * changes (format/model/README.md 6.18). */
unsigned pmx_repair_floats(float *values, size_t count);

/* Warns about `bad` replaced values of an item; 0: no warning. */
void pmx_warn_floats(unsigned bad, const char *item, uint32_t index, Diag *diag);

/* Repairs vertices, faces, textures and materials; the bones must be valid. */
void pmx_repair_geometry(PmxModel *model, Arena *arena, Diag *diag);
