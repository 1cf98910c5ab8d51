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
    const char *frames; /* "0:300:15,10.5,m30,1s-2s", by default output frames */
    const char *model;  /* its id; NULL for the first model of the job */
    const char
        *vertices;  /* output file for the skinned vertex positions of the last frame, or NULL */
    bool overwrite; /* `vertices` may exist */
    bool openpose;  /* keypoints of all models instead (pose_openpose.h) */
} PoseOptions;

/* Textures are not loaded; only `vertices` needs OpenGL.  False after an error was reported. */
bool pose_run(FILE *out, const Job *job, const PoseOptions *options, Diag *diag);

#endif
