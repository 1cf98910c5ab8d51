/*
 * subprocess.h - this program once more, as a process of its own with a log
 *
 * The child reads nothing, and both of its streams go to the end of the log, behind a line with its
 * command.  It is sent TERM when the process that started it dies, however it dies.
 */
#ifndef DISPATCH_SUBPROCESS_H
#define DISPATCH_SUBPROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/diag.h"

typedef struct Subprocess {
    pid_t pid;
    const char *log;     /* its name, as given */
    long long log_start; /* bytes that were in it before */
} Subprocess;

/* arguments: "odori", "render", ..., NULL.  The log's folder must be there.  Errors: DIAG_CREATE,
 * DIAG_IO, DIAG_RESOURCE. */
bool subprocess_start(Subprocess *child, const char *const *arguments, const char *log, Diag *diag);

/* What the child wrote; of much, the end. */
const char *subprocess_output(const Subprocess *child, Arena *arena);

/* What went wrong: the last "error:" line that the child wrote, else how it ended. */
const char *subprocess_error_text(const Subprocess *child, int wait_status, Arena *arena);

/* The exit status, or 128 + the signal that ended it, of what waitpid gave. */
int subprocess_exit_status(int wait_status);

#endif
