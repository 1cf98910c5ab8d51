// SPDX-License-Identifier: MIT
/*
 * archive_fixture.h - RAR and LZH archives of files that are stored without compression
 */
#ifndef SUPPORT_ARCHIVE_FIXTURE_H
#define SUPPORT_ARCHIVE_FIXTURE_H

#include "base/arena.h"
#include "base/file.h"

typedef struct StoredFile {
    const char *name, *data; /* the bytes of the name as they are stored; its slashes too */
} StoredFile;

Bytes rar4_fixture(const StoredFile *files, size_t count, Arena *arena);
Bytes rar5_fixture(const StoredFile *files, size_t count, Arena *arena);
Bytes lzh_fixture(const StoredFile *files, size_t count, Arena *arena); /* headers of level 0 */

#endif
