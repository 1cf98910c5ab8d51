// SPDX-License-Identifier: MIT
/*
 * mocap.h - motion capture of any format as one skeleton: joints with a rest pose, and their
 * positions and rotations over time
 *
 * Lengths are in the unit of the file; axes are right-handed, as in the file.  After a load parents
 * come before their children, all values are finite and within VMD_MAX_VALUE, rotations are
 * normalized, and there is at least one joint.  Read-only then; it refers to the arena and the
 * bytes of the load.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "format/file_kind.h"
#include "math/rotation.h"

enum { MOCAP_MAX_JOINTS = 4096, MOCAP_MAX_SECONDS = 36000 };

typedef struct MocapJoint {
    const char *name; /* "" for the end of a limb */
    int32_t parent;   /* -1: a root */
    Vec3 rest;        /* position in the world at rest; a root of BVH is at 0 */
    Quat rest_rotation;
} MocapJoint;

/* The position of a joint relative to its parent, without the rotation of the parent, and its
 * rotation, at a time in seconds, or at a frame of a file that has some. */
typedef void MocapLocal(Vec3 *position, Quat *rotation, const void *source, double at,
                        uint32_t joint);

typedef struct Mocap {
    FileKind kind;
    MocapJoint *joints;
    uint32_t joint_count;
    double duration_s;         /* time of the last frame or key */
    double fps;                /* 0 if the file has no frame rate */
    uint32_t frame_count;      /* of a file with a pose in each frame; 0: it has keys */
    const char **takes;        /* [take_count] names, of FBX and glTF; persons of SMPL */
    uint32_t take_count, take; /* the one that was loaded */
    uint32_t meshes;           /* of FBX: which are not read */
    int up;                    /* of SMPL: SmplUp, the axis of the file that is up; or 0 */
    MocapLocal *local;
    const void *source; /* as its format has it, for `local` */
} Mocap;

/* The rest of a joint at an offset from its parent, with a rotation against it. */
void mocap_place_rest(Mocap *mocap, uint32_t joint, Vec3 offset, Quat rotation);

/* Chooses among the takes: `wanted`, or, if that is NULL, the first one that moves a joint.  False
 * after an error. */
bool mocap_choose_take(Mocap *mocap, const bool *moves, const char *wanted, Arena *arena,
                       Diag *diag);

/* What `local` says; between frames it is interpolated. */
void mocap_local(Vec3 *position, Quat *rotation, const Mocap *mocap, double time_s, uint32_t joint);

/* Positions and rotations in the world of all joints. */
void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *mocap, double time_s);

/* Whether each component is within VMD_MAX_VALUE. */
bool mocap_in_range(Vec3 v);

/* Each component times the factor of its axis. */
Vec3 mocap_scaled(Vec3 v, Vec3 factors);
