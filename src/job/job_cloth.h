/*
 * job_cloth.h - the cloth of a job: checks that concern several keys
 */
#ifndef JOB_JOB_CLOTH_H
#define JOB_JOB_CLOTH_H

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"
#include "job/option_read.h"

/* Reports cloth without, or with both, of material and shape, and shapes without pin bones. */
bool job_cloth_check(const Job *job, const YamlNode *root, OptionReader *reader);

#endif
