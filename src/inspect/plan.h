// SPDX-License-Identifier: MIT
/*
 * plan.h - the work and the estimated cost of a job, without rendering it
 *
 * Writes frames, segments and shards; memory, disk and time (inspect/resource_estimate.h); the
 * digests of the job; and the source of each value that differs from its default.  Precedence of
 * sources: a flag, --set, the environment, the job file.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"
#include "record/result.h"
#include "run/progress.h"

extern const ResultTable plan_result; /* what the JSON form contains */

typedef struct PlanOptions {
    int shards; /* 1..: list the frames of each; 0: write only the recommended maximum */
    bool json;
    bool measure; /* render a sample instead of estimating time and disk */
} PlanOptions;

/* Loads a job and writes its plan to `out`, as text or as one JSON object.  False after an error
 * was reported, or without an error if *stop became non-zero. */
bool plan_write(FILE *out, const Job *job, const PlanOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag);
