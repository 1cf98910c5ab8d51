// SPDX-License-Identifier: MIT
/*
 * main.c - entry point: parses the command line, runs a verb, chooses the exit status
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process_memory.h"
#include "cli/help.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "sandbox/file_broker.h"

/* The exit status of an error (cli/README.md 3).  Schedulers should retry 69, 74 and 75 only. */
static int exit_status(DiagKind kind)
{
    switch (kind) {
    case DIAG_NONE:
        return 0;
    case DIAG_FAILED:
        return 1;
    case DIAG_USAGE:
        return 2;
    case DIAG_DATA:
        return 65;
    case DIAG_MISSING:
        return 66;
    case DIAG_RESOURCE:
        return 69;
    case DIAG_INTERNAL:
        return 70;
    case DIAG_CREATE:
        return 73;
    case DIAG_IO:
        return 74;
    case DIAG_INCOMPLETE:
        return 75;
    case DIAG_JOB:
        return 78;
    }
    return 70;
}

/* The OpenGL driver allocates and frees large blocks for every frame.  Keeping them in the process
 * instead of returning them to the system saves 15 % of the CPU time. */
static void retain_freed_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

/* Prevents a file opened later from getting the descriptor of a closed standard stream.  Standard
 * output is opened read-only, so that writing to it fails instead of losing data. */
static void open_standard_streams(void)
{
    for (int fd = 0; fd < 3; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            const int opened = open("/dev/null", fd == STDERR_FILENO ? O_WRONLY : O_RDONLY);
            if (opened >= 0 && opened != fd) {
                dup2(opened, fd);
                close(opened);
            }
        }
}

/* Whether standard output is a pipe whose reader has exited, as in `odori help job | head -1`. */
static bool output_closed_by_reader(void)
{
    struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
    return poll(&out, 1, 0) == 1 && (out.revents & POLLERR);
}

/* Output that did not reach standard output is an error, but not a message if its reader has
 * exited: the process ends by SIGPIPE then, as other programs do. */
static bool flush_output(bool *closed, Diag *diag)
{
    const bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return true;
    const int error = errno;
    *closed = output_closed_by_reader();
    if (*closed || diag->kind == DIAG_IO) /* the verb has reported it */
        return false;
    return diag_fail(diag, DIAG_IO, "standard output: %s", strerror(error));
}

/* A verb that stopped at the time limit returns without an error message. */
static void report_timeout(const Progress *progress, Diag *diag)
{
    char position[160];
    progress_format_position(position, sizeof position, progress);
    diag_fail(diag, DIAG_INCOMPLETE, "%s; %s", stop_timeout_text(), position);
}

static int run(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    bool good = true, closed = false;
    Session session;
    session_begin(&session, args, progress, arena, diag);
    if (args->help)
        help_write_verb(stdout, args->verb, arena);
    else
        good = args->verb->run(&session);
    session_end(&session);
    diag_flush(diag);
    if (!good && stop_timed_out() && diag->kind == DIAG_NONE)
        report_timeout(progress, diag);
    good &= flush_output(&closed, diag);
    closed |= !good && diag->kind == DIAG_NONE && output_closed_by_reader(); /* a film */
    if (stop_signal_number())
        return 128 + stop_signal_number();
    if (closed)
        return 128 + SIGPIPE;
    if (good)
        return session.status;
    return diag->kind == DIAG_NONE ? 70 : exit_status(diag->kind);
}

int main(int argc, char **argv)
{
    retain_freed_memory();
    open_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    stop_install();
    process_memory_guard_crashes();
    Arena *arena = arena_create();
    if (argc < 2) {
        help_write_overview(stderr, arena);
        arena_destroy(arena);
        return 2;
    }

    Progress progress;
    Diag diag;
    Arguments args;
    progress_init(&progress, stderr, PROGRESS_NONE, COLOR_AUTO);
    diag_init(&diag, progress_report, &progress);
    int status = 2;
    if (arguments_parse(&args, argc, argv, arena, &diag)) {
        const bool shown = args.verb->needs & VERB_PROGRESS && !args.help && !args.dump_config;
        progress_init(&progress, stderr, shown ? (ProgressMode)args.progress : PROGRESS_NONE,
                      (ProgressColor)args.color);
        progress.status_requests = &stop_status_requests;
        progress.quiet = args.quiet;
        progress.verbose = args.verbose;
        if (arguments_warning_rules(&diag.rules, &args, arena, &diag))
            status = run(&progress, &args, arena, &diag);
        if (shown)
            progress_end(&progress, status);
    }
    file_broker_stop();
    arena_destroy(arena);
    if (stop_signal_number())
        stop_reraise();
    if (status == 128 + SIGPIPE) {
        signal(SIGPIPE, SIG_DFL);
        raise(SIGPIPE);
    }
    return status;
}
