// SPDX-License-Identifier: MIT
/*
 * submit_script.h - writes the stages of a distributed render as a shell script for a scheduler
 *
 * The script is POSIX sh and meant to be readable.  It submits up to three jobs, each of which
 * waits for the previous one: bake, an array of shards, join; and prints their numbers.  A shard
 * that reaches its time limit or fails temporarily is run again (dispatch/README.md 2).  What the
 * schedulers have in common is text/submit_script.txt, what differs text/submit_NAME.txt and
 * base/scheduler.inc.
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "base/scheduler.h"
#include "dispatch/stages.h"

typedef struct SubmitOptions {
    const char *directory; /* absolute path of the working directory of the stages */
    const char *words; /* additional options of the command that submits, separated by blanks, of
                        * HTCondor commands of the submit descriptions; or NULL */
} SubmitOptions;

/* Logs are written to log/ in the checkpoint directory.  scheduler: one with a command.  False
 * after an error was reported: DIAG_USAGE for a line break in a path. */
bool submit_script_write(FILE *out, const Scheduler *scheduler, const Stages *stages,
                         const SubmitOptions *options, Arena *arena, Diag *diag);

/* Runs the script; what it prints is written to `out` at its end.  Errors: DIAG_RESOURCE, with the
 * last message of the scheduler; DIAG_FAILED if it would refuse the same jobs again. */
bool submit_script_run(FILE *out, const char *script, Arena *arena, Diag *diag);
