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
