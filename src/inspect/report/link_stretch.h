// SPDX-License-Identifier: MIT
/*
 * link_stretch.h - by how much physics pulls bones away from their parents
 *
 * The distance of a bone that physics moves from its parent, divided by that distance at rest: 1 if
 * joints hold.  It is taken from the bones that the renderer draws, so it is what can be seen.
 */
#pragma once

#include "evaluate/frame_state.h"

typedef struct LinkStretch {
    size_t model;
    uint32_t bone;
    double ratio;  /* the largest one */
    int64_t frame; /* the frame with that ratio */
} LinkStretch;

typedef struct LinkStretches {
    const Scene *scene;
    FrameState *state;  /* buffer */
    LinkStretch *items; /* one per link */
    size_t count, capacity;
    Arena *arena;
} LinkStretches;

/* Lists the links of the scene: bones that simulated bodies move, with a parent that is not at the
 * same point. */
LinkStretches link_stretches_create(const Scene *scene, Arena *arena);

/* Adds a frame: keeps the largest ratio of each link.  packed: evaluate/frame_state.h */
void link_stretches_add(LinkStretches *links, int64_t frame, const void *packed);

/* Sorts the links by their ratio, the largest first. */
void link_stretches_sort(LinkStretches *links);
