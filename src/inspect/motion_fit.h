/*
 * motion_fit.h - how many names of a motion a model has
 */
#ifndef INSPECT_MOTION_FIT_H
#define INSPECT_MOTION_FIT_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "scene/model.h"
#include "scene/motion.h"

/* Loads the model and counts as `check` does, but without its warnings.  path: of the motion. */
bool motion_fit_load(MotionFit *out, Model *model, const char *model_path, const VmdMotion *motion,
                     const char *path, Arena *arena, Diag *diag);

#endif
