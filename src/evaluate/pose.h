// SPDX-License-Identifier: MIT
/*
 * pose.h - the bones of one model at one frame
 *
 * Everything is in model space.  A Pose is scratch memory that pose_solve.h fills for every frame.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "math/rotation.h"
#include "scene/scene.h"

typedef struct IkChain IkChain;
struct Constraints;

typedef struct PoseBone {
    Vec3 rest; /* from the parent's rest position to its own */

    /* this frame's keys with bone morphs */
    Vec3 local_offset;
    Quat local_rotation;
    VmdPhysics physics; /* whether the keys switch physics of the bone on or off */

    Vec3 append_offset; /* the appended part; identity without append */
    Quat append_rotation;
    Quat ik;      /* rotation by IK, left factor of local_rotation */
    bool ik_link; /* an enabled IK has solved for this bone in this frame */

    bool outside;          /* attached to a bone of another model, instead of its parent: */
    Vec3 outside_position; /* model space */
    Quat outside_rotation;

    Vec3 position; /* model space */
    Quat rotation;
    bool moved; /* by physics, or a descendant of such a bone; set by pose_solve_physics */
} PoseBone;

typedef struct Pose {
    const SceneModel *model;
    Compat compat;
    PoseBone *bones;                 /* [bone_count] */
    IkChain *chains;                 /* [model->ik_count], one for each of ik_bones */
    int32_t *chain_of;               /* [bone_count] index in `chains`, or -1 */
    bool *ik_on;                     /* [model->ik_count] */
    struct Constraints *constraints; /* of a VRM model; or NULL */
} Pose;

/* Recomputes position and rotation from the parent and the local parts. */
void pose_update_bone(Pose *pose, uint32_t bone);

/* Only the position. */
void pose_update_position(Pose *pose, uint32_t bone);

/* bones: [count] those to write. */
void pose_write(BonePose *out, const Pose *pose, const uint32_t *bones, uint32_t count);

/* ---- poses of a frame state ---- */

/* Linear in position, slerp along the shorter arc in rotation.  t <= 0 gives a, t >= 1 gives b,
 * exactly. */
BonePose pose_between(const BonePose *a, const BonePose *b, float t);

/*
 * The bones of a model with only a part of each local rotation: 0 is the rest pose, at the position
 * of the model.  Local offsets are not scaled.  `out` and `bones` must not overlap.
 */
void pose_ease(BonePose *out, const BonePose *bones, const Model *model, float part);
