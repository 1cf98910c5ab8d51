// SPDX-License-Identifier: MIT
/*
 * bvh.h - motion capture in the Biovision hierarchy format (.bvh)
 *
 * A skeleton of joints with offsets from their parents, and for each frame the values of its
 * channels.  Values are as in the file: lengths in any unit, angles in degrees, right-handed axes.
 * After a load: parents come before their children, all values are finite and within
 * VMD_MAX_VALUE, and there is at least one joint and one frame.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "math/rotation.h"

enum { BVH_MAX_CHANNELS = 6, BVH_MAX_JOINTS = 4096, BVH_MAX_DEPTH = 512 };

typedef enum BvhChannel { /* axis + 3 if it is a rotation */
                          BVH_X_POSITION,
                          BVH_Y_POSITION,
                          BVH_Z_POSITION,
                          BVH_X_ROTATION,
                          BVH_Y_ROTATION,
                          BVH_Z_ROTATION
} BvhChannel;

typedef struct BvhJoint {
    const char *name; /* "" for an end site */
    int32_t parent;   /* -1: a root */
    double offset[3];
    uint8_t channels[BVH_MAX_CHANNELS]; /* BvhChannel, in the order of the values */
    uint32_t channel_count;
    uint32_t first_value; /* index of its first value in a frame */
} BvhJoint;

typedef struct BvhMotion {
    BvhJoint *joints;
    uint32_t joint_count;
    uint32_t value_count; /* number of values in a frame */
    float *values;        /* [frame_count][value_count] */
    uint32_t frame_count;
    double frame_s; /* duration of a frame, > 0 */
} BvhMotion;

bool bvh_load(BvhMotion *motion, Bytes bytes, Arena *arena, Diag *diag);

/* The position of a joint relative to its parent, and its rotation, at a frame. */
void bvh_local(Vec3 *position, Quat *rotation, const BvhMotion *motion, uint32_t frame,
               uint32_t joint);
