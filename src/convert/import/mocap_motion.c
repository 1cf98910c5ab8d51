// SPDX-License-Identifier: MIT
#include "convert/import/mocap_motion.h"

#include "base/file.h"
#include "format/file_kind.h"
#include "format/motion/vmd.h"
#include "scene/model_files.h"

static bool load_model(PmxModel *model, const char *path, Arena *arena, Diag *diag)
{
    ModelFiles files;
    return model_files_load(model, &files, path, arena, diag);
}

static bool convert(VmdMotion *out, const MocapMotionOptions *options, const PmxModel *model,
                    Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, options->motion);
    if (!file_load(&bytes, options->motion, FILE_MAX_SIZE, arena, diag))
        return false;
    return mocap_kind(bytes) != FILE_UNKNOWN
               ? retarget_file(out, bytes, &options->capture, model, arena, diag)
               : diag_error(diag, "not motion capture (%s)",
                            file_kind_extensions(FILE_AS_CAPTURE, ".", ", ", arena));
}

bool mocap_motion_run(const MocapMotionOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    PmxModel model;
    VmdMotion motion;
    bool good = file_check_new(options->output, options->overwrite, diag) &&
                load_model(&model, options->model, arena, diag) &&
                convert(&motion, options, &model, arena, diag);
    diag_file(diag, NULL);
    if (good) {
        const Bytes bytes = vmd_write(&motion, arena);
        good = file_save(options->output, bytes.data, bytes.size, diag);
    }
    arena_destroy(arena);
    return good;
}
