// SPDX-License-Identifier: MIT
/*
 * pose.h - `odori pose`: evaluated frames of a job as JSON
 *
 * One object with the bones of one model (inspect/README.md 6; `odori schema pose`).
 *
 * Or one object per frame with the keypoints of all models in an image of the job's size
 * (picture/passes/keypoint_json.h).  Nothing is drawn for them, so that no point is hidden.
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"
#include "record/result.h"
#include "scene/scene.h"

struct Evaluator;

extern const ResultTable pose_result;

typedef struct PoseOptions {
    const char *frames;   /* "0:300:15,10.5,m30,1s-2s", by default output frames */
    const char *model;    /* its id; NULL for the first model of the job */
    const char *vertices; /* output file for the skinned vertex positions of the last frame:
                           * float[3] each in the byte order of the machine, little-endian on all
                           * supported ones; or NULL */
    bool overwrite;       /* `vertices` may exist */
    bool openpose;        /* keypoints of all models instead */
} PoseOptions;

/* Textures are not loaded; only `vertices` needs OpenGL.  False after an error was reported. */
bool pose_run(FILE *out, const Job *job, const PoseOptions *options, Diag *diag);

/* Evaluates `frames` (motion frames, 30/s, in the given order) of model index `model` and writes
 * them as one object.  The evaluator may have limits.  False after an error was reported (DIAG_IO
 * if `out` cannot be written), or after a stop. */
bool pose_write_json(FILE *out, struct Evaluator *evaluator, const Scene *scene, size_t model,
                     const double *frames, size_t count, Diag *diag);

/*
 * Parses a list of times (record/option_parse.h) like "0:300:15,m10.5,1s-2s": single ones, ranges
 * of output frames, and first:last:step, where the last is included; parts without a unit have that
 * of the first.  At most 1,000,000.
 *
 * fps      frame rate of output frames
 * returns  motion frames, in the arena; NULL after an error was reported (DIAG_USAGE)
 */
double *pose_parse_frames(const char *text, size_t *count, Rational fps, Arena *arena, Diag *diag);
