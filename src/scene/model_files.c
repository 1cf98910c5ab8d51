// SPDX-License-Identifier: MIT
#include "scene/model_files.h"

#include "base/path_tree.h"
#include "format/model/model_file.h"

typedef struct Search {
    ModelFiles *files;
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
    *arena_push(search->arena, &search->files->paths) = path;
    if (!file_load(bytes, path, search->left, arena, diag))
        return false;
    search->left -= bytes->size;
    return true;
}

bool model_files_load(PmxModel *model, ModelFiles *files, const char *path, Arena *arena,
                      Diag *diag)
{
    Arena *scratch = arena_create();
    Search search = {files, path_tree_init(path_directory(path, arena), arena), FILE_MAX_SIZE,
                     arena};
    Bytes bytes;
    *files = (ModelFiles){0};
    diag_file(diag, path);
    const bool loaded =
        file_load(&bytes, path, FILE_MAX_SIZE, scratch, diag) &&
        model_file_load(model, bytes, path, &(SideFiles){load_side_file, &search}, arena, diag);
    arena_destroy(scratch);
    return loaded;
}
