// SPDX-License-Identifier: MIT
/*
 * model_files.h - a model with the files that it consists of
 *
 * The buffers of a .gltf and the materials of an .obj are searched as textures are: below the
 * directory of the model, and nowhere else.
 */
#pragma once

#include "format/model/pmx.h"

typedef struct ModelFiles {
    ARENA_LIST(const char *) paths; /* of the files besides the model's own */
} ModelFiles;

/* Loads the model at `path`; its bytes are needed no longer. */
bool model_files_load(PmxModel *model, ModelFiles *files, const char *path, Arena *arena,
                      Diag *diag);
