// SPDX-License-Identifier: MIT
/*
 * batch_plan.h - loads and checks all jobs of a batch before any is run
 *
 * Each job is loaded, so that a wrong value is reported at its location in the manifest, and its
 * output files are compared with those of all other jobs.  Then one scene of each group of jobs
 * that evaluate the same frames is loaded, to count frames, estimate memory and find jobs that can
 * share one bake.
 */
#pragma once

#include "base/hash.h"
#include "dispatch/batch.h"
#include "job/job.h"

typedef struct BatchItem {
    const BatchJob *job;
    const char **sets; /* arguments of --set: overridden keys and output files */
    size_t set_count;
    const char *output;   /* argument of -o, or NULL */
    const char **outputs; /* absolute paths of outputs and previews */
    size_t output_count;
    Digest key;     /* digest of base, sets and output; identifies the job in results.jsonl */
    int64_t frames; /* -1 if unknown */
    int bake;       /* index of the shared bake, or -1 */
    int memory_mib; /* peak with one worker; 0 if unknown */
    int worker_mib; /* for each additional worker */
    int workers;    /* render.workers; 0: a share of the cores */
} BatchItem;

typedef struct BatchBake {
    const char *file; /* in the directory of the batch */
    const char *set;  /* argument of --set that selects it */
    const char *name; /* first digits of its digest */
    size_t first;     /* an item from which it can be created */
    size_t users;
} BatchBake;

typedef struct BatchPlan {
    const Batch *batch;
    const char *directory; /* ".NAME.odori/" beside the manifest, absolute: logs, results, bakes */
    BatchItem *items;      /* as batch->jobs */
    BatchBake *bakes;
    size_t bake_count;
} BatchPlan;

typedef enum BatchDepth {
    BATCH_JOBS,  /* load the jobs and compare their outputs */
    BATCH_SCENES /* also frames and bakes; a scene that cannot be loaded is a warning */
} BatchDepth;

/* Loads a job with all keys that the plan overrides. */
bool batch_plan_job(Job *job, const BatchPlan *plan, const BatchItem *item, Arena *arena,
                    Diag *diag);

/* Calls `visit` for each job that can be loaded, with its outputs: to list the files of all jobs.
 * Errors are not reported; planning finds them again. */
typedef void BatchJobVisitor(void *user, const Job *job, const BatchItem *item);
void batch_plan_visit(const Batch *batch, BatchJobVisitor *visit, void *user, Arena *arena);

/* False after an error was reported (DIAG_JOB, DIAG_MISSING); equal errors of several jobs are
 * reported once. */
bool batch_plan(BatchPlan *plan, const Batch *batch, BatchDepth depth, Arena *arena, Diag *diag);
