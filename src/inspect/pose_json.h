/*
 * pose_json.h - evaluated frames as one JSON object (design, 6)
 *
 * {"format":"mmd-pose-1","model":{"name":..},"bones":[{"i","name","parent"}..],"morphs":[name..],
 *  "frames":[{"f","bones":[[tx,ty,tz,qx,qy,qz,qw]..],"morphs":[weight..],"camera":{..}}..]}
 *
 * Bones are where they are in the world, with the model's placement; weights are as motion and job
 * set them, groups not spread.
 */
#ifndef INSPECT_POSE_JSON_H
#define INSPECT_POSE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/diag.h"
#include "scene/scene.h"

/* Evaluates `frames` (30 a second, in the order given) and writes; false when `out` cannot be
 * written. */
bool pose_json_write(FILE *out, const Scene *scene, size_t model, const double *frames,
                     size_t count, Diag *diag);

/* Frames of a text like "0:300:15,10.5": single ones, and first:last:step with the last included.
 * NULL when it is not such a text (told); the array is in the arena. */
double *pose_frames_parse(const char *text, size_t *count, Arena *arena, Diag *diag);

#endif
