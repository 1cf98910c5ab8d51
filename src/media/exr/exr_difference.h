// SPDX-License-Identifier: MIT
/*
 * exr_difference.h - differences of OpenEXR files, channel by channel, summed up over many pairs
 *
 * Channels are paired by their names; samples are compared as floats.  NaN equals NaN, infinities
 * equal themselves, and -0 equals 0.  The channels of a Cryptomatte that contain ids are equal or
 * not: a difference of ids has no meaning.
 */
#pragma once

#include "media/exr/exr_file.h"

typedef struct ExrChannelDifference {
    const char *name;
    bool is_id;             /* a channel of a Cryptomatte */
    double max;             /* largest absolute difference of two finite samples */
    int64_t max_frame;      /* the frame with `max`; -1 if max is 0 */
    int64_t differing;      /* samples */
    int64_t not_finite;     /* those of them of which one is infinite or NaN */
    int64_t only_a, only_b; /* frames of which only one file has the channel */
} ExrChannelDifference;

typedef struct ExrDifference {
    ARENA_LIST(ExrChannelDifference) channels; /* in ascending order of their names */
    Arena *arena;                              /* the arena of the names */
} ExrDifference;

/* The differences of one pair of files. */
typedef struct ExrPair {
    bool equal, within; /* no difference; none above the tolerance, and the same channels */
    double max;         /* largest absolute difference of two finite samples that are no ids */
} ExrPair;

/* Adds a pair of files of the same size.  tolerance: of the absolute difference of samples that are
 * no ids. */
ExrPair exr_difference_add(ExrDifference *out, const ExrImage *a, const ExrImage *b, int64_t frame,
                           double tolerance);
