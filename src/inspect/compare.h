// SPDX-License-Identifier: MIT
/*
 * compare.h - compares two films frame by frame (PSNR and SSIM), and by rate, length and sound;
 * OpenEXR files by channels
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/diag.h"
#include "inspect/problem_report.h"

extern const ResultTable compare_result; /* what the JSON form contains */

typedef struct CompareOptions {
    const char *a, *b; /* inputs, see frame_source_open */
    double min_ssim;   /* minimum of each frame, used if min_psnr is 0; 1 requires equal frames */
    double min_psnr;   /* minimum of each frame in dB; 0 for none */
    double tolerance;  /* largest difference of samples of .exr files, or of the sound of videos,
                        * where 1 is the full scale; 0 requires equality */
    bool has_threshold, has_tolerance; /* an SSIM or PSNR was given; a tolerance was given */
    const char *difference_file;       /* PNG of the worst pair and its difference, or NULL */
    bool overwrite;                    /* difference_file may exist */
    ReportFormat format;
    const char *junit; /* file of a JUnit report, or NULL */
    bool verbose;      /* one line per frame besides the summary */
    const volatile sig_atomic_t *stop;
} CompareOptions;

/* Reads "0.99" (SSIM, 0..1) or "40dB" (PSNR, 0..200 dB).  False if the text is neither. */
bool compare_parse_threshold(CompareOptions *options, const char *text);

/* Reads a tolerance, 0 or more. */
bool compare_parse_tolerance(CompareOptions *options, const char *text);

/*
 * Frames are paired by number if the files of both inputs are numbered, else by order.  OpenEXR
 * files are compared with OpenEXR files only.
 *
 * returns  whether every pair reaches the threshold, no frame is unpaired, and two videos have the
 *          same rate, length and sound.  If not, the summary
 *          in `out` reports it; no error is reported to the Diag, but its kind is DIAG_FAILED.
 */
bool compare_write(FILE *out, const CompareOptions *options, Diag *diag);
