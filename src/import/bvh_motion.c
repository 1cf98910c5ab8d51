#include "import/bvh_motion.h"

#include "base/file.h"
#include "format/model/model_file.h"
#include "format/motion/vmd_write.h"
#include "import/retarget.h"

static bool load_source(BvhMotion *source, const char *path, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, path);
    return file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) &&
           bvh_load(source, bytes, arena, diag);
}

static bool load_model(PmxModel *model, const char *path, Arena *arena, Diag *diag)
{
    Bytes bytes;
    diag_file(diag, path);
    return file_load(&bytes, path, FILE_MAX_SIZE, arena, diag) &&
           model_file_load(model, bytes, arena, diag);
}

bool bvh_motion_run(const BvhMotionOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    BvhMotion source;
    PmxModel model;
    VmdMotion motion;
    bool good = file_check_new(options->output, options->overwrite, diag) &&
                load_model(&model, options->model, arena, diag) &&
                load_source(&source, options->motion, arena, diag) &&
                retarget_bvh(&motion, &source, &model, arena, diag);
    diag_file(diag, NULL);
    if (good) {
        const Bytes bytes = vmd_write(&motion, arena);
        good = file_save(options->output, bytes.data, bytes.size, diag);
    }
    arena_destroy(arena);
    return good;
}
