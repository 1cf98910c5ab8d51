// SPDX-License-Identifier: MIT
/*
 * tune.h - the demo's music: 24 seconds at 120 beats a minute, synthesized
 *
 * Twelve bars in C, for drums, bass, chords and a melody.  Its end matches its beginning, so it
 * can be repeated.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum { TUNE_RATE = 48000, TUNE_CHANNELS = 2 };

/* A note of the melody; times in beats (half a second), pitch in MIDI's numbers (69: 440 Hz). */
typedef struct TuneNote {
    double beat, length;
    int pitch;
} TuneNote;

const TuneNote *tune_melody(size_t *count);

/* Interleaved samples in -1..1, in the arena; *frames is their number a channel. */
float *tune_make(size_t *frames, Arena *arena);

/* The tune as a 16-bit WAV file. */
bool tune_save(const char *path, const FileApproval *approval, Arena *arena, Diag *diag);

/* The same notes as a MIDI file: melody, chords, bass, and drums on channel 10. */
bool tune_save_song(const char *path, const FileApproval *approval, Arena *arena, Diag *diag);
