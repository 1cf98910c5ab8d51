/*
 * slurm.h - writes the stages of a distributed render as a shell script for Slurm
 *
 * The script is POSIX sh and meant to be readable.  It submits up to three jobs, each of which
 * waits for the previous one: bake, an array of shards, join; and prints their numbers.  A shard
 * that reaches its time limit or fails temporarily requeues itself (dispatch/README.md 2).
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "dispatch/stages.h"

typedef struct SlurmOptions {
    const char *directory; /* absolute path of the working directory of the stages */
    const char *sbatch;    /* additional sbatch options of all jobs, separated by blanks; or NULL */
} SlurmOptions;

/* Logs are written to log/ in the checkpoint directory.  False after an error was reported:
 * DIAG_USAGE for a path that cannot be passed to sbatch. */
bool slurm_write(FILE *out, const Stages *stages, const SlurmOptions *options, Arena *arena,
                 Diag *diag);

/* Runs a script; its output goes to stdout.  False after an error was reported (DIAG_RESOURCE). */
bool slurm_submit(const char *script, Diag *diag);
