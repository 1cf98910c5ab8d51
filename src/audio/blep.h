/*
 * blep.h - jumps of level at any moment between two samples, without aliases
 *
 * A signal that is constant but for jumps is sampled without aliasing when every jump is replaced
 * by the step response of a low-pass filter, put at the jump's exact time.  (A polyBLEP does the
 * same with two samples, for 40 dB; adding sines up needs a period, which a slice has not.)  The
 * filter here is a sinc under a Kaiser window of 64 samples: flat within 0.1 dB to 0.42 of the
 * sample rate, 20.1 kHz of 48; at least 90 dB down from half of it.  It has no delay: it rings
 * STEP_REACH samples before a jump as after it.
 */
#ifndef AUDIO_BLEP_H
#define AUDIO_BLEP_H

#include <stddef.h>

#include "base/arena.h"

enum { STEP_REACH = 32, STEP_TAPS = 2 * STEP_REACH, STEP_PHASES = 256 };

/* By how much a filtered step of height 1 differs from the sharp one, STEP_REACH samples before it
 * to as many after it, for each place of the jump between two samples. */
typedef struct BlepTable {
    float rest[STEP_PHASES + 1][STEP_TAPS];
} BlepTable;

const BlepTable *blep_table_init(Arena *arena);

/* A signal as it is put down, from left to right; begins at 0.  Times in samples, fractional. */
typedef struct BlepWriter {
    const BlepTable *table;
    float *samples; /* zeroed at first */
    size_t frames;
    double at;    /* up to here the signal is known */
    double level; /* from here on */
} BlepWriter;

/* The signal keeps its level until `time`, then jumps.  A time before writer->at reads as that. */
void blep_step(BlepWriter *writer, double time, double level);

#endif
