/*
 * slurm.h - the stages of a film as a shell script for Slurm
 *
 * The script is for sh of POSIX, to be read, changed and kept.  It submits three jobs, each of
 * which waits for the one before it: bake, an array of shards, join; and prints their numbers.  A
 * shard that is stopped by its time limit, or meets a passing fault, puts itself back into the
 * queue.
 */
#ifndef DISPATCH_SLURM_H
#define DISPATCH_SLURM_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "dispatch/stages.h"

typedef struct SlurmOptions {
    const char *folder; /* absolute: where the stages run, for names that are relative to it */
    const char *sbatch; /* options for each job that go before ours, with blanks between; or NULL */
} SlurmOptions;

/* Logs go to log/ in the state folder.  Errors: DIAG_USAGE for a name that sbatch or a script
 * cannot take. */
bool slurm_write(FILE *out, const Stages *stages, const SlurmOptions *options, Arena *arena,
                 Diag *diag);

/* Runs a script; its standard output is ours.  Errors: DIAG_RESOURCE. */
bool slurm_submit(const char *script, Diag *diag);

#endif
