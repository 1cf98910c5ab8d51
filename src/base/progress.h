/*
 * progress.h - how far the work is, told to a person, a log or a program
 *
 * tty     one line, drawn anew at most ten times a second: stage, frames, frames/s, time left
 * plain   a line each 10 s or 10 %
 * json    one object a line: start, stage, progress, frame (when verbose), job (of a batch), status
 * (when asked for), warning, error, exactly one end none    only warnings and errors auto    tty on
 * a terminal, else plain; plain when CI is set
 *
 * Who wants to know at another time asks (signal USR1): at the next progress_step or progress_tick
 * one line is told, in every mode.
 *
 * Everything goes to one stream (stderr), messages too, so a bar and a warning never mix: give
 * progress_report to diag_init.  The clock is only looked at, here, to talk.  Not thread-safe.
 */
#ifndef BASE_PROGRESS_H
#define BASE_PROGRESS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/diag.h"

typedef enum ProgressMode {
    PROGRESS_AUTO,
    PROGRESS_TTY,
    PROGRESS_PLAIN,
    PROGRESS_JSON,
    PROGRESS_NONE
} ProgressMode;

typedef enum ProgressColor { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ProgressColor;

enum { PROGRESS_OUTPUTS = 16 };

typedef struct ProgressOutput {
    const char *file;
    int64_t size;
} ProgressOutput;

/* How the processes are, as far as known; MiB, 0: not known. */
typedef struct ProgressProcesses {
    int workers, alive;
    int64_t worker_mib, encoder_mib; /* of the largest worker */
} ProgressProcesses;

typedef struct Progress {
    FILE *out;
    ProgressMode mode; /* never PROGRESS_AUTO after progress_init */
    bool color, verbose, quiet;

    const char *job;      /* its name, once known */
    const char *renderer; /* the OpenGL that draws, while progress_start runs; or NULL */
    bool started, ended;
    const char *stage;
    bool counts_jobs; /* the stage's steps are jobs, not frames */
    int64_t done, total, skipped;
    double start_s, stage_s, told_s; /* monotonic clock: run, stage, last line */
    int64_t told;                    /* `done` at the last line */
    bool bar;                        /* one stands on the terminal now */

    int64_t rendered, skipped_all;
    ProgressOutput outputs[PROGRESS_OUTPUTS];
    size_t output_count;

    const volatile sig_atomic_t
        *asked;            /* rises when somebody wants to know; NULL: nobody can ask */
    sig_atomic_t answered; /* *asked at the last answer */
    ProgressProcesses life;
    int64_t frame; /* the last one that was drawn, -1: none */

    char *held; /* JSON lines that wait for the start */
    size_t held_size;
} Progress;

void progress_init(Progress *progress, FILE *out, ProgressMode mode, ProgressColor color);

/* Once, when the frames that were asked for are known.  JSON keeps what was told before until then,
 * so that `start` is its first line. */
void progress_start(Progress *progress, const char *job, int64_t frames, int64_t first,
                    int64_t last);

/* A stage of `total` steps begins, `skipped` of them done by an earlier run.  total 0: unknown.
 * `stage` is a string constant: "load", "render", "finish". */
void progress_stage(Progress *progress, const char *stage, int64_t total, int64_t skipped);

/* So many steps of the stage are done, the skipped ones included.  Cheap: call it every frame. */
void progress_step(Progress *progress, int64_t done);

/* Time has passed.  Cheap: call it wherever something waits or takes long. */
void progress_tick(Progress *progress);

/* Where the work stands, for a message: "render: 742 of 1800 done, the last was frame 741". */
void progress_format_position(char *out, size_t size, const Progress *progress);

/* One frame was drawn in so many CPU milliseconds.  Told under -v only, but always counted. */
void progress_frame(Progress *progress, int64_t frame, double ms);

/* A job of a batch: "begins", "done", "failed", ...; took_s < 0: it only begins. */
void progress_job(Progress *progress, const char *job, const char *what, double took_s,
                  int exit_status, const char *message);

/* Takes the bar away before something else is printed. */
void progress_clear(Progress *progress);

/* A finished output; the text must live until progress_end. */
void progress_output(Progress *progress, const char *file, int64_t size);

/* The last word, with the exit status that cli chose.  Only the first call counts. */
void progress_end(Progress *progress, int exit_status);

/* A DiagSink; `user` is the Progress. */
void progress_report(void *progress, DiagLevel level, const char *message);

#endif
