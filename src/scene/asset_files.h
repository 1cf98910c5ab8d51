// SPDX-License-Identifier: MIT
/*
 * asset_files.h - the files that a model or a motion consists of
 *
 * The buffers of a .gltf and the materials of an .obj are searched as textures are: below the
 * directory of the file that names them, and nowhere else.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/side_files.h"

typedef struct AssetFiles {
    ARENA_LIST(const char *) paths; /* of the files besides an asset's own */
} AssetFiles;

/* Opens what the asset at `path` names, and adds the paths, in the arena, to `files` (or NULL). */
SideFiles asset_files_search(AssetFiles *files, const char *path, Arena *arena);

/* Loads the model at `path`, with such files; its bytes are needed no longer. */
bool asset_files_load_model(PmxModel *model, AssetFiles *files, const char *path, Arena *arena,
                            Diag *diag);
