// SPDX-License-Identifier: MIT
/*
 * batch_run.h - runs the jobs of a batch in parallel, each in its own process
 *
 * Every job is run as `odori render`, which resumes from its checkpoint directory and returns
 * quickly if it is complete; so running a stopped batch again resumes it.  The output of a job is
 * appended to NAME.log in the directory of the batch.  A bake that several jobs share is created by
 * `odori bake` before them and removed after the last of them.  With Slurm, each job that is
 * neither complete nor queued is submitted by `odori submit --to slurm --submit`.
 */
#pragma once

#include <signal.h>

#include "dispatch/batch_result.h"
#include "dispatch/starter.h"
#include "run/progress.h"

typedef struct BatchCapacity { /* limited by cores and memory of this machine */
    int parallel_jobs;         /* at least 1, even if one job may need more memory than available */
    int workers;               /* workers of each job */
    int64_t memory_mib, available_mib; /* estimated peak of all jobs; of the machine */
} BatchCapacity;

BatchCapacity batch_capacity(const BatchPlan *plan);

typedef struct BatchOptions {
    bool overwrite;           /* as for `odori render` */
    bool slurm;               /* submit the jobs to Slurm, each in run.shards shards */
    const StarterVerb *verbs; /* words of the host for render, bake and submit */
} BatchOptions;

/*
 * Runs all jobs by the starter, and sets results[job_count], also after an error.
 *
 * stop     its lowest byte is the number of a signal, which is sent to the running jobs; the batch
 *          ends after them
 * returns  false after a stop, or after an error was reported: DIAG_FAILED (some jobs failed),
 *          DIAG_INCOMPLETE (another batch is running on this manifest), DIAG_CREATE, DIAG_IO,
 *          DIAG_RESOURCE
 */
bool batch_run(BatchResult *results, const BatchPlan *plan, const BatchOptions *options,
               Progress *progress, const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);
