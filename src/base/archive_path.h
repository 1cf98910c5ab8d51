// SPDX-License-Identifier: MIT
/*
 * archive_path.h - paths that lead into an archive: "pack.zip/model/miku.pmx"
 *
 * base/file.h and base/path.h ask here when the system answers that a part of a path is not a
 * directory, so that every input may be a file in an archive.  The bytes of a file come as a
 * descriptor of anonymous memory, which libraries read as any other.
 *
 * The archives that were read last are kept, in this process, because a model asks for each of its
 * textures by path: see archive_path_clear.  Not thread-safe.
 */
#pragma once

#include "base/archive.h"
#include "base/arena.h"
#include "base/diag.h"

typedef enum ArchivePathKind {
    ARCHIVE_PATH_NONE, /* not in an archive, or nothing has this name */
    ARCHIVE_PATH_FILE,
    ARCHIVE_PATH_DIRECTORY
} ArchivePathKind;

/* The kind of thing that a path names.  A path into an archive that cannot be read is a FILE:
 * opening it reports the error. */
ArchivePathKind archive_path_kind(const char *path);

/* An open file with the bytes that a path names; -1 after an error was reported. */
int archive_path_open(const char *path, Diag *diag);

/* The file on disk that a path leads into, or the path itself. */
const char *archive_path_container(const char *path, Arena *arena);

/* Resolves "..", and links before the archive.  NULL if the path does not lead into an archive. */
const char *archive_path_real(const char *path, Arena *arena);

typedef ARENA_LIST(const char *) ArchiveNames;

/* Adds the names in the directory `path` of an archive, each once, sorted; none for any other path.
 */
void archive_path_list(ArchiveNames *names, const char *path, Arena *arena);

/* Whether a file is an archive, by its first bytes. */
bool archive_path_is_archive(const char *path);

/* All files of the archive `path`; NULL after an error was reported.  Valid until the next call of
 * a function of this header. */
const Archive *archive_path_load(const char *path, Diag *diag);

/* From now on the regular file `path`, of any format, contains the files of `archive`, sorted by
 * name: what the program made of it.  Their memory must outlive all use. */
enum { ARCHIVE_PATH_MAX_ADDED = 8 };
bool archive_path_add(const char *path, const Archive *archive, Diag *diag);

/* Frees the kept archives; the next access reads them again. */
void archive_path_clear(void);
