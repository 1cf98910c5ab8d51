// SPDX-License-Identifier: MIT
/*
 * track_comparison.h - what two videos have besides their images: rate, length and sound
 *
 * Frame rates may differ by a rounded time stamp, lengths by the last frame, whose duration some
 * containers lack.  Sounds must have equal samples, or, with a tolerance, samples that differ by at
 * most it, and starts and lengths that differ by at most a frame of a codec.
 */
#ifndef INSPECT_COMPARISON_TRACK_COMPARISON_H
#define INSPECT_COMPARISON_TRACK_COMPARISON_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "media/video_reader.h"
#include "record/result.h"

#ifndef INSPECT_COMPARISON_SOUND_COMPARISON_H

#define INSPECT_COMPARISON_SOUND_COMPARISON_H

#include <signal.h>

#include <stdbool.h>

#include "base/diag.h"

#include "media/sound_reader.h"

typedef struct SoundComparison {
    SoundFormat a, b;
    double length_a_s, length_b_s; /* from the first frame of the film to the last sample */
    bool comparable;               /* equal rates and channels; the values below need it */
    bool equal;                    /* all samples, and their number */
    double max_difference;         /* 0..2, where 1 is the full scale */
    double first_s;                /* time of the first sample that differs; -1: none does */
    double snr_db;                 /* infinite without a difference */
} SoundComparison;

#endif

typedef struct TrackComparison {
    Arena *arena;
    VideoInfo a, b;
    SoundComparison sound;                /* if both have one */
    ARENA_LIST(const char *) differences; /* "frame rates differ: 30 and 25"; none: a match */
} TrackComparison;

/*
 * Compares the sounds of two files, of which all frames were read, with their facts.
 *
 * tolerance  largest difference of two samples, where 1 is the full scale
 * returns    false after an error, or after *stop became nonzero
 */
bool track_comparison_run(TrackComparison *out, const char *const files[2],
                          const VideoInfo infos[2], double tolerance,
                          const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Lines about the differences, and about the sound where it is equal or within the tolerance. */
void track_comparison_write_text(FILE *out, const TrackComparison *c);

/* For JSON. */
typedef struct NumberPair {
    double a, b;
} NumberPair;

typedef struct SoundTrack {
    SoundFormat format;
    double length_s;
} SoundTrack;

typedef struct SoundPair {
    SoundTrack a, b;
    bool equal;
    double first_difference_s, max_difference, snr_db; /* NaN: there is none */
} SoundPair;

typedef struct SoundResult {
    bool in_a, in_b;
    const SoundPair *both;
} SoundResult;

typedef struct TrackResult {
    NumberPair rate, length_s;
    SoundResult sound;
    const char **differences;
    size_t difference_count;
} TrackResult;

extern const ResultTable TrackResult_result;

TrackResult track_comparison_result(const TrackComparison *c);

#endif
