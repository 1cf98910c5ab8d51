/*
 * plan.h - what a job would do and cost, told before anything is drawn
 *
 * Frames, pieces and shards; memory, disk and time (costs.h); the digests; and of each value that
 * is no default, where it comes from: a flag goes before --set, that before the environment, that
 * before the job file.
 */
#ifndef INSPECT_PLAN_H
#define INSPECT_PLAN_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "film/resource_estimate.h"
#include "job/job.h"
#include "base/progress.h"

typedef struct PlanOptions {
    int shards; /* each with its frames; 0: only how many are worth it */
    bool json;
    bool tried; /* draw a few frames (trial.h), so that time and disk are measured */
} PlanOptions;

/* Loads a job and writes its plan to `out`, as text or as one JSON object.  *stop as in render_job.
 */
bool plan_write(FILE *out, const Job *job, const PlanOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag);

#endif
