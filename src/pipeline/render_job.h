/*
 * render_job.h - the frame loop: a loaded job becomes its outputs
 *
 * The whole way of a frame stands in run.c on one screen.  Main evaluates frames in order; worker
 * processes draw them; the encoder process takes the pictures in order (workers/worker_pool.h).
 */
#ifndef PIPELINE_RENDER_JOB_H
#define PIPELINE_RENDER_JOB_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "job/job.h"
#include "base/progress.h"
#include "checkpoint/checkpoint.h"

typedef struct RunOptions {
    bool time_stages; /* measure the drawing stages one by one (costs some speed) */
    bool uncounted;   /* pictures beside the film's: progress does not count them as frames */
    /* Of render_job, as in CheckpointOptions: */
    const char *state; /* folder; NULL: the film's own */
    CheckpointMode mode;
    FilmShard shard; /* {1, 1}: all */
    int max_stalled_runs;
} RunOptions;

/* What a run did.  CPU times are of the process that did the work, in seconds, for all frames. */
typedef struct RunReport {
    int64_t frames;
    int workers;
    double wall_s, first_frame_s; /* from the call of render_job */
    double evaluate_s, draw_s, write_s, encode_s;
    double upload_s, skin_s, clear_s, shadow_s, surface_s, edge_s, resolve_s,
        read_s;    /* parts of draw_s */
    int respawned; /* workers that died and were replaced */
} RunReport;

/*
 * Draws the pictures at `places` that an output still lacks, and enters them into the state;
 * without one (NULL) draws all of them, and leaves whole outputs under their final names. On an
 * error or a stop nothing unfinished stays.  *stop is polled: not 0 ends the run after the frames
 * in hand (false is returned without an error then).
 */
bool render_frames(RunReport *report, const Film *film, Checkpoint *state, FilmSpan places,
                   const RunOptions *options, Progress *progress, const volatile sig_atomic_t *stop,
                   Diag *diag);

/* Lets the progress name the outputs that are there. */
void report_outputs(const Film *film, Progress *progress);

/* Loads a job and draws it, or one shard of it, with render_frames; the whole job also gets its
 * outputs joined and its previews drawn (pipeline/join.h). */
bool render_job(RunReport *report, const Job *job, const RunOptions *options, Progress *progress,
                const volatile sig_atomic_t *stop, Diag *diag);

#endif
