// SPDX-License-Identifier: MIT
/*
 * head_choice.h - chooses which heads beside the followed models a shot shows, so that no edge of
 * the frame cuts one
 *
 * For each head and sample one of five choices holds: the head is in the frame, or beyond one of
 * its four edges (evaluate/follow/README.md 6).  In the notation of follow_path.c, with the eye at
 * (x, y, -d), both are linear in x, y and d, as what must be in the frame is.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"

/* Sides of the frame; side / 2 is the axis, side ^ 1 the opposite side. */
typedef enum FrameSide { RIGHT, LEFT, TOP, BOTTOM, FRAME_SIDES } FrameSide;

/* A head over time, each value [count] samples.  With s = x for RIGHT, -x for LEFT, y for TOP and
 * -y for BOTTOM: in the frame if and only if inside[side] <= s + inner d for all sides, and beyond
 * one side if and only if s + outer d <= -outside[side].  A head that is not visible has -HUGE_VAL
 * everywhere. */
typedef struct HeadBounds {
    double *inside[FRAME_SIDES], *outside[FRAME_SIDES];
} HeadBounds;

/* What the eye must fulfil, each value [count] samples. */
typedef struct FrameNeeds {
    double *required[FRAME_SIDES]; /* <= s + inner d: what must be in the frame */
    double *barrier[FRAME_SIDES];  /* s + outer d <= -barrier: what should be beyond that side;
                                      -HUGE_VAL: nothing */
    const double *rest;            /* smallest d */
    double inner[2], outer[2];     /* slopes along x and y: half the frame / depth; inner < outer */
    double step_s;                 /* time between two samples */
    uint32_t count;
} FrameNeeds;

/* The smallest d that shows what is required. */
double frame_needed_distance(const FrameNeeds *needs, uint32_t sample);

/* The largest d at which what is required can be in the frame, and nothing that should be beyond
 * its sides; it may be less than the smallest one. */
double frame_barrier_distance(const FrameNeeds *needs, uint32_t sample);

/* Adds the heads to `required` or `barrier`, which has no entries before.  What cannot be fulfilled
 * remains there. */
void head_choose(FrameNeeds *needs, const HeadBounds *heads, uint32_t head_count, Arena *scratch);
