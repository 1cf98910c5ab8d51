/*
 * bake_run.h - a job and its bake: what it depends on, writing it, and frames from it
 */
#ifndef PIPELINE_BAKE_RUN_H
#define PIPELINE_BAKE_RUN_H

#include <signal.h>

#include "evaluate/frame.h"
#include "pipeline/bake.h"
#include "film/film.h"
#include "base/progress.h"
#include "checkpoint/checkpoint.h"

/*
 * Everything that evaluation depends on: the bytes of models and motions, and the values of the job
 * that reach a FrameState; never names of files, sizes, outputs.  Rises with EVALUATE_VERSION.
 */
bool bake_info(BakeInfo *info, const Job *job, const SceneSpec *spec, const Scene *scene,
               JobFrames frames, Diag *diag);

/* Writes the bake of a job's frames to `path`.  *stop as in render_job. */
bool bake_run(const Job *job, const char *path, Progress *progress,
              const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* The same into the job's state, from where its shards take it. */
bool bake_run_state(const Job *job, const CheckpointOptions *options, Progress *progress,
                    const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Where a run takes its states from: a bake if the job names one, else evaluation. */
typedef struct FrameStateSource {
    Bake *bake;
    Evaluator *evaluator;
    FrameState *state;
    const Film *film;
    Progress *progress; /* ticks while physics catches up */
    const volatile sig_atomic_t *stop;
    int64_t at; /* the last frame that was evaluated */
} FrameStateSource;

/* state: its bake serves a job that names none, if it is there; or NULL. */
bool frame_state_source_open(FrameStateSource *source, const Film *film, const Checkpoint *state,
                             Progress *progress, const volatile sig_atomic_t *stop, Arena *arena,
                             Diag *diag);

/* A frame far ahead is reached in short steps, so that a stop is heard; false then, without an
 * error. */
bool frame_state_source_write(void *packed, FrameStateSource *source, int64_t frame, Diag *diag);
void frame_state_source_close(FrameStateSource *source);

#endif
