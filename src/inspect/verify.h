// SPDX-License-Identifier: MIT
/*
 * verify.h - detects damaged and missing output files
 *
 * For a checkpoint directory, every still and segment that the ledgers record and every output and
 * preview of the report is compared with its digest; all frames of a finished video are decoded,
 * and their number, duration and sound are compared with the film.  A single file is decoded to its
 * end if it is a video or image; a list of digests is parsed.  No file is modified.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "inspect/problem_report.h"
#include "job/job.h"
#include "record/result.h"

extern const ResultTable verify_result; /* what the JSON form contains */

typedef struct Verify Verify;

/* Starts a verification.  Findings are written to `out`, one per line, as one JSON object, or as
 * annotations of GitHub (inspect/problem_report.h).  All functions return early once *stop is
 * non-zero; stop may be NULL. */
Verify *verify_begin(FILE *out, ReportFormat format, const volatile sig_atomic_t *stop,
                     Arena *arena);

/* Verify a checkpoint directory, or a single file.  False after an error was reported
 * (DIAG_MISSING: it does not exist; DIAG_DATA: job.json is damaged) or after a stop; findings are
 * no errors. */
bool verify_directory(Verify *verify, const char *directory, Diag *diag);
bool verify_file(Verify *verify, const char *file, Diag *diag);

/*
 * Writes the end of the report.  False if a file is damaged or missing or a film is not finished;
 * no error is reported, but the kind of the Diag is DIAG_FAILED (damaged or removed files) or
 * DIAG_INCOMPLETE (unfinished film).
 */
bool verify_end(Verify *verify, Diag *diag);

/* Writes all findings to a JUnit file, before verify_end; intact files are test cases that pass. */
bool verify_save_junit(Verify *verify, const char *path, Diag *diag);
