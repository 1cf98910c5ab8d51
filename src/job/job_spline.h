/*
 * job_spline.h - the key points of a job: checks that concern several keys, and conversion for the
 * scene
 */
#ifndef JOB_JOB_SPLINE_H
#define JOB_JOB_SPLINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"
#include "job/option_read.h"
#include "scene/scene.h"

/* Checks all key points of a job: times ascend, directions are not zero.  `root` is the tree of the
 * job, for the places of errors. */
bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader);

/* Key points with times in motion frames and angles in radians; NULL if there are none. */
const CameraPoint *job_spline_camera(const JobCamera *camera, Arena *arena);
const LightPoint *job_spline_light(const JobLight *light, Arena *arena);
const PlacementPoint *job_spline_placement(const JobModel *model, Arena *arena);

#endif
