// SPDX-License-Identifier: MIT
/*
 * bvh.h - motion capture in the Biovision hierarchy format (.bvh)
 *
 * A skeleton of joints with offsets from their parents, and for each frame the values of its
 * channels: lengths in any unit, angles in degrees, right-handed axes.
 */
#pragma once

#include "format/motion/mocap.h"

enum { BVH_MAX_CHANNELS = 6, BVH_MAX_DEPTH = 512 };

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

bool bvh_load(Mocap *mocap, Bytes bytes, Arena *arena, Diag *diag);

/* Motion capture of values that are set; it refers to them. */
void bvh_to_mocap(Mocap *mocap, const BvhMotion *motion, Arena *arena);
