// SPDX-License-Identifier: MIT
/*
 * mocap_motion.h - `odori convert MOTION`: motion capture as a VMD motion for a model, or a motion
 *                  that was traced from video without its noise
 */
#pragma once

#include "base/diag.h"
#include "scene/mocap/retarget.h"

typedef struct MocapMotionOptions {
    const char *motion, *model, *output; /* motion capture or .vmd; .pmx or .pmd; .vmd */
    MocapOptions capture;
    CleanSpec clean;    /* of a .vmd */
    bool clean_capture; /* of motion capture, too */
    bool overwrite;
} MocapMotionOptions;

bool mocap_motion_run(const MocapMotionOptions *options, Diag *diag);
