/*
 * bone_pose.h - interpolation between bone poses
 */
#ifndef EVALUATE_BONE_POSE_H
#define EVALUATE_BONE_POSE_H

#include "evaluate/frame_state.h"

/* Linear in position, slerp along the shorter arc in rotation.  t <= 0 gives a, t >= 1 gives b,
 * exactly. */
BonePose bone_pose_between(const BonePose *a, const BonePose *b, float t);

/*
 * The bones of a model with only a part of each local rotation: 0 is the rest pose, at the position
 * of the model.  Local offsets are not scaled.  `out` and `bones` must not overlap.
 */
void bone_pose_ease(BonePose *out, const BonePose *bones, const Model *model, float part);

#endif
