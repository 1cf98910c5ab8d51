// SPDX-License-Identifier: MIT
/*
 * motion_kind.h - refuses a motion in a place where none of its keys has an effect
 *
 * A VMD file holds a dance, a camera motion or a light motion, and its name does not show which.
 * The messages say what the file holds and where it belongs.
 */
#pragma once

#include "scene/motion.h"

/* False after an error if a motion of a model, of the camera or of the light has only keys of other
 * kinds.  A motion of a model without any key that is used gives a warning. */
bool motion_kind_check_dance(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena,
                             Diag *diag);
bool motion_kind_check_camera(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena,
                              Diag *diag);
bool motion_kind_check_light(const MotionSpec *spec, const VmdMotion *vmd, Arena *arena,
                             Diag *diag);
