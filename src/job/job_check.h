// SPDX-License-Identifier: MIT
/*
 * job_check.h - rules of a job that concern several keys
 *
 * Each error is at the keys that it is about.
 */
#pragma once

#include "job/job.h"
#include "record/option_read.h"
#include "record/yaml.h"

/* Checks a job that was read from `root`, and sets what follows from other keys: its name, ids of
 * models, samples.  complete: reading found no error, so that every key has a value.  names_only:
 * JobSource has it, and which motion is a camera's is not known. */
bool job_check(Job *job, const YamlNode *root, bool complete, bool names_only,
               OptionReader *reader);

/* The motion frame of a key point, of which one is given and the other is NaN, rounded to a
 * millionth, so that 0.1 s is exactly frame 3. */
double job_point_frame(double time_s, double frame);
