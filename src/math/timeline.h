// SPDX-License-Identifier: MIT
/*
 * timeline.h - sorts keys by time and finds the two keys around a frame
 *
 * Keys in a file come in any order; of two keys on one frame the later one in the file counts
 * (scene/README.md 1.2).
 */
#pragma once

#include <stdint.h>

typedef struct TimelineItem {
    uint32_t frame;
    uint32_t index; /* position in the file */
} TimelineItem;

/* Sorts by frame and keeps the last item of each frame; returns the number of remaining items. */
uint32_t timeline_order(TimelineItem *items, uint32_t count);

/* The two keys around a time.  On a key, before the first and after the last: left == right, t = 0.
 */
typedef struct TimelineSpan {
    uint32_t left, right;
    double t; /* 0..1 from left to right */
} TimelineSpan;

/* `frames` ascend; count is at least 1. */
TimelineSpan timeline_span(const double *frames, uint32_t count, double frame);
