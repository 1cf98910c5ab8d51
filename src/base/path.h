// SPDX-License-Identifier: MIT
/*
 * path.h - file names in jobs and in models
 */
#pragma once

#include <dirent.h>

#include "base/archive_path.h"
#include "base/arena.h"

/* The directory part with its slash ("a/b.c" -> "a/"; "b.c" -> ""), and the rest. */
char *path_directory(const char *path, Arena *arena);
const char *path_name(const char *path);
char *path_stem(const char *path, Arena *arena); /* the name without its extension */
const char *path_extension(const char *path);    /* after the last dot of the name, "" for none */

/* `path` if it is absolute, else directory + path. */
char *path_join(const char *directory, const char *path, Arena *arena);

/* `path` if it is absolute, else below the current directory; NULL, with errno, if that does not
 * exist any more. */
const char *path_absolute(const char *path, Arena *arena);

/* The part of an absolute path after the current directory, else `path`. */
const char *path_relative(const char *path);

/*
 * The file that a job names: path_join(directory, path) if it exists; else the file whose name
 * differs only in case, Unicode form or separators; else path_join.  Unlike path_resolve it is not
 * confined to a directory.
 */
const char *path_resolve_input(const char *directory, const char *path, Arena *arena);

bool path_is_file(const char *path);

/* The names in a directory ("" is the current one), or in one of an archive, unsorted, without "."
 * and ".."; none if it cannot be read. */
ArchiveNames path_list_names(const char *directory, Arena *arena);

/* As opendir, but without memory the process ends (base/memory.h): NULL means that the directory
 * cannot be read, never that it only seems to be empty. */
DIR *path_open_directory(const char *path);

/* Whether `path`, with symbolic links resolved, is `directory` or below it.  Of a path that does
 * not exist the nearest existing directory counts; a link without a target is not below anything.
 */
bool path_is_below(const char *path, const char *directory);

/* How a referenced file was found, so that the caller can warn. */
typedef enum PathMatch {
    PATH_MISSING,
    PATH_EXACT,
    PATH_FOLDED,    /* other case, Unicode form or separator; common, needs no warning */
    PATH_NAME_ONLY, /* an absolute or outside path; only the file name matched */
    PATH_OTHER_EXTENSION,
    PATH_MOVED /* the only file of the name, in another directory (base/path_tree.h) */
} PathMatch;

/*
 * Finds a file that a model names (base/README.md 3): `reference` is UTF-8 as written there,
 * with \ or / or ¥ or ￥ as separators, perhaps absolute.  It is searched below `directory` (with
 * its slash), component by component, without case, in NFC; names on disk that are CP932 bytes, or
 * such bytes decoded as CP437, match too.  The search never leaves `directory`: "../" is followed
 * only as far as the `root` directory allows (root NULL: directory), and no directory outside is
 * opened, also none that a link leads to.  *found is in the arena, or
 * NULL.  `images`: other image extensions are accepted as a last resort.
 */
PathMatch path_resolve(const char **found, const char *directory, const char *root,
                       const char *reference, bool images, Arena *arena);

/* The last part of such a reference, its file name; NULL if it has none, or too many parts. */
const char *path_reference_name(const char *reference, Arena *arena);

/* Whether a name on disk is the one that `folded` (text_fold) stands for, in any of the forms that
 * path_resolve accepts. */
bool path_name_matches(const char *on_disk, const char *folded, Arena *scratch);
