/*
 * pose_json.h - evaluated frames as one JSON object (inspect/README.md 6)
 *
 * {"format":"mmd-pose-1","model":{"name":..},"bones":[{"i","name","parent"}..],"morphs":[name..],
 *  "frames":[{"f","bones":[[tx,ty,tz,qx,qy,qz,qw]..],"morphs":[weight..],"camera":{..}}..]}
 *
 * Bone transforms are in world space (position in MMD units, rotation as a quaternion x y z w) and
 * include the placement of the model.  Morph weights are those of motion and job, before group
 * morphs are expanded.
 */
#ifndef INSPECT_POSE_JSON_H
#define INSPECT_POSE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"
#include "scene/scene.h"

struct Evaluator;

/* Evaluates `frames` (motion frames, 30/s, in the given order) of model index `model` and writes
 * them.  The evaluator may have limits.  False
 * after an error was reported (DIAG_IO if `out` cannot be written), or after a stop. */
bool pose_json_write(FILE *out, struct Evaluator *evaluator, const Scene *scene, size_t model,
                     const double *frames, size_t count, Diag *diag);

/*
 * Parses a list of times (job/option_parse.h) like "0:300:15,m10.5,1s-2s": single ones, ranges of
 * output frames, and first:last:step, where the last is included; parts without a unit have that of
 * the first.  At most 1,000,000.
 *
 * fps      frame rate of output frames
 * returns  motion frames, in the arena; NULL after an error was reported (DIAG_USAGE)
 */
double *pose_json_parse_frames(const char *text, size_t *count, JobRational fps, Arena *arena,
                               Diag *diag);

#endif
