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
#include "base/json.h"
#include "inspect/comparison/sound_comparison.h"
#include "media/video_reader.h"

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

/* "rate", "length_s" and "sound" of an object. */
void track_comparison_write_json(Json *json, const TrackComparison *c);

#endif
