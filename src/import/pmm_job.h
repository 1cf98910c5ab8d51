/*
 * pmm_job.h - `odori job PROJECT.pmm`: a job file, and the motions of a project beside it
 */
#ifndef IMPORT_PMM_JOB_H
#define IMPORT_PMM_JOB_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"

typedef struct PmmJobOptions {
    const char *project; /* .pmm */
    const char *output;  /* the job file; its motions are written to NAME-motions/ beside it */
    const char *assets;  /* the folder in which models, sounds and pictures are looked for; NULL:
                            that  of the project */
    bool overwrite;
} PmmJobOptions;

/* NAME-motions beside a job file. */
const char *pmm_job_motions(const char *output, Arena *arena);

/* Warns about what is missing or cannot be said in a job.  False after an error. */
bool pmm_job_run(const PmmJobOptions *options, Diag *diag);

#endif
