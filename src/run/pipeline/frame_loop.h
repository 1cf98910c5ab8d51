// SPDX-License-Identifier: MIT
/*
 * frame_loop.h - the frame loop: renders the missing frames of a loaded film
 *
 * The main process evaluates the frames in order, worker processes render them, and the encoder
 * process encodes them in order (run/workers/worker_pool.h).  src/README.md follows one frame
 * through these functions.
 */
#pragma once

#include <signal.h>

#include "base/diag.h"
#include "film/film_types.h"
#include "render/effects/pass_times.h"
#include "render/frame_stages.h"
#include "run/checkpoint/checkpoint.h"
#include "run/pipeline/kept_states.h"
#include "run/pipeline/sound_prefetch.h"
#include "run/progress.h"

/* For reports: called in the main process for each frame of the loop.  Each may be NULL. */
typedef struct FrameObserver {
    void *user;
    /* In the order of the frames; packed: evaluate/frame_state.h.  cpu_s includes the frames that
     * were simulated on the way; packed starts with the first moment of the frame
     * (film/sub_frames.h). */
    void (*evaluated)(void *user, int64_t frame, const void *packed, double cpu_s);
    /* In any order, later than `evaluated`. */
    void (*rendered)(void *user, int64_t frame, const FrameTimes *times);
    /* After `rendered`: the picture, until this returns.  False, after an error, ends the run. */
    bool (*drawn)(void *user, int64_t frame, const Image *image, Diag *diag);
} FrameObserver;

typedef struct FrameLoopOptions {
    bool time_stages; /* measure each rendering stage (costs some speed) */
    Arena *passes;    /* where passes of the report are allocated; NULL: they are not measured */
    bool auxiliary;   /* frames of previews and benchmarks: progress does not count them */
    bool last;        /* hardly anything draws the film afterwards: releases its textures */
    struct FrameDrawer *drawer;    /* all scenes of the film, open in this process, which draws a
                                    * single frame itself; or NULL */
    int workers;                   /* worker processes; 0: those of the job (film_workers) */
    const FrameObserver *observer; /* or NULL */
    SoundPrefetch *sound;          /* is encoded meanwhile; or NULL */
    const KeptStates *kept;        /* states that are evaluated already; or NULL */
} FrameLoopOptions;

/* Results of a run.  CPU times are those of the process that did the work, for all frames. */
typedef struct RenderReport {
    int64_t frames;
    int workers;
    double wall_s, first_frame_s; /* since the start of the job or of the loop */
    FrameTimes times;
    const char *const *pass_names; /* [pass_count] passes of effects */
    FxPassTime *passes;
    size_t pass_count;
    int respawned; /* crashed workers that were replaced */
    /* Largest private memory of main, of a worker and of the encoder, measured once a second; 0 if
     * the run was shorter. */
    int64_t main_mib, worker_mib, encoder_mib;
} RenderReport;

/*
 * Renders the frames of `span` that an output still lacks and records them in the checkpoint.
 * Without a checkpoint (NULL) it renders all of them and leaves complete outputs under their final
 * names.  After an error or a stop no unfinished file remains.
 *
 * span     range of frame indices
 * stop     polled; a value other than 0 ends the loop after the frames in progress
 * returns  false after an error was reported, or after a stop without an error
 */
bool frame_loop_run(RenderReport *report, const Film *film, Checkpoint *checkpoint, FilmSpan span,
                    const FrameLoopOptions *options, Progress *progress,
                    const volatile sig_atomic_t *stop, Diag *diag);
