// SPDX-License-Identifier: MIT
/*
 * job_check.h - rules of a job that concern several keys
 *
 * Each error is at the keys that it is about.
 */
#pragma once

#include "format/yaml.h"
#include "job/job.h"
#include "job/option_read.h"

/* Checks a job that was read from `root`, and sets what follows from other keys: its name, ids of
 * models, samples.  complete: reading found no error, so that every key has a value. */
bool job_check(Job *job, const YamlNode *root, bool complete, OptionReader *reader);

/* The motion frame of a key point, of which one is given and the other is NaN, rounded to a
 * millionth, so that 0.1 s is exactly frame 3. */
double job_point_frame(double time_s, double frame);
