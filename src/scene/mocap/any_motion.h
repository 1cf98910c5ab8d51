/*
 * any_motion.h - a motion, a pose or motion capture, whichever the first bytes indicate
 */
#ifndef SCENE_MOCAP_ANY_MOTION_H
#define SCENE_MOCAP_ANY_MOTION_H

#include "scene/mocap/retarget.h"

/* Motion capture is converted for `model`.  NULL: it failed to load, which was reported, or there
 * is none, for a camera or a light, which motion capture cannot move.  `converted`: whether the
 * file is motion capture, so that the result is for this model and these legs only. */
bool any_motion_load(VmdMotion *out, bool *converted, Bytes bytes, const PmxModel *model,
                     MocapLegs legs, Arena *arena, Diag *diag);

#endif
