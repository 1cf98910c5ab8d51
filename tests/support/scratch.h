/*
 * scratch.h - a folder of a test's own, for the files it writes
 */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include <stddef.h>

typedef struct Scratch {
    char folder[128]; /* with its slash */
    char path[4096];  /* of the last scratch_path */
} Scratch;

void scratch_make(Scratch *scratch);
void scratch_remove(const Scratch *scratch); /* with all that is in it */

/* "folder/name", valid until the next call. */
const char *scratch_path(Scratch *scratch, const char *name);

/* How many files lie in it, hidden ones and those in folders too. */
size_t scratch_count(const Scratch *scratch);

#endif
