/*
 * pmx_repair.h - makes the promises of pmx.h true for what a reader took from a file
 *
 * Used by pmx.c and pmd.c after reading.  Indices may be anything, floats NaN or infinite, weights
 * unsorted; what is changed is told to the Diag as a warning, with the reference's rule (section
 * 6).
 */
#ifndef FORMAT_MODEL_PMX_REPAIR_H
#define FORMAT_MODEL_PMX_REPAIR_H

#include "format/model/pmx.h"

void pmx_repair(PmxModel *model, Arena *arena, Diag *diag);

/* Parents only: in range or -1, no cycles.  pmd.c needs it before it can give out layers. */
void pmx_repair_parents(PmxModel *model, Arena *scratch, Diag *diag);

/* first[i] becomes the lowest index whose text equals names[i]. */
void pmx_find_first_names(uint32_t *first, const char *const *names, uint32_t count,
                          Arena *scratch);

#endif
