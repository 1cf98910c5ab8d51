// SPDX-License-Identifier: MIT
#include "scene/asset_files.h"

#include "base/path_tree.h"
#include "format/model/model_file.h"

typedef struct Search {
    AssetFiles *files; /* or NULL */
    PathTree tree;
    size_t left;  /* bytes that they may have together */
    Arena *arena; /* of the paths */
} Search;

static bool load_side_file(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                           Diag *diag)
{
    Search *search = user;
    const char *path;
    *bytes = (Bytes){0};
    const PathMatch match = path_tree_find(&path, NULL, &search->tree, name, false);
    if (match == PATH_MISSING)
        return optional ||
               diag_fail(diag, DIAG_MISSING, "its file '%s' is missing below its directory", name);
    if (match == PATH_MOVED)
        diag_warn(diag, WARN_OTHER_TEXTURE, "file '%s' is missing; '%s' is used", name,
                  path_tree_below(&search->tree, path));
    if (search->files)
        *arena_push(search->arena, &search->files->paths) = path;
    if (!file_load(bytes, path, search->left, arena, diag))
        return false;
    search->left -= bytes->size;
    return true;
}

SideFiles asset_files_search(AssetFiles *files, const char *path, Arena *arena)
{
    Search *search = arena_array(arena, Search, 1);
    *search =
        (Search){files, path_tree_init(path_directory(path, arena), arena), FILE_MAX_SIZE, arena};
    return (SideFiles){load_side_file, search};
}

bool asset_files_load_model(PmxModel *model, AssetFiles *files, const char *path, Arena *arena,
                            Diag *diag)
{
    Arena *scratch = arena_create();
    Bytes bytes;
    const SideFiles side = asset_files_search(files, path, arena);
    diag_file(diag, path);
    const bool loaded = file_load(&bytes, path, FILE_MAX_SIZE, scratch, diag) &&
                        model_file_load(model, bytes, path, &side, arena, diag);
    arena_destroy(scratch);
    return loaded;
}
