// SPDX-License-Identifier: MIT
/*
 * scratch.h - temporary directory of a test
 */
#ifndef SUPPORT_SCRATCH_H
#define SUPPORT_SCRATCH_H

#include <stddef.h>

typedef struct Scratch {
    char directory[128]; /* ends with '/' */
    char path[4096];     /* of the last scratch_path */
} Scratch;

void scratch_make(Scratch *scratch);
void scratch_remove(const Scratch *scratch); /* with its contents */

/* "directory/name", valid until the next call. */
const char *scratch_path(Scratch *scratch, const char *name);

/* Number of files in it, including hidden ones and those in subdirectories. */
size_t scratch_count(const Scratch *scratch);

#endif
