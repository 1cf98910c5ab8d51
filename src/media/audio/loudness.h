// SPDX-License-Identifier: MIT
/*
 * loudness.h - the loudness of a sound by EBU R128 (ITU-R BS.1770-4), and a limiter of its peaks
 *
 * Samples are interleaved, with one or two channels.  No function keeps state.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"

/* Largest sample of a sound that was brought to a loudness, or mixed: -1 dB of the full scale. */
#define LOUDNESS_PEAK 0.891

/* The integrated loudness in LUFS; -INFINITY of silence, and of less than 0.4 s. */
double loudness_measure(const float *samples, size_t frames, int channels, int rate);

/* Lowers the parts whose samples exceed `peak`, smoothly from 5 ms before, so that none does. */
void loudness_limit(float *samples, size_t frames, int channels, int rate, double peak);

/* Applies the gain that gives a loudness, and limits peaks to LOUDNESS_PEAK.  Silence stays as it
 * is; a sound that the limiter would lower by more than 0.1 LU gets more gain, at most 6 dB. */
void loudness_set(float *samples, size_t frames, int channels, int rate, double lufs, Arena *arena);
