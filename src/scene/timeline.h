/*
 * timeline.h - keys in order of time, and where a moment lies among them
 *
 * Keys in a file come in any order; of two on one frame the later in the file counts
 * (scene/README.md 1.2).
 */
#ifndef SCENE_TIMELINE_H
#define SCENE_TIMELINE_H

#include <stdint.h>

typedef struct TimelineItem {
    uint32_t frame;
    uint32_t index; /* in the file */
} TimelineItem;

/* Sorts by frame and keeps the last item of each frame; returns how many are left. */
uint32_t timeline_order(TimelineItem *items, uint32_t count);

/* The two keys around a moment.  On a key, before the first and after the last: left == right, t 0.
 */
typedef struct TimelineSpan {
    uint32_t left, right;
    double t; /* 0..1 on the way from left to right */
} TimelineSpan;

/* `frames` rise and are at least one. */
TimelineSpan timeline_span(const uint32_t *frames, uint32_t count, double frame);

#endif
