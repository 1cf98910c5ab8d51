// SPDX-License-Identifier: MIT
#include "base/path_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"

enum {
    MAX_WORK = 1 << 25,    /* comparisons of all searches in a tree */
    DECODING_WORK = 1 << 7 /* what one that decodes the name counts */
};

PathTree path_tree_init(const char *directory, Arena *arena)
{
    return (PathTree){.directory = directory, .arena = arena};
}

const char *path_tree_below(const PathTree *tree, const char *path)
{
    const size_t size = strlen(tree->directory);
    return !strncmp(path, tree->directory, size) ? path + size : path;
}

/* ---- the files ---- */

static bool is_ascii(const char *name)
{
    while (*name > 0)
        name++;
    return !*name;
}

/* A link, also one to a file of the tree, is neither. */
static ArchivePathKind kind_of(const char *path)
{
    struct stat st;
    if (lstat(path, &st) != 0)
        return errno == ENOTDIR ? archive_path_kind(path) : ARCHIVE_PATH_NONE;
    return S_ISDIR(st.st_mode)   ? ARCHIVE_PATH_DIRECTORY
           : S_ISREG(st.st_mode) ? ARCHIVE_PATH_FILE
                                 : ARCHIVE_PATH_NONE;
}

static void list_directory(PathTree *tree, const char *directory, int depth, size_t *entries)
{
    const ArchiveNames names = path_list_names(directory, tree->arena);
    *entries += names.count;
    tree->is_incomplete |= *entries > PATH_TREE_MAX_ENTRIES;
    for (size_t i = 0; i < names.count && !tree->is_incomplete; i++) {
        const char *name = names.items[i], *path = path_join(directory, name, tree->arena);
        const ArchivePathKind kind = *name == '.' ? ARCHIVE_PATH_NONE : kind_of(path);
        if (kind == ARCHIVE_PATH_FILE)
            *arena_push(tree->arena, &tree->files) =
                (PathTreeFile){path, name, is_ascii(name) ? text_fold(name, tree->arena) : NULL};
        else if (kind == ARCHIVE_PATH_DIRECTORY && depth < PATH_TREE_MAX_DEPTH)
            list_directory(tree, arena_printf(tree->arena, "%s/", path), depth + 1, entries);
    }
}

void path_tree_list(PathTree *tree)
{
    size_t entries = 0;
    if (!tree->is_listed)
        list_directory(tree, tree->directory, 0, &entries);
    tree->is_listed = true;
}

/* ---- searching ---- */

/* Extensions of formats that hold the same kind of picture; those of spheres are none. */
static bool is_image(const char *extension)
{
    static const char *const extensions[] = {"png", "tga", "bmp", "jpg", "jpeg", "dds", "gif"};
    return text_find_ignoring_case(TEXT_ARRAY(extensions), extension) >= 0;
}

static bool matches(PathTree *tree, const PathTreeFile *file, const char *folded, Arena *scratch)
{
    tree->work += file->key ? 1 : DECODING_WORK;
    return file->key ? !strcmp(file->key, folded) : path_name_matches(file->name, folded, scratch);
}

/* name: the last part of a reference; any_image: only its part before the extension counts */
static ArchiveNames find_all(PathTree *tree, const char *name, bool any_image, Arena *scratch)
{
    ArchiveNames paths = {0};
    const char *folded = text_fold(name, scratch), *stem = path_stem(folded, scratch);
    for (size_t i = 0; i < tree->files.count && tree->work <= MAX_WORK; i++) {
        const PathTreeFile *file = &tree->files.items[i];
        const char *extension = path_extension(file->name);
        const bool skips =
            any_image &&
            (!is_image(extension) || (file->key && strncmp(file->key, stem, strlen(stem)) != 0));
        tree->work++;
        if (skips)
            continue;
        const char *wanted =
            any_image ? text_fold(arena_printf(scratch, "%s.%s", stem, extension), scratch)
                      : folded;
        if (matches(tree, file, wanted, scratch))
            *arena_push(tree->arena, &paths) = file->path;
    }
    if (tree->work > MAX_WORK)
        paths.count = 0;
    return paths;
}

PathMatch path_tree_find(const char **found, ArchiveNames *same, PathTree *tree,
                         const char *reference, bool images)
{
    const PathMatch match =
        path_resolve(found, tree->directory, NULL, reference, images, tree->arena);
    Arena *scratch = arena_create();
    const char *name = path_reference_name(reference, scratch);
    ArchiveNames paths = {0};
    if (match == PATH_MISSING && name)
        path_tree_list(tree);
    if (match == PATH_MISSING && name && !tree->is_incomplete) {
        paths = find_all(tree, name, false, scratch);
        if (!paths.count && images && is_image(path_extension(name)))
            paths = find_all(tree, name, true, scratch);
    }
    if (paths.count > 1)
        qsort(paths.items, paths.count, sizeof *paths.items, text_compare);
    arena_destroy(scratch);
    if (same)
        *same = paths;
    if (paths.count != 1)
        return match;
    *found = paths.items[0];
    return PATH_MOVED;
}
