/*
 * plan.h - what a job would do and cost, told before anything is drawn
 *
 * Frames, pieces and shards; memory, disk and time (costs.h); the digests; and of each value that is no
 * default, where it comes from: a flag goes before --set, that before the environment, that before the
 * job file.
 */
#ifndef JOB_PLAN_H
#define JOB_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/costs.h"
#include "job/job.h"

typedef struct PlanOptions {
    int shards; /* each with its frames; 0: only how many are worth it */
    bool json;
} PlanOptions;

/* Loads a job and writes its plan to `out`, as text or as one JSON object. */
bool plan_write(FILE *out, const Job *job, const PlanOptions *options, Diag *diag);

#endif
