/*
 * pmx_repair_internal.h - what pmx_repair.c, pmx_repair_geometry.c and pmd_convert.c share
 */
#ifndef FORMAT_MODEL_PMX_REPAIR_INTERNAL_H
#define FORMAT_MODEL_PMX_REPAIR_INTERNAL_H

#include "format/model/pmx.h"

bool pmx_index_in_range(int32_t index, uint32_t count);

/* NaN and infinity become 0 (quirk 18).  Returns how many there were. */
unsigned pmx_repair_floats(float *values, size_t count);
void pmx_warn_floats(unsigned bad, const char *item, uint32_t index, Diag *diag);

/* Vertices, faces, textures and materials; the bones are right already. */
void pmx_repair_geometry(PmxModel *model, Arena *arena, Diag *diag);

#endif
