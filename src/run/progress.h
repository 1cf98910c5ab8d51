// SPDX-License-Identifier: MIT
/*
 * progress.h - progress of a run, reported to a terminal, a log or a program
 *
 *   tty   one line, redrawn at most ten times a second: stage, frames, frames/s, time left
 *   plain a line every 10 s or 10 %
 *   openjd lines for Open Job Description: openjd_status, openjd_progress, openjd_fail
 *   json  one object per line (`odori schema progress`): start, stage, progress, frame (if
 *         verbose), job (of a batch), status (on request), warning, error, exactly one end
 *   none  only warnings and errors
 *   auto  tty on a terminal, else plain; plain if CI is set
 *
 * On a request (signal USR1) the next progress_step or progress_tick reports one line, in every
 * mode.
 *
 * Everything is written to one stream (stderr), messages too, so that a bar and a warning never
 * mix: pass progress_report to diag_init.  Not thread-safe.
 */
#pragma once

#include <signal.h>
#include <stdio.h>

#include "base/diag.h"
#include "record/result.h"

typedef enum ProgressMode {
    PROGRESS_AUTO,
    PROGRESS_TTY,
    PROGRESS_PLAIN,
    PROGRESS_JSON,
    PROGRESS_NONE,
    PROGRESS_OPENJD
} ProgressMode;

typedef enum ProgressColor { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER } ProgressColor;

/* A written file, or all files of an image sequence. */
typedef struct ProgressOutput {
    const char *file;
    int64_t size;   /* bytes; -1 if unknown, as of a pipe */
    int64_t frames; /* in it; -1 if it has none */
    double seconds; /* that it lasts; NaN if it does not move */
    Digest digest;  /* if `describes_outputs` and it can be read; else zeros */
} ProgressOutput;

/* A stage of the run, by its wall time; stages of one name are one. */
typedef struct ProgressStage {
    const char *stage;
    double seconds;
} ProgressStage;

enum { PROGRESS_STAGES = 16 };

/* State of the child processes; sizes in MiB, 0 if unknown. */
typedef struct ProgressProcesses {
    int workers, alive;
    int64_t worker_mib, encoder_mib; /* memory of the largest worker, and of the encoder */
} ProgressProcesses;

typedef struct Progress {
    FILE *out;
    ProgressMode mode; /* never PROGRESS_AUTO after progress_init */
    bool color, verbose, quiet;

    const char *job;    /* its name, or NULL until it is known */
    char renderer[260]; /* name of the OpenGL renderer; "" until it is known */
    bool started, ended;
    const char *stage;
    bool counts_frames; /* the steps of the stage are frames, so that they have frames/s */
    int64_t done, total, skipped;
    double start_s, stage_s, reported_s; /* monotonic clock: run, stage, last line */
    int64_t reported;                    /* `done` at the last line */
    bool bar;                            /* a bar is on the terminal */
    double percent;                      /* the last one of openjd, which never falls */
    bool failed;                         /* openjd_fail was written */

    int64_t rendered, skipped_all;
    bool describes_outputs; /* a program reads the outputs: also what costs reading them */
    ProgressOutput *outputs;
    size_t output_count;
    ProgressStage stages[PROGRESS_STAGES]; /* those that have ended */
    size_t stage_count;
    int64_t frames; /* requested; -1 until they are known */

    const volatile sig_atomic_t *status_requests; /* counter of requests, or NULL */
    sig_atomic_t status_reported;                 /* *status_requests at the last report */
    ProgressProcesses processes;
    int64_t frame; /* the last rendered frame, or -1 */

    char *pending; /* JSON lines before `start` */
    size_t pending_size;
} Progress;

extern const ResultTable progress_result; /* a line of `json` */
extern const ResultTable ProgressOutput_result, ProgressStage_result;

void progress_init(Progress *progress, FILE *out, ProgressMode mode, ProgressColor color);

/* Call it once, when the requested frames are known.  JSON lines before it are kept until then, so
 * that `start` is the first line. */
void progress_start(Progress *progress, const char *job, int64_t frames, int64_t first,
                    int64_t last);

/* A stage of `total` frames begins; `skipped` of them were completed by an earlier run.  total 0:
 * unknown. `stage` is a string constant: "load", "render", "finish". */
void progress_stage(Progress *progress, const char *stage, int64_t total, int64_t skipped);

/* A stage of `total` steps that are not frames begins, such as "jobs": it has no frames/s. */
void progress_stage_of_items(Progress *progress, const char *stage, int64_t total);

/* `done` steps of the stage are complete, including the skipped ones.  Cheap: call it every frame.
 */
void progress_step(Progress *progress, int64_t done);

/* Updates the display.  Cheap: call it wherever something waits or is slow. */
void progress_tick(Progress *progress);

/* The position of the work, for a message: "render: 742 of 1800 done, the last was frame 741". */
void progress_format_position(char *out, size_t size, const Progress *progress);

/* A frame was rendered in `ms` milliseconds of CPU time.  Reported if verbose, always counted. */
void progress_frame(Progress *progress, int64_t frame, double ms);

/* An event of a job of a batch: "begins", "done", "failed", ...; took_s < 0 when it begins. */
void progress_job(Progress *progress, const char *job, const char *what, double took_s,
                  int exit_status, const char *message);

/* Removes the bar before other output. */
void progress_clear(Progress *progress);

/* A finished output; the text must live until progress_end. */
void progress_output(Progress *progress, const ProgressOutput *output);

/* The same of a file without frames, whose size and digest are read. */
void progress_output_file(Progress *progress, const char *file);

/* Completes the size and the digest of a single file that exists. */
void progress_measure_output(const Progress *progress, ProgressOutput *output);

/* Wall time since the start, in whole milliseconds. */
double progress_seconds(const Progress *progress);

/* Ends the stage in progress, so that `stages` has its time. */
void progress_end_stage(Progress *progress);

/* Reports the end, with the exit status that cli chose.  Only the first call has an effect. */
void progress_end(Progress *progress, int exit_status);

/* A DiagSink; `user` is the Progress. */
void progress_report(void *progress, const DiagMessage *message);
