// SPDX-License-Identifier: MIT
/*
 * motion_merge.h - the keys of several motions of a model as one timeline
 *
 * Each bone, morph and switch has a track.  A key of a later motion replaces the one on the same
 * frame of the film, and the others stay, as where MMD loads a second file (scene/README.md 1.9).
 * What each motion contributes is counted.
 */
#pragma once

#include "scene/motion.h"

/* A key that was added; all fields but the key are for the order. */
typedef struct MergeKey {
    double at;    /* frame of the film */
    int64_t tick; /* the same, rounded: keys of one tick are on the same frame */
    const void *key;
    uint32_t frame, index; /* in its motion */
    uint32_t layer;
} MergeKey;

typedef struct MergeTrack {
    ARENA_LIST(MergeKey) keys;
    size_t merged;  /* those of motions before, in order; the others are of the current one */
    uint32_t mover; /* 1 + the last motion that moves it; 0: none */
} MergeTrack;

typedef struct MotionMerge {
    const MotionLayer *layers;
    size_t layer_count, layer; /* the current one */
    MergeTrack *tracks[TRACK_KINDS];
    uint32_t track_counts[TRACK_KINDS];
    Arena *scratch; /* of the keys, until motion_merge_track */
} MotionMerge;

/* track_counts: by TrackKind */
MotionMerge motion_merge_init(const MotionLayer *layers, size_t layer_count,
                              const uint32_t track_counts[TRACK_KINDS], Arena *scratch);

/* Adds a key of the current motion: a VmdBoneKey, a VmdMorphKey or the bool of a switch.
 * frame, index: in the motion; of keys on one frame the one with the highest index counts */
void motion_merge_add(MotionMerge *merge, TrackKind kind, uint32_t track, uint32_t frame,
                      uint32_t index, const void *key);

/* Whether two keys of a kind have the same value; their curves may differ. */
bool motion_same_value(const void *a, const void *b, TrackKind kind);

/* Merges the keys of the current motion, and goes on to the next one. */
MotionShare motion_merge_next(MotionMerge *merge, Arena *arena);

/* The track, when all motions are merged.
 * rest: key of the value before the first one (scene/README.md 1.2); or NULL */
KeyTrack motion_merge_track(const MotionMerge *merge, TrackKind kind, uint32_t track,
                            const void *rest, Arena *arena);
