// SPDX-License-Identifier: MIT
/*
 * side_files.h - the files that a file names, opened by the caller of its loader
 *
 * Loaders open nothing (format/README.md).  One whose format has its contents in several files (a
 * .gltf its buffers, an .obj its materials) asks for them by the names that are written there.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

/* Sets the bytes of a file, in the arena; false after an error was reported.  optional: one that
 * does not exist is no error, its data is then NULL */
typedef bool SideFilesLoad(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                           Diag *diag);

typedef struct SideFiles {
    SideFilesLoad *load; /* NULL: there are none */
    void *user;
} SideFiles;
