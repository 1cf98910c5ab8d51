// SPDX-License-Identifier: MIT
/*
 * motion_share.h - what a motion contributes to the timeline of a model
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"

typedef enum TrackKind { TRACK_BONES, TRACK_MORPHS, TRACK_SWITCHES, TRACK_KINDS } TrackKind;

typedef struct NameList {
    const char **items;
    size_t count;
} NameList;

typedef struct TrackCounts {
    uint32_t of[TRACK_KINDS];
} TrackCounts;

/* What a motion contributes to the timeline of the model: numbers of tracks, by kind.  A track is
 * counted once in moving, constant, single or replacing. */
typedef struct MotionShare {
    TrackCounts moving;       /* its keys have different values */
    TrackCounts moved_before; /* of these, also in a motion before */
    TrackCounts constant;     /* several keys of one value */
    TrackCounts single;       /* one key */
    TrackCounts replacing;    /* one key, which replaces one of a motion before */
    TrackCounts overriding;   /* all keys of motions before are dropped */
    double single_at; /* frame of the film that has all keys of single and replacing; or NaN */
    NameList moved_in, replaced, overridden; /* files before, without directories */
} MotionShare;

/* "1 morph moves; 96 bones and 29 morphs have one key at frame 0, which replaces that of FILE" */
const char *motion_share_text(const MotionShare *share, Arena *arena);
