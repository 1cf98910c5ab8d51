// SPDX-License-Identifier: MIT
/*
 * starter.h - a process that starts programs for the process of a batch
 *
 * A batch parses manifests, jobs and results of strangers, so its process may not start programs.
 * The starter is forked before it parses anything.  It parses nothing, and starts this program with
 * the commands of its rules, and `squeue`: a batch that was taken over can run the jobs that a
 * manifest can describe, with the limits, the sandbox and the permission to overwrite of the host.
 * It ends with the process that started it; its programs then receive SIGTERM.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/diag.h"

/* Commands begin with "odori", the verb and its words; then follow keys, outputs and the job. */
typedef struct StarterVerb {
    const char *verb;
    const char *const *words; /* those of the host, such as --limits FILE; ended by NULL */
} StarterVerb;

/* The words of a verb; NULL if it has no rule. */
const char *const *starter_words(const StarterVerb *verbs, const char *verb);

typedef struct StarterRules {
    const StarterVerb *verbs; /* ended by a row without a verb */
    bool overwrite;           /* --overwrite is allowed for all outputs */
    const char *bakes;        /* directory with '/' in which `bake` may overwrite; NULL: none */
} StarterRules;

/* Starts the starter of this process, which must have no threads.  Errors: DIAG_RESOURCE. */
bool starter_start(const StarterRules *rules, Diag *diag);

/* Waits for its end.  Its programs receive SIGTERM.  Does nothing without one. */
void starter_stop(void);

/* Starts a command, ended by NULL, that writes to the open file `log`; the process, or -1 with
 * errno: EPERM if no rule allows it, E2BIG. */
pid_t starter_run(const char *const *command, int log);

/* Starts squeue, which writes the numbers of all jobs to the open file; likewise. */
pid_t starter_run_queue(int output);

/* All programs that start from now on keep this file open. */
void starter_hold(int file);

/* Sends a signal to all programs. */
void starter_signal(int number);

/* Waits until a program ends, at most `milliseconds`. */
void starter_wait(int milliseconds);

/* Whether a program has ended, once for each; then *status is that of waitpid. */
bool starter_has_ended(pid_t process, int *status);
