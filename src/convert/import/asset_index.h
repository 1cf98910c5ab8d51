// SPDX-License-Identifier: MIT
/*
 * asset_index.h - finds files that a project names by the paths of its author's machine
 *
 * A Windows path is compared with all files below a directory, by its last parts: the file with the
 * most equal parts is used, without case, in Unicode NFC.  Names on disk may be UTF-8, bytes of
 * an encoding of Windows, or such bytes that an unzip program took for CP437.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

typedef struct AssetIndex AssetIndex;

enum { ASSET_INDEX_MAX_FILES = 200000, ASSET_INDEX_MAX_DEPTH = 16 };

/* Lists the files below `directory` ("" is the current one).  False after an error: too many. */
bool asset_index_create(AssetIndex **index, const char *directory, Arena *arena, Diag *diag);

/* The path of the file, relative to the directory, or NULL.  Of several with equally many parts the
 * shortest, then the first in byte order. */
const char *asset_index_find(const AssetIndex *index, const char *windows_path, Arena *arena);

/* The ends of the path that were compared, for messages: "'a/b.pmx', 'b.pmx'". */
const char *asset_index_tried(const char *windows_path, Arena *arena);
