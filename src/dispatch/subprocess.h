// SPDX-License-Identifier: MIT
/*
 * subprocess.h - runs this program with a log file, by the starter (starter.h)
 *
 * The standard input of the program is empty; its output streams are appended to the log after a
 * line with the command.  It receives SIGTERM when the batch dies.
 */
#pragma once

#include <sys/types.h>

#include "base/arena.h"
#include "base/diag.h"

typedef struct Subprocess {
    pid_t pid;
    const char *log;     /* path, not copied */
    long long log_start; /* size before the child started */
} Subprocess;

/* command: "odori", "render", ..., NULL.  The directory of the log must exist.  False after an
 * error was reported (DIAG_CREATE, DIAG_IO, DIAG_RESOURCE). */
bool subprocess_start(Subprocess *child, const char *const *command, const char *log, Diag *diag);

/* The output of the child, at most the last 64 KiB. */
const char *subprocess_output(const Subprocess *child, Arena *arena);

/* The last "error:" line of the output, or else the exit status or signal. */
const char *subprocess_error_text(const Subprocess *child, int wait_status, Arena *arena);

/* The exit status, or 128 + the number of the signal; `wait_status` is from waitpid. */
int subprocess_exit_status(int wait_status);
