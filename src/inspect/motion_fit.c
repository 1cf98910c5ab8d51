#include "inspect/motion_fit.h"

bool motion_fit_load(MotionFit *out, Model *model, const char *model_path, const VmdMotion *motion,
                     const char *path, Arena *arena, Diag *diag)
{
    const MotionLayer layer = {.vmd = motion, .file = path, .time = {0, 1}, .parts = MOTION_ALL};
    Diag silent = diag_quiet();
    ModelMotion bound;
    if (!model_load(model, model_path, NULL, arena, diag))
        return false;
    diag_file(diag, path);
    if (!motion_bind(&bound, model, &layer, 1, false, arena, &silent))
        return diag_error(diag, "the motion cannot be applied to '%s'", model_path);
    *out = bound.fits[0];
    return true;
}
