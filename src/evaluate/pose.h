/*
 * pose.h - where the bones of one model are at one moment
 *
 * A Pose is scratch that is filled anew for every frame, in this order (reference, 2.5):
 *
 *     pose_begin           keys and bone morphs, then a plain pass: parents first, no append, no IK
 *     pose_before_physics  bones in transform order: append, world, IK
 *     (physics_pose        physics moves bones, and those below them)
 *     pose_after_physics   the same for bones with the after-physics flag
 *
 * Everything is in model space.  A bone that stands before its parent or its append source in the
 * order sees what the plain pass left there.  Nothing here allocates but pose_create.
 */
#ifndef EVALUATE_POSE_H
#define EVALUATE_POSE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "evaluate/frame.h"
#include "math/rotation.h"
#include "scene/scene.h"

typedef struct IkChain IkChain;

typedef struct PoseBone {
    Vec3 rest; /* from the parent's rest position to its own */

    /* this frame's keys with bone morphs */
    Vec3 offset;
    Quat turn;
    VmdPhysics physics; /* what the keys say of the bone's rigid body */

    Vec3 append_offset; /* what append adds; none for other bones */
    Quat append_turn;
    Quat ik;      /* what IK adds, on the left of `turn` */
    bool ik_link; /* IK that is on has solved for this bone in this frame */

    Vec3 position; /* model space */
    Quat rotation;
    bool moved; /* by physics, or below such a bone; set by physics_pose */
} PoseBone;

typedef struct Pose {
    const SceneModel *model;
    Compat compat;
    PoseBone *bones;   /* [bone_count] */
    IkChain *chains;   /* [model->ik_count], one for each of ik_bones */
    int32_t *chain_of; /* [bone_count] index in `chains`, or -1 */
    bool *ik_on;       /* [model->ik_count] */
} Pose;

void pose_create(Pose *pose, const SceneModel *model, const Compat *compat, Arena *arena);

/* leaf_weights: of all morphs; only bone morphs count here. */
void pose_begin(Pose *pose, const float *leaf_weights, double frame);
void pose_before_physics(Pose *pose);
void pose_after_physics(Pose *pose);

/* Position and rotation anew from the parent's and the bone's own parts. */
void pose_update_bone(Pose *pose, uint32_t bone);

void pose_write(BonePose *out, const Pose *pose);

#endif
