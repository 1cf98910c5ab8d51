/*
 * plot.h - curves of a job as SVG: the path of its camera, or of one bone at several frame rates
 *
 * The camera's path (camera.path) is drawn from above, from the side and number by number over
 * time, with the weight of each segment, beside the ordinary cubic.  A bone's way is drawn once for
 * each frame rate, each evaluated by itself from the start as a film of that rate is, so that they
 * can be seen to be one curve.
 */
#ifndef INSPECT_PLOT_H
#define INSPECT_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"

/* Fails (DIAG_USAGE) when the job has no camera.path. */
bool plot_camera(FILE *out, const Job *job, Diag *diag);

typedef struct PlotBoneOptions {
    const char *bone;
    const char *model;  /* its id; NULL: the first */
    const char *fps;    /* "24,30,60"; NULL: the job's */
    const char *frames; /* motion frames "0-299"; NULL: all */
} PlotBoneOptions;

bool plot_bone(FILE *out, const Job *job, const PlotBoneOptions *options, Diag *diag);

#endif
