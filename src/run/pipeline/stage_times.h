// SPDX-License-Identifier: MIT
/*
 * stage_times.h - CPU time of each stage of each frame
 *
 *     StageTimesLog log;
 *     const FrameObserver observer = stage_times_observe(&log, film, arena);
 *     ... frame_loop_run with this observer and time_stages ...
 *     stage_times_append(&log.list, file, diag);
 *
 * `render --times` appends them to CHECKPOINT_TIMES_NAME in the checkpoint directory, one line for
 * each frame; `report` shows them.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "run/pipeline/frame_loop.h"

typedef struct StageTimes {
    int64_t frame;
    FrameTimes times;
} StageTimes;

typedef ARENA_LIST(StageTimes) StageTimesList;

typedef struct StageTimesLog {
    StageTimesList list; /* in the order of evaluation */
    Arena *arena;
    bool simulated; /* the frames between two frames of the loop are evaluated, too */
    int64_t before; /* the frame before, or -1 */
} StageTimesLog;

/* `log` must outlive the observer. */
FrameObserver stage_times_observe(StageTimesLog *log, const Film *film, Arena *arena);

/* Appends to a file, or creates it.  No effect for an empty list. */
bool stage_times_append(const StageTimesList *list, const char *file, Diag *diag);

/* Reads such a file: frames in ascending order, the last line of each.  Other lines are ignored;
 * without a file the list is empty. */
StageTimesList stage_times_parse(Bytes bytes, Arena *arena);
StageTimesList stage_times_load(const char *file, Arena *arena);
