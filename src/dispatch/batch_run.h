/*
 * batch_run.h - the jobs of a batch, several at once, each a process of its own
 *
 * Every job is run as `odori render`, which goes on with what is there and ends quickly when
 * nothing is left to do; so a batch that was stopped goes on when it is run again.  What the jobs
 * say is in NAME.log in the batch's folder.  Bakes that several jobs share are made before these,
 * by `odori bake`, and taken away behind the last of them.  With Slurm, each job that is not done,
 * nor in the queue, is handed over by `odori slurm --submit`, which says what its steps are.
 */
#ifndef DISPATCH_BATCH_RUN_H
#define DISPATCH_BATCH_RUN_H

#include <signal.h>

#include "dispatch/batch_result.h"
#include "base/progress.h"

typedef struct BatchCapacity {         /* within this machine's cores and memory */
    int parallel_jobs;                 /* jobs; 1 even where one may need more than there is */
    int workers;                       /* of each */
    int64_t memory_mib, available_mib; /* of all of them at most; of the machine */
} BatchCapacity;

BatchCapacity batch_capacity(const BatchPlan *plan);

typedef struct BatchOptions {
    bool strict, overwrite, no_clobber; /* as of `odori render` */
    bool slurm;         /* hand the jobs to Slurm, in the manifest's number of shards, instead */
    const char *sbatch; /* options for `odori slurm`; or NULL */
} BatchOptions;

/*
 * Runs all jobs and fills in results[job_count], also after an error.  False, without an error,
 * when it was stopped: *stop, a signal's number in its lowest byte, is handed on to the jobs and
 * waited for. Errors: DIAG_FAILED when some jobs failed, DIAG_INCOMPLETE when another batch runs on
 * this manifest, DIAG_CREATE, DIAG_IO, DIAG_RESOURCE.
 */
bool batch_run(BatchResult *results, const BatchPlan *plan, const BatchOptions *options,
               Progress *progress, const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

#endif
