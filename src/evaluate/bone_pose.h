/*
 * bone_pose.h - poses between poses
 */
#ifndef EVALUATE_BONE_POSE_H
#define EVALUATE_BONE_POSE_H

#include "evaluate/frame_state.h"

/* A straight line in space and the shorter turn; t 0 and 1, and beyond, give a and b themselves. */
BonePose bone_pose_between(const BonePose *a, const BonePose *b, float t);

/*
 * A model's bones with only a part of each one's own turn: 0 is the rest pose, at the place where
 * the model stands.  What a bone is moved by stays whole.  `out` and `bones` are two arrays.
 */
void bone_pose_ease(BonePose *out, const BonePose *bones, const Model *model, float part);

#endif
