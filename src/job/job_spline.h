/*
 * job_spline.h - the key points of a job: checks that concern several keys
 */
#ifndef JOB_JOB_SPLINE_H
#define JOB_JOB_SPLINE_H

#include <stdbool.h>

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"
#include "job/option_read.h"

/* Checks all key points of a job: times ascend, directions are not zero.  `root` is the tree of the
 * job, for the places of errors. */
bool job_spline_check(const Job *job, const YamlNode *root, OptionReader *reader);

/* The motion frame of a key point, of which one is given and the other is NaN, rounded to a
 * millionth, so that 0.1 s is exactly frame 3. */
double job_point_frame(double time_s, double frame);

#endif
