/*
 * compare.h - two films beside each other, picture by picture
 */
#ifndef INSPECT_COMPARE_H
#define INSPECT_COMPARE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"

typedef struct CompareOptions {
    const char *a, *b;   /* as frame_source.h takes them */
    double least_ssim;   /* of every picture; with least_psnr 0, 1: all must be equal */
    double least_psnr;   /* dB; 0: not asked for */
    const char *picture; /* a PNG of the worst pair and what differs in it; or NULL */
    bool json, verbose;  /* verbose: a line for each picture, else for the whole */
    const volatile sig_atomic_t *stop;
} CompareOptions;

/* "0.99" (SSIM) or "40dB" (PSNR).  False: neither. */
bool compare_threshold(CompareOptions *options, const char *text);

/*
 * Pictures of files are paired by number where both are numbered, else in their order.
 *
 * returns  whether every pair is as alike as asked for, and none is without its other; if not, that
 * stands in `out`, and only the Diag's kind, DIAG_FAILED, says it again
 */
bool compare_write(FILE *out, const CompareOptions *options, Diag *diag);

#endif
