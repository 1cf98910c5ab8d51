// SPDX-License-Identifier: MIT
/*
 * sound_comparison.h - the sounds of two films, sample by sample
 *
 * Samples are compared at the same times from the first frames of the films on: the difference, as
 * a part of the full scale, and the ratio of the signal of the first film to the difference (SNR).
 * Sounds of another rate or other channels have no samples in common.
 */
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

/* Both files have sound.  False after an error, or after *stop became nonzero; stop may be NULL. */
bool sound_comparison_run(SoundComparison *out, const char *a, const char *b,
                          const volatile sig_atomic_t *stop, Diag *diag);

#endif
