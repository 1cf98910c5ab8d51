/*
 * pose_openpose.h - keypoints of evaluated frames, one JSON object per line
 * (render/passes/openpose.h)
 */
#ifndef INSPECT_POSE_OPENPOSE_H
#define INSPECT_POSE_OPENPOSE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"
#include "scene/scene.h"

struct Evaluator;

/* Of all models, for images of the job's size.  Nothing is drawn, so that no point is hidden.
 * frames  motion frames.  False as pose_json_write. */
bool pose_openpose_write(FILE *out, struct Evaluator *evaluator, const Scene *scene, const Job *job,
                         const double *frames, size_t count, Diag *diag);

#endif
