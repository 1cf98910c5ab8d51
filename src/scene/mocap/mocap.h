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
#include "format/file_kind.h"
#include "format/motion/bvh.h"
#include "format/motion/takes.h"
#include "math/rotation.h"
#include "scene/scene_options.h"

typedef struct MocapJoint {
    const char *name; /* "" for the end of a limb */
    int32_t parent;   /* -1: a root */
    Vec3 rest;        /* position in the world at rest; a root of BVH is at 0 */
    Quat rest_rotation;
} MocapJoint;

/* The position of a joint relative to its parent, and its rotation, at a time. */
typedef void MocapLocal(Vec3 *position, Quat *rotation, const void *motion, double time_s,
                        uint32_t joint);

typedef struct Mocap {
    FileKind kind;
    MocapJoint *joints;
    uint32_t joint_count;
    double duration_s; /* time of the last frame or key */
    double fps;        /* 0 if the file has no frame rate */
    Takes takes;       /* of FBX and glTF */
    uint32_t take;     /* the one that was loaded */
    uint32_t meshes;   /* of FBX: which are not read */
    MocapUp up; /* of SMPL: the axis of the file that is up; MOCAP_UP_AUTO for other formats */
    MocapLocal *local;
    const void *motion; /* as its format has it, for `local` */
} Mocap;

/* How motion capture is read, and how it moves a model. */
typedef struct MocapOptions {
    const char
        *take;  /* of FBX and glTF: the name of the take; NULL: the first that moves a joint */
    MocapUp up; /* of SMPL */
    MocapLegs legs;
} MocapOptions;

/* FILE_BVH, FILE_FBX, FILE_NPZ, FILE_VRMA (any glTF file), by the first bytes; or FILE_UNKNOWN. */
FileKind mocap_kind(Bytes bytes);

/* An option that is not for this format is an error. */
bool mocap_load(Mocap *mocap, Bytes bytes, const MocapOptions *options, Arena *arena, Diag *diag);

/* Motion capture of a BVH file that is loaded. */
Mocap mocap_of_bvh(const BvhMotion *motion, Arena *arena);

/* Positions and rotations in the world of all joints. */
void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *mocap, double time_s);
