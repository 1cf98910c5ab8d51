// SPDX-License-Identifier: MIT
/*
 * path_tree.h - the files below the directory of a model, for those that it names elsewhere
 *
 * Downloads are often unpacked or sorted anew: a picture is beside the model instead of in `tex`,
 * or in another directory below it.  Where path_resolve finds nothing, the only file below the
 * directory that has the name is used (base/README.md 3).  The tree is listed at the first such
 * search.  Links are not followed.  Not thread-safe.
 */
#pragma once

#include "base/path.h"

enum {
    PATH_TREE_MAX_DEPTH = 8,        /* directories below the first one */
    PATH_TREE_MAX_ENTRIES = 1 << 14 /* files and directories; with more nothing is found */
};

typedef struct PathTreeFile {
    const char *path; /* with the directory of the tree */
    const char *name; /* its last part, as on disk */
    const char *key;  /* the name for comparison; NULL: see path_name_matches */
} PathTreeFile;

typedef struct PathTree {
    const char *directory; /* with its slash; "" is the current one */
    ARENA_LIST(PathTreeFile) files;
    bool is_listed, is_incomplete;
    uint64_t work; /* comparisons, in all searches */
    Arena *arena;
} PathTree;

/* directory: as that of path_resolve; it must live as long as the tree. */
PathTree path_tree_init(const char *directory, Arena *arena);

/* Lists the files, if they are not; what is beyond the limits is missing then. */
void path_tree_list(PathTree *tree);

/*
 * Finds a file that a model names: as path_resolve in the directory of the tree without a root,
 * then by its name alone (PATH_MOVED).  images: also with the extension of another format, where no
 * file has the name itself.  With more than one file of the name none is used: *found is NULL and
 * *same, if not NULL, has the paths of all, sorted.  The results are in the arena of the tree.
 */
PathMatch path_tree_find(const char **found, ArchiveNames *same, PathTree *tree,
                         const char *reference, bool images);

/* The path of a file below the directory of the tree, without that directory, for messages. */
const char *path_tree_below(const PathTree *tree, const char *path);
