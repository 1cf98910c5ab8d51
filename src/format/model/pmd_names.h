/*
 * pmd_names.h - names in a PMD file, in the order of the file, which its conversion does not keep
 *
 * For projects of version 1 (format/README.md 3).  Everything is in the arena.
 */
#pragma once

#include "format/project/pmm.h"

/* False after an error: not a PMD, or it ends before its morphs. */
bool pmd_names_load(PmmModelBones *out, Bytes bytes, Arena *arena, Diag *diag);
