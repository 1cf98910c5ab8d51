/*
 * main.c - from the command line to a verb, and from its outcome to an exit status
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/arguments.h"
#include "cli/help.h"
#include "cli/stop.h"
#include "cli/verbs.h"

/* design, section 4: a scheduler retries 69, 74 and 75 only. */
static int status_of(DiagKind kind)
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

/* The OpenGL driver takes and gives back large blocks for every frame.  Kept instead of returned to
 * the system they save 15 % of the CPU time. */
static void keep_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

/* A file opened later must not take the place of a closed stream.  Standard output is opened for
 * reading only, so that data for it is not lost unnoticed. */
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

/* Results that did not reach their reader are no results. */
static bool flush_output(Diag *diag)
{
    const bool failed = ferror(stdout) != 0;
    if (fflush(stdout) == 0 && !failed)
        return true;
    if (diag->kind == DIAG_IO) /* the verb met and told it */
        return false;
    return diag_fail(diag, DIAG_IO, "standard output: %s", strerror(errno));
}

/* The verb has nothing to tell when it was only stopped. */
static void tell_end_of_time(const Progress *progress, Diag *diag)
{
    char place[160];
    progress_locate(place, sizeof place, progress);
    diag_fail(diag, DIAG_INCOMPLETE, "limits.total_timeout_s: the time is over; %s", place);
}

static int run(Progress *progress, const Arguments *args, Arena *arena, Diag *diag)
{
    bool good = true;
    if (args->help)
        help_write_verb(stdout, args->verb);
    else
        good = args->verb->run(progress, args, arena, diag);
    diag_flush(diag);
    if (!good && stop_timed_out() && diag->kind == DIAG_NONE)
        tell_end_of_time(progress, diag);
    good &= flush_output(diag);
    if (stop_number())
        return 128 + stop_number();
    if (good)
        return 0;
    return diag->kind == DIAG_NONE ? 70 : status_of(diag->kind);
}

int main(int argc, char **argv)
{
    keep_memory();
    open_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    stop_install();
    if (argc < 2) {
        help_write_usage(stderr, verbs);
        return 2;
    }

    Arena *arena = arena_create();
    Progress progress;
    Diag diag;
    Arguments args;
    progress_init(&progress, stderr, PROGRESS_NONE, COLOR_AUTO);
    diag_init(&diag, progress_report, &progress);
    int status = 2;
    if (arguments_parse(&args, argc, argv, verbs, arena, &diag)) {
        const bool draws = args.verb->draws && !args.help && !args.dump_config;
        progress_init(&progress, stderr, draws ? (ProgressMode)args.progress : PROGRESS_NONE,
                      (ProgressColor)args.color);
        progress.asked = &stop_status_asked;
        progress.quiet = args.quiet;
        progress.verbose = args.verbose;
        diag.strict = args.strict;
        status = run(&progress, &args, arena, &diag);
        if (draws)
            progress_end(&progress, status);
    }
    arena_destroy(arena);
    if (stop_number())
        stop_raise();
    return status;
}
