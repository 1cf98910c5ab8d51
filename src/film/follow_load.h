// SPDX-License-Identifier: MIT
/*
 * follow_load.h - the path of a camera that follows models, from a job and its loaded scene
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"
#include "scene/scene.h"

/* Sets scene->camera_reframe if the job's camera motion is for frames of another shape. */
void reframe_load(Scene *scene, const Job *job, Arena *arena);

/*
 * Sets that, and scene->camera_follow if the job's camera follows models; job_load has checked its
 * keys.  Reads the sound of the job if cuts are on its beats, and fails if that cannot be read.
 * scene_load comes before, as the path covers the motions up to scene->last_frame.
 */
bool follow_load(Scene *scene, const Job *job, Arena *arena, Diag *diag);
