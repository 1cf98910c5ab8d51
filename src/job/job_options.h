// SPDX-License-Identifier: MIT
/*
 * job_options.h - the one table of all keys of a job file
 *
 * Made of the declarations in job/keys/; job/README.md 2 describes how to add a key.
 */
#pragma once

#include "job/job.h"
#include "record/options.h"

extern const OptionTable option_job;

/* The row of a dotted key of a job; NULL if there is no such key. */
const Option *option_at(const char *dotted);
