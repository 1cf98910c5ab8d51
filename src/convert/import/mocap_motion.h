// SPDX-License-Identifier: MIT
/*
 * mocap_motion.h - `odori convert MOTION.bvh`: motion capture as a VMD motion for a model
 */
#pragma once

#include "base/diag.h"
#include "scene/mocap/retarget.h"

typedef struct MocapMotionOptions {
    const char *motion, *model, *output; /* motion capture, .pmx or .pmd, .vmd */
    MocapOptions capture;
    bool overwrite;
} MocapMotionOptions;

bool mocap_motion_run(const MocapMotionOptions *options, Diag *diag);
