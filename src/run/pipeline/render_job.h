/*
 * render_job.h - renders a job: load, checkpoint, frame loop, join, previews
 */
#ifndef RUN_PIPELINE_RENDER_JOB_H
#define RUN_PIPELINE_RENDER_JOB_H

#include <signal.h>
#include <stdbool.h>

#include "base/diag.h"
#include "base/progress.h"
#include "run/checkpoint/checkpoint.h"
#include "job/job.h"
#include "run/pipeline/frame_loop.h"

typedef struct RenderJobOptions {
    bool time_stages; /* measure each rendering stage (costs some speed) */
    /* As in CheckpointOptions: */
    const char *checkpoint_directory; /* NULL: the film's default */
    CheckpointMode mode;
    FilmShard shard; /* {1, 1}: the whole film */
    int max_stalled_runs;
    bool accept_renderer;
} RenderJobOptions;

/*
 * Loads a job and renders it, or one shard of it.  The whole job also gets its outputs joined and
 * its previews rendered; shards leave that to join_run (run/pipeline/join.h).
 *
 * stop     as in frame_loop_run
 */
bool render_job(RenderReport *report, const Job *job, const RenderJobOptions *options,
                Progress *progress, const volatile sig_atomic_t *stop, Diag *diag);

#endif
