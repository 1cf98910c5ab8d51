/*
 * batch_plan.h - the jobs of a batch, looked at before anything runs
 *
 * Each job is loaded, so that a wrong value is told at its place in the manifest, and the files
 * that it will write are compared with those of all others.  Then scenes are loaded, one of each
 * sort, to count frames and to find jobs whose evaluated frames are equal: those can share one
 * bake.
 */
#ifndef DISPATCH_BATCH_PLAN_H
#define DISPATCH_BATCH_PLAN_H

#include <stdint.h>

#include "base/hash.h"
#include "dispatch/batch.h"
#include "job/job.h"

typedef struct BatchItem {
    const BatchJob *job;
    const char **sets; /* for --set: all that is laid over the base, and where outputs go */
    size_t set_count;
    const char *output;   /* for -o; or NULL */
    const char **outputs; /* the files that it writes, previews too; absolute */
    size_t output_count;
    Digest key;     /* of the sets and the output: another key is another job */
    int64_t frames; /* -1: not known */
    int bake;       /* index of the bake that it shares; -1: none */
    int memory_mib; /* at most, with one worker; 0: not known */
    int worker_mib; /* each more of them */
    int workers;    /* as the job says; 0: as many as its share of the cores */
} BatchItem;

typedef struct BatchBake {
    const char *file; /* in the batch's folder */
    const char *set;  /* for --set, to use it */
    const char *name; /* first digits of its digest */
    size_t first;     /* an item that it can be made from */
    size_t users;
} BatchBake;

typedef struct BatchPlan {
    const Batch *batch;
    const char *folder; /* ".NAME.odori/" beside the manifest, absolute: logs, results, bakes */
    BatchItem *items;   /* as batch->jobs */
    BatchBake *bakes;
    size_t bake_count;
} BatchPlan;

typedef enum BatchDepth {
    BATCH_JOBS,  /* load the jobs and compare their outputs */
    BATCH_SCENES /* frames and bakes, too; a scene that cannot be loaded is warned about */
} BatchDepth;

/* A job with all that the plan lays over it. */
bool batch_plan_job(Job *job, const BatchPlan *plan, const BatchItem *item, Arena *arena,
                    Diag *diag);

/* Errors: DIAG_JOB, DIAG_MISSING; the same error in several jobs is told once. */
bool batch_plan(BatchPlan *plan, const Batch *batch, BatchDepth depth, Arena *arena, Diag *diag);

#endif
