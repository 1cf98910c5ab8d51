// SPDX-License-Identifier: MIT
#include "convert/import/mocap_motion.h"

#include <inttypes.h>

#include "base/file.h"
#include "format/motion/vmd.h"
#include "scene/mocap/clean.h"

/* Without physics, which only warnings would be about. */
static bool load_model(Model *model, const char *path, Arena *arena, Diag *diag)
{
    Diag quiet = diag_quiet();
    *model = (Model){.file = path};
    if (!asset_files_load_model(&model->pmx, NULL, path, arena, diag))
        return false;
    model_prepare(model, arena, &quiet);
    return true;
}

static bool convert(VmdMotion *out, const MocapMotionOptions *options, const Model *model,
                    Arena *arena, Diag *diag)
{
    Bytes bytes;
    VmdMotion motion;
    CleanReport report;
    bool captured;
    MocapOptions capture = options->capture;
    capture.side = asset_files_search(NULL, options->motion, arena);
    diag_file(diag, options->motion);
    if (!file_load(&bytes, options->motion, FILE_MAX_SIZE, arena, diag) ||
        !retarget_any_motion(&motion, &captured, bytes, &capture, &model->pmx, arena, diag))
        return false;
    *out = motion;
    if (captured && !options->clean_capture)
        return true;
    if (!clean_motion(out, &report, &motion, model, &options->clean, arena, diag))
        return false;
    const bool cleaned = report.traced || options->clean.when == CLEAN_ALWAYS;
    diag_note(diag, "%s: %s; %" PRIu32 " keys instead of %" PRIu32,
              cleaned ? "cleaned" : "unchanged, not traced from video",
              clean_report_text(&report, arena), out->bone_key_count, motion.bone_key_count);
    return true;
}

bool mocap_motion_run(const MocapMotionOptions *options, Diag *diag)
{
    Arena *arena = arena_create();
    Model model;
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
