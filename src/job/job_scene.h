// SPDX-License-Identifier: MIT
/*
 * job_scene.h - the scene that a job describes
 *
 * Everything is in the arena, or that of the job.
 */
#pragma once

#include "job/job.h"
#include "render/render_options.h"
#include "scene/scene.h"

/* The description of the scene that scene_load needs; stages come before models. */
SceneSpec job_scene_spec(const Job *job, bool textures, Arena *arena);

/* How the frames lie around the camera. */
PanoramaOptions job_panorama(const CameraSpec *camera);
