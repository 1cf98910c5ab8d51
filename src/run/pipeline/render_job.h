// SPDX-License-Identifier: MIT
/*
 * render_job.h - renders a job: load, checkpoint, frame loop, join, previews
 */
#pragma once

#include "base/diag.h"
#include "job/job.h"
#include "run/checkpoint/checkpoint.h"
#include "run/pipeline/frame_loop.h"
#include "run/pipeline/warm_film.h"
#include "run/progress.h"

/*
 * Loads a job and renders it, or one shard of it.  The whole job also gets its outputs joined and
 * its previews rendered; shards leave that to render_job_join.
 *
 * options  its `stop`, which is not NULL, ends the run as it ends frame_loop_run
 * timed    measures each stage of drawing and each pass of effects, which costs some speed; names
 *          and times of passes are allocated there.  NULL: measures nothing
 */
bool render_job(RenderReport *report, const Job *job, const CheckpointOptions *options,
                Arena *timed, Progress *progress, Diag *diag);

/* Renders a film that is loaded and open, after warm_film_change: one still in this process, others
 * as render_job. */
bool render_job_warm(RenderReport *report, WarmFilm *warm, const CheckpointOptions *options,
                     Progress *progress, Diag *diag);

/* The verb `join`: joins the outputs from the segments of all shards, renders the previews and
 * writes the report.  Missing frames are an error, DIAG_INCOMPLETE, with the list of their ranges.
 */
bool render_job_join(const Job *job, const CheckpointOptions *options, Progress *progress,
                     Diag *diag);
