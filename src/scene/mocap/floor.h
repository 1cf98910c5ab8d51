// SPDX-License-Identifier: MIT
/*
 * floor.h - where a model stands: the offset of its center and the places of its ankles, so that
 * feet stand where those of the source do (scene/mocap/README.md 4)
 *
 * Lengths are in MMD units; index 0 is the left side, 1 the right one.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "math/rotation.h"

/* A frame of the source, scaled to the length of the model's legs, and the model with the same
 * directions of all limbs, before its center is moved. */
typedef struct FloorFrame {
    Vec3 hips[2], ankles[2];               /* ends of the legs of the source */
    Vec3 placed_hips[2], placed_ankles[2]; /* ends of the legs of the model */
    Vec3 forward;                          /* direction of the hips */
} FloorFrame;

typedef struct FloorPlan {
    Vec3 center;         /* offset from its rest position */
    Vec3 ankles[2];      /* where the ankles are for IK */
    Quat corrections[2]; /* rotations of the legs about the hips, in the world */
} FloorPlan;

/* A foot: the horizontal offset of its ankle from that of the source. */
typedef struct FloorFoot {
    double height;              /* height of the model's ankle when it stands */
    double left, ahead, weight; /* sums over all frames; then their means: the usual offset */
    Vec3 offset;                /* at present */
    Vec3 held;                  /* part of it: how far a planted foot stays behind the source */
    Vec3 ankle;                 /* the source's ankle, a frame before */
} FloorFoot;

typedef struct Floor {
    double leg;      /* length */
    double standing; /* height of the lower ankle of the source when it stands */
    Vec3 *headings;  /* [count] smoothed horizontal directions in which the hips face */
    double *lower;   /* [count] heights of the lower ankle */
    FloorFoot feet[2];
    uint32_t count, next; /* frames that were added, and planned */
} Floor;

/* A first pass adds all frames in sequence.  `heights`: of the model's ankles when it stands. */
void floor_begin(Floor *floor, const double heights[2], double leg, uint32_t frames, Arena *arena);
void floor_add(Floor *floor, const FloorFrame *frame);
void floor_end(Floor *floor);

/* A second pass has the same frames in the same sequence. */
void floor_plan(FloorPlan *out, Floor *floor, const FloorFrame *frame);
