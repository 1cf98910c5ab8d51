// SPDX-License-Identifier: MIT
/*
 * job_scene.h - the scene that a job describes, in plain values: times in motion frames, angles in
 * radians; each name of a model, bone or file has its location in the job file, for messages
 *
 * Values that a key leaves out are those of its model, or of `physics`.  Everything is in the
 * arena.
 */
#pragma once

#include "job/job.h"
#include "render/render_options.h"
#include "scene/scene.h"

/* The description of the scene that scene_load needs; stages come before models. */
SceneSpec job_scene_spec(const Job *job, bool textures, Arena *arena);

/* The key points of camera.path; NULL if there are none. */
const CameraPoint *job_scene_camera_points(const JobCamera *camera, Arena *arena);

/* How the frames lie around the camera. */
PanoramaOptions job_panorama(const JobCamera *camera);
