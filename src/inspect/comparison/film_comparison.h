// SPDX-License-Identifier: MIT
/*
 * film_comparison.h - PSNR and SSIM of two films, pair by pair
 *
 * The pairs are those of frame_source.h.  The metrics are those of
 * inspect/comparison/image_metrics.h.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "inspect/comparison/frame_source.h"

typedef struct FramePair {
    int64_t number; /* number of the frame in the first input */
    bool equal;
    double psnr, ssim;  /* psnr: dB, infinite for equal frames */
    const Image *a, *b; /* valid during the visit */
    int bits_a, bits_b; /* bits of a file's sample: 8, or 16; then the metrics are of 16 bits */
    int max_difference; /* largest difference of two samples, 0..65535, if a file has 16 bits */
} FramePair;

/* Called for each pair.  False after an error was reported: ends the comparison. */
typedef bool FramePairVisitor(void *user, const FramePair *pair, Diag *diag);

typedef struct FilmComparison {
    FramePairVisitor *visit;
    void *user;
    int64_t compared, equal;
    int64_t only_a, only_b; /* frames without a partner */
    int64_t first;          /* number of the first pair that differs, or -1 */
    double mse_sum, ssim_sum;
} FilmComparison;

FilmComparison film_comparison_init(FramePairVisitor *visit, void *user);

/* Compares one pair.  Errors: different sizes (DIAG_FAILED).  scratch is reset. */
bool film_comparison_add(FilmComparison *comparison, const Image *a, const Image *b, int64_t number,
                         Arena *scratch, Diag *diag);

/* Compares all frames of two inputs.  False after an error, or after *stop became nonzero; stop may
 * be NULL. */
bool film_comparison_run(FilmComparison *comparison, FrameSource *a, FrameSource *b,
                         const volatile sig_atomic_t *stop, Diag *diag);

/* PSNR of the film, from the mean of all squared errors; its mean SSIM, NaN without a pair. */
double film_comparison_psnr(const FilmComparison *comparison);
double film_comparison_ssim(const FilmComparison *comparison);
