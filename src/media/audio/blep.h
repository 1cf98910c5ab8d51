/*
 * blep.h - steps of level at any time between two samples, without aliases
 *
 * A piecewise constant signal is sampled without aliasing by replacing each step with the step
 * response of a low-pass filter at the exact time of the step (media/audio/README.md 2).  The
 * filter is a sinc under a Kaiser window of 64 samples, without delay: it rings BLEP_REACH samples
 * before and after a step.
 */
#ifndef MEDIA_AUDIO_BLEP_H
#define MEDIA_AUDIO_BLEP_H

#include <stddef.h>

#include "base/arena.h"

enum { BLEP_REACH = 32, BLEP_TAPS = 2 * BLEP_REACH, BLEP_PHASES = 256 };

/* Difference between the filtered and the ideal step of height 1, from BLEP_REACH samples before it
 * to BLEP_REACH after it, for BLEP_PHASES positions of the step between two samples. */
typedef struct BlepTable {
    float residual[BLEP_PHASES + 1][BLEP_TAPS];
} BlepTable;

const BlepTable *blep_table_init(Arena *arena);

/* Writes a signal in order of time; it begins at level 0.  Times are in samples, with fractions. */
typedef struct BlepWriter {
    const BlepTable *table;
    float *samples; /* zeroed at the start */
    size_t frames;
    double at;    /* the signal is written up to this time */
    double level; /* from then on */
} BlepWriter;

/* The signal keeps its level until `time`, then steps.  An earlier time than writer->at means
 * writer->at. */
void blep_step(BlepWriter *writer, double time, double level);

#endif
