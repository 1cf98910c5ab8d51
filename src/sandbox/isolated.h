// SPDX-License-Identifier: MIT
/*
 * isolated.h - runs a function in a child process, so that a crash, or damage to its memory, costs
 * nothing but its result
 *
 * For bytes of strangers: a job whose files are not known yet, the assets of many jobs.  The caller
 * must have no threads.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "sandbox/sandbox.h"

/* Runs in the child; writes its result.  False after an error was reported to `diag`. */
typedef bool IsolatedWork(FILE *out, void *user, Diag *diag);

typedef struct IsolatedLimits {
    double memory_mib;                 /* private memory of the child; 0: no limit */
    double wall_s;                     /* the child is killed after this time; 0: no limit */
    const volatile sig_atomic_t *stop; /* a value other than 0 kills it; or NULL */
    SandboxMode sandbox; /* it reads files, and does nothing else to the system; SANDBOX_OFF if
                          * `work` confines itself */
    const SandboxRules *files; /* what it may read; NULL: all files */
} IsolatedLimits;

/*
 * The bytes that `work` has written, in the arena; they are as trustworthy as the files it read.
 * False after errors were reported: those of the child, or how the child ended, or its limit; after
 * a stop false without an error.  All messages of the child are reported at its end; the rules of
 * `diag` apply to its warnings.
 */
bool isolated_run(Bytes *result, IsolatedWork *work, void *user, const IsolatedLimits *limits,
                  Arena *arena, Diag *diag);
