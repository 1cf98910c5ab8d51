// SPDX-License-Identifier: MIT
/*
 * smpl.h - a motion of the body models SMPL, SMPL-H and SMPL-X in an .npz: of AMASS, or as programs
 * write it that trace a video (format/motion/README.md 5)
 *
 * The joints have the places of the neutral body: 22 of the body, and 30 of the fingers where the
 * file has their rotations.  Lengths are metres; +y is made up, right-handed; at rest, a T-pose
 * that faces +z, no joint is rotated.  After a load: all values are finite, there is at least one
 * frame, and rotations are normalized.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/rotation.h"

enum { SMPL_BODY_JOINTS = 22, SMPL_MAX_JOINTS = 52, SMPL_MAX_FRAMES = 1 << 22 };

/* Which axis of the file is up. */
typedef enum SmplUp { SMPL_UP_AUTO, SMPL_UP_Y, SMPL_UP_Z, SMPL_UP_MINUS_Y } SmplUp;

typedef struct SmplJoint {
    const char *name; /* "left_hip" */
    int32_t parent;   /* -1: the first one, the pelvis */
    Vec3 offset;      /* from the parent; of the pelvis 0 */
} SmplJoint;

typedef struct SmplMotion {
    SmplJoint joints[SMPL_MAX_JOINTS]; /* parents first */
    uint32_t joint_count;
    float (*rotations)[4]; /* [frame_count][joint_count] against the parent, x y z w */
    float (*places)[3];    /* [frame_count] of the pelvis */
    uint32_t frame_count;
    double fps;
    SmplUp up; /* given, or found from the data */
} SmplMotion;

/* up: SMPL_UP_AUTO finds the axis that the pelvis has upwards on average, and notes it. */
bool smpl_load(SmplMotion *motion, Bytes bytes, SmplUp up, Arena *arena, Diag *diag);

/* The position of a joint relative to its parent, and its rotation, at a frame. */
void smpl_local(Vec3 *position, Quat *rotation, const SmplMotion *motion, uint32_t frame,
                uint32_t joint);
