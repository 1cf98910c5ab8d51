// SPDX-License-Identifier: MIT
/*
 * mocap.h - motion capture of any format as one skeleton: joints with a rest pose, and their
 * positions and rotations over time
 *
 * Lengths are in the unit of the file; axes are right-handed, as in the file.  Parents come before
 * their children.  Read-only after a load; it refers to the arena of the load.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "format/motion/bvh.h"
#include "format/motion/vrma.h"

typedef struct MocapJoint {
    const char *name; /* "" for the end of a limb */
    int32_t parent;   /* -1: a root */
    Vec3 rest;        /* position in the world at rest; a root of BVH is at 0 */
    Quat rest_rotation;
} MocapJoint;

typedef struct Mocap {
    MocapJoint *joints;
    uint32_t joint_count;
    double duration_s; /* time of the last frame or key */
    double frame_s;    /* BVH: duration of a frame; 0 if the file has no frame rate */
    const BvhMotion *bvh;
    const VrmaMotion *vrma; /* one of both, the other is NULL */
} Mocap;

/* BVH, or a VRM animation if the first bytes are those of glTF. */
bool mocap_load(Mocap *mocap, Bytes bytes, Arena *arena, Diag *diag);

/* Positions and rotations in the world of all joints. */
void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *mocap, double time_s);
