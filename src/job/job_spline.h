/*
 * job_spline.h - the points of paths: what the table of keys cannot check, and their way to the
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

/* Every path of a job: moments rise, cameras look somewhere.  `root`: the job's tree, for the
 * places. */
bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader);

/* Frames and radians for what the file has in seconds and degrees.  NULL when there are no points.
 */
const CameraPoint *job_spline_camera(const JobCamera *camera, Arena *arena);
const LightPoint *job_spline_light(const JobLight *light, Arena *arena);
const PlacementPoint *job_spline_place(const JobModel *model, Arena *arena);

#endif
