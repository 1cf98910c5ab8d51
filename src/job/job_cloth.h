/*
 * job_cloth.h - the cloth of a job: what its table cannot say, and what the scene shall make of it
 */
#ifndef JOB_JOB_CLOTH_H
#define JOB_JOB_CLOTH_H

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"
#include "job/option_read.h"

/* False: told what is missing or given twice. */
bool job_cloth_check(const Job *job, const YamlNode *root, OptionReader *reader);

/* Sets spec->cloths. */
void job_cloth_specs(SceneSpec *spec, const Job *job, Arena *arena);

#endif
