// SPDX-License-Identifier: MIT
/*
 * frame_stages.h - the stages of a frame, and the CPU time of each
 *
 * Times are measured in laps: each lap adds the CPU time of the thread since the lap before to one
 * stage, so that the sum of all stages is the time of the frame.
 */
#pragma once

typedef enum FrameStage {
    STAGE_EVALUATE, /* motion, IK, physics; simulated frames count once each */
    STAGE_UPLOAD,   /* from here to STAGE_OTHER: drawing */
    STAGE_SKIN,
    STAGE_CLEAR,
    STAGE_SHADOW,
    STAGE_SURFACE,
    STAGE_EDGE,
    STAGE_RESOLVE,
    STAGE_READ,
    STAGE_EFFECTS, /* what effects of MikuMikuEffect draw */
    STAGE_LOOK,    /* accumulation, glow, grade, ... */
    STAGE_OTHER,   /* everything else; all of the renderer's work unless its stages are timed */
    STAGE_WRITE,   /* outputs that workers write */
    STAGE_ENCODE,  /* known for all frames together only */
    FRAME_STAGES
} FrameStage;

extern const char *const frame_stage_names[FRAME_STAGES]; /* "evaluate", ... */

typedef struct FrameTimes {
    double s[FRAME_STAGES];
    double lap_s; /* when the current lap began */
} FrameTimes;

void frame_times_start(FrameTimes *times);   /* clears all stages and begins a lap */
void frame_times_restart(FrameTimes *times); /* begins a lap; the time before it is not counted */
void frame_times_lap(FrameTimes *times, FrameStage stage);

void frame_times_add(FrameTimes *sum, const FrameTimes *times);
double frame_times_draw_s(const FrameTimes *times); /* sum of the stages of drawing */
