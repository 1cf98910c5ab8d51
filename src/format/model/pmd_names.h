/*
 * pmd_names.h - names in a PMD file, in the order of the file, which its conversion does not keep
 *
 * For projects of version 1 (format/README.md 3).  Everything is in the arena.
 */
#ifndef FORMAT_MODEL_PMD_NAMES_H
#define FORMAT_MODEL_PMD_NAMES_H

#include "format/project/pmm.h"

/* False after an error: not a PMD, or it ends before its morphs. */
bool pmd_names_load(PmmModelBones *out, Bytes bytes, Arena *arena, Diag *diag);

#endif
