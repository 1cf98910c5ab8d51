/*
 * point_spec.h - the key points of a job, for the scene: times in motion frames, angles in radians
 *
 * NULL if there are none.  Everything is in the arena.
 */
#ifndef JOB_SCENE_SPEC_POINT_SPEC_H
#define JOB_SCENE_SPEC_POINT_SPEC_H

#include "job/job.h"
#include "scene/key_spline.h"

const CameraPoint *point_spec_camera(const JobCamera *camera, Arena *arena);
const LightPoint *point_spec_light(const JobLight *light, Arena *arena);
const PlacementPoint *point_spec_placement(const JobModel *model, Arena *arena);

#endif
