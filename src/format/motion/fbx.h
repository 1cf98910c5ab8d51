// SPDX-License-Identifier: MIT
/*
 * fbx.h - the skeleton of an FBX file, binary or text, of versions 7.0 to 7.7, and one of its takes
 *
 * Joints are the models of the file that are bones or nulls, and what these depend on; of a file
 * without any, all models.  Lengths are in the unit of the file, its axes are made right-handed.
 * After a load: parents come before their children, all numbers are finite, there is at least one
 * joint and the take moves one.
 */
#pragma once

#include "format/motion/fbx_curve.h"
#include "format/motion/takes.h"
#include "math/rotation.h"

enum {
    FBX_MAX_JOINTS = 4096,
    FBX_MAX_LAYERS = 16,
    FBX_MAX_SECONDS = 36000,
    FBX_MAX_KEYS = 1 << 22
};

/* The keys of a translation, a rotation or a scale in one layer of the take. */
typedef struct FbxTrack {
    bool exists;
    FbxCurve curves[3]; /* without keys: the rest applies */
    double rest[3];
} FbxTrack;

typedef struct FbxLayer {
    bool is_additive; /* else it replaces, in part by its weight, the layers below */
    bool by_channel;  /* rotations are combined as angles */
    double weight;    /* 0..1 */
} FbxLayer;

typedef struct FbxJoint {
    const char *name;         /* "" if only others depend on it */
    int32_t parent;           /* -1: a root */
    Vec3 rest;                /* position in the world in the bind pose, or of the model */
    Quat rest_rotation;       /* in the world */
    double local[3][3];       /* translation, angles in degrees, scale of the model */
    Quat before, after;       /* rotations after and before the one that moves */
    Vec3 pivot, pivot_offset; /* the point that it turns about; the rest of the pivots */
    Vec3 scale;               /* factor of its position: product of the scales above it */
    uint8_t order;            /* of the angles: 0 XYZ, x first; XZY YZX YXZ ZXY ZYX */
    FbxTrack (*tracks)[3];    /* by layer */
} FbxJoint;

typedef struct FbxMotion {
    FbxJoint *joints;
    uint32_t joint_count;
    FbxLayer layers[FBX_MAX_LAYERS]; /* the base layer first */
    uint32_t layer_count;
    Takes takes;
    uint32_t take; /* index of the one that was loaded */
    double start_s, duration_s;
    double fps;      /* of the program that wrote it */
    uint32_t meshes; /* models that are meshes, which are not read */
    bool is_left_handed;
} FbxMotion;

/* take: its name, or NULL for the first one that moves a joint. */
bool fbx_load(FbxMotion *motion, Bytes bytes, const char *take, Arena *arena, Diag *diag);

/* The position of a joint relative to its parent, without the rotation of the parent, and its
 * rotation, at a time of the take. */
void fbx_local(Vec3 *position, Quat *rotation, const FbxMotion *motion, double time_s,
               uint32_t joint);
