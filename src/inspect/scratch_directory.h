// SPDX-License-Identifier: MIT
/*
 * scratch_directory.h - a directory for temporary files of a verb, without subdirectories
 */
#pragma once

#include "base/diag.h"

typedef struct ScratchDirectory {
    char path[1024]; /* "": none */
} ScratchDirectory;

/* Creates it in TMPDIR or /tmp. */
bool scratch_directory_make(ScratchDirectory *directory, Diag *diag);

/* Removes it with its files.  No effect on a directory that was not made. */
void scratch_directory_remove(const ScratchDirectory *directory);
