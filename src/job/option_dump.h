/*
 * option_dump.h - a job as YAML, and as a list of keys and values
 */
#ifndef JOB_OPTION_DUMP_H
#define JOB_OPTION_DUMP_H

#include <stdio.h>

#include "job/job.h"
#include "job/options.h"

/* Writes the whole job as YAML, with defaults and absolute paths.  Loading it gives the same job.
 */
void option_dump(FILE *out, const Job *job);

/*
 * Calls `visit` for every key of a job, with defaults, as "models.0.scale" with its value in YAML.
 * For a list the value is its length, followed by the keys of its items; for an optional section
 * "given" or "null".  The texts are valid during the call only.
 */
typedef void OptionVisitor(void *user, const char *dotted, const char *value,
                           OptionAffects affects);
void option_each(const Job *job, OptionVisitor *visit, void *user);

#endif
