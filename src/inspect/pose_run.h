/*
 * pose_run.h - `odori pose`: evaluated frames of one model as JSON
 */
#ifndef INSPECT_POSE_RUN_H
#define INSPECT_POSE_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"

typedef struct PoseOptions {
    const char *frames;   /* "0:300:15,10.5", motion frames, 30 a second */
    const char *model;    /* its id; NULL: the job's first model */
    const char *vertices; /* file for the skinned positions of the last frame, or NULL */
} PoseOptions;

/* Pictures are not loaded; only `vertices` needs OpenGL. */
bool pose_run(FILE *out, const Job *job, const PoseOptions *options, Diag *diag);

#endif
