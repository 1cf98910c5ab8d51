// SPDX-License-Identifier: MIT
/*
 * bake_run.h - the bake of a job: its digest, writing it, and the source of frame states
 */
#pragma once

#include <signal.h>

#include "film/film_types.h"
#include "run/checkpoint/checkpoint.h"
#include "run/pipeline/bake.h"
#include "run/progress.h"

/*
 * Computes the digest of everything that evaluation depends on: EVALUATE_VERSION, and the values
 * and the contents of the files of all keys whose stage is STAGE_EVALUATION (record/options.h).
 */
bool bake_info(BakeInfo *info, const Film *film, Diag *diag);

/* Writes the bake of a job's frames to `path`.  *stop as in frame_loop_run. */
bool bake_run(const Job *job, const char *path, bool overwrite, Progress *progress,
              const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* The same into the job's checkpoint directory, where its shards find it. */
bool bake_run_checkpoint(const Job *job, const CheckpointOptions *options, Progress *progress,
                         const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Source of the frame states of a run: a bake, or evaluation.  Fields are private. */
typedef struct FrameStateSource {
    Bake *bake;
    struct FramePacker **packers; /* without a bake: [scene_count] of the scenes that are shown */
    bool follows;                 /* cameras that follow models are in the states */
    const Film *film;
    Progress *progress;
    const volatile sig_atomic_t *stop;
} FrameStateSource;

/* checkpoint: its bake is used for a job that names no bake file; or NULL. */
bool frame_state_source_open(FrameStateSource *source, const Film *film,
                             const Checkpoint *checkpoint, Progress *progress,
                             const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Writes the packed states of a frame (film_state_bytes); frames must increase.  Polls *stop while
 * it evaluates the frames before: a value other than 0 makes it return false without an error. */
bool frame_state_source_read(void *packed, FrameStateSource *source, int64_t frame, Diag *diag);
void frame_state_source_close(FrameStateSource *source);
