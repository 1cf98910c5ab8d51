// SPDX-License-Identifier: MIT
#include "render/frame_stages.h"

#include "base/clock.h"

const char *const frame_stage_names[FRAME_STAGES] = {
    [STAGE_EVALUATE] = "evaluate", [STAGE_UPLOAD] = "upload",   [STAGE_SKIN] = "skin",
    [STAGE_CLEAR] = "clear",       [STAGE_SHADOW] = "shadow",   [STAGE_SURFACE] = "surface",
    [STAGE_EDGE] = "edge",         [STAGE_RESOLVE] = "resolve", [STAGE_READ] = "read",
    [STAGE_EFFECTS] = "effects",   [STAGE_LOOK] = "look",       [STAGE_OTHER] = "other",
    [STAGE_WRITE] = "write",       [STAGE_ENCODE] = "encode",
};

void frame_times_start(FrameTimes *times)
{
    *times = (FrameTimes){.lap_s = clock_thread_cpu_s()};
}

void frame_times_restart(FrameTimes *times)
{
    times->lap_s = clock_thread_cpu_s();
}

void frame_times_lap(FrameTimes *times, FrameStage stage)
{
    const double now = clock_thread_cpu_s();
    times->s[stage] += now - times->lap_s;
    times->lap_s = now;
}

void frame_times_add(FrameTimes *sum, const FrameTimes *times)
{
    for (int i = 0; i < FRAME_STAGES; i++)
        sum->s[i] += times->s[i];
}

double frame_times_draw_s(const FrameTimes *times)
{
    double sum = 0;
    for (int i = STAGE_UPLOAD; i <= STAGE_OTHER; i++)
        sum += times->s[i];
    return sum;
}
