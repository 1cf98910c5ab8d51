// SPDX-License-Identifier: MIT
/*
 * plot.h - curves of a job as a chart: the camera path, or one bone at several frame rates
 *
 * The camera path (camera.path) is drawn from above, from the side and as one graph over time per
 * channel, with the weight of each rational segment and the ordinary cubic for comparison.  The
 * trajectory of a bone is drawn once per frame rate, each evaluated separately from the start as in
 * a film of that rate, so that the graphs show whether the rates agree.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"
#include "output/chart/chart.h"

/* The chart is in the arena.  False after an error was reported: DIAG_USAGE if the job has no
 * camera.path. */
bool plot_camera(Chart *out, const Job *job, Arena *arena, Diag *diag);

typedef struct PlotBoneOptions {
    const char *bone;
    const char *model; /* its id; NULL for the first model */
    const char *fps;   /* "24,30,60", at most CHART_MAX_LINES rates; NULL for the rate of the job */
    const char *frames; /* a range, "0-299", "m0-m149" or "0s-5s"; NULL for all */
} PlotBoneOptions;

bool plot_bone(Chart *out, const Job *job, const PlotBoneOptions *options, Arena *arena,
               Diag *diag);
