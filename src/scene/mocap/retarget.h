// SPDX-License-Identifier: MIT
/*
 * retarget.h - motion capture to the standard bones of a model
 *
 * Limbs get the world directions of the source at every frame.  Method: scene/mocap/README.md.
 */
#pragma once

#include "format/model/pmx.h"
#include "format/motion/vmd.h"
#include "scene/mocap/mocap.h"
#include "scene/scene_options.h"

/* Keys at 30 frames a second, in the arena.  False after an error: the skeleton has no hips and
 * legs that are known by name, or the model lacks the standard bones, or IK of the feet. */
bool retarget_motion(VmdMotion *out, const Mocap *source, const PmxModel *model, MocapLegs legs,
                     Arena *arena, Diag *diag);

/* As retarget_motion, from the bytes of a file, which are needed no longer. */
bool retarget_file(VmdMotion *out, Bytes bytes, const MocapOptions *options, const PmxModel *model,
                   Arena *arena, Diag *diag);

/*
 * A motion, a pose or motion capture, whichever the first bytes indicate.
 *
 * options    of motion capture; a take is an error for another motion
 * model      motion capture is converted for it.  NULL: it failed to load, which was reported, or
 *            there is none, for a camera or a light, which motion capture cannot move
 * converted  whether the file is motion capture, so that the result is for this model and these
 *            options only
 */
bool retarget_any_motion(VmdMotion *out, bool *converted, Bytes bytes, const MocapOptions *options,
                         const PmxModel *model, Arena *arena, Diag *diag);
