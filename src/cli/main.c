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
#include <string.h>
#include <unistd.h>

#include "base/process_memory.h"
#include "cli/help.h"
#include "cli/run_result.h"
#include "cli/session.h"
#include "cli/stop.h"
#include "sandbox/file_broker.h"

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

/* The exit status of a verb; `good`: it has succeeded. */
static int session_status(const Session *session, bool good)
{
    const DiagKind kind = session->diag->kind;
    return stop_signal_number() ? 128 + stop_signal_number()
           : good               ? session->status
           : kind == DIAG_NONE  ? 70
                                : session_exit_status(kind);
}

static int run(Progress *progress, const Arguments *args, ProblemList *problems, Arena *arena,
               Diag *diag)
{
    bool good = true, closed = false;
    Session session;
    session_begin(&session, args, problems, progress, arena, diag);
    if (args->help)
        help_write_verb(session.out, args->verb, arena);
    else
        good = args->verb->run(&session);
    session_end(&session);
    diag_flush(diag);
    if (!good && stop_timed_out() && diag->kind == DIAG_NONE)
        report_timeout(progress, diag);
    session_print_result(&session, session_status(&session, good));
    good &= flush_output(&closed, diag);
    closed |= !good && diag->kind == DIAG_NONE && output_closed_by_reader(); /* a film */
    return closed && !stop_signal_number() ? 128 + SIGPIPE : session_status(&session, good);
}

/* A command line that cannot be parsed has no session. */
static int refuse(Progress *progress, const Arguments *args, const ProblemList *problems,
                  Arena *arena, Diag *diag)
{
    const RenderReport none = {0};
    bool closed;
    if (!problems)
        return 2;
    run_result_print(stdout,
                     &(RunFacts){.verb = args->verb ? args->verb->name : NULL,
                                 .status = 2,
                                 .report = &none,
                                 .problems = problems,
                                 .progress = progress},
                     arena);
    flush_output(&closed, diag);
    return 2;
}

/* Whether a program reads the result, also that of a command line which cannot be parsed. */
static bool asks_for_json(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (!strcmp(argv[i], "--json"))
            return true;
    return false;
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
    ProblemList problems = {.arena = arena};
    const bool json = asks_for_json(argc, argv);
    if (json) {
        diag.observer = problem_list_add;
        diag.observer_user = &problems;
    }
    int status = 2;
    if (!arguments_parse(&args, argc, argv, arena, &diag) ||
        !arguments_warning_rules(&diag.rules, &args, arena, &diag)) {
        status = refuse(&progress, &args, json ? &problems : NULL, arena, &diag);
    } else {
        const bool shown =
            args.verb->needs & VERB_PROGRESS && !args.help && !args.dump_config && !args.print_job;
        progress_init(&progress, stderr, shown ? (ProgressMode)args.progress : PROGRESS_NONE,
                      (ProgressColor)args.color);
        progress.status_requests = &stop_status_requests;
        progress.quiet = args.quiet;
        progress.verbose = args.verbose;
        progress.describes_outputs |= args.json;
        status = run(&progress, &args, args.json ? &problems : NULL, arena, &diag);
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
#ifndef ODORI_NO_SANDBOX /* variants that report at the end of a process */
    _exit(status);       /* without the destructors of a hundred libraries */
#endif
    return status;
}
