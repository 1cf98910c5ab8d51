/*
 * scratch_folder.h - a directory for temporary files of a verb, without subdirectories
 */
#ifndef INSPECT_SCRATCH_FOLDER_H
#define INSPECT_SCRATCH_FOLDER_H

#include "base/diag.h"

typedef struct ScratchFolder {
    char path[1024]; /* "": none */
} ScratchFolder;

/* Creates it in TMPDIR or /tmp. */
bool scratch_folder_make(ScratchFolder *folder, Diag *diag);

/* Removes it with its files.  No effect on a folder that was not made. */
void scratch_folder_remove(const ScratchFolder *folder);

#endif
