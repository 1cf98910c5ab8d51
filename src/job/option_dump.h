/*
 * option_dump.h - a job as YAML
 */
#ifndef JOB_OPTION_DUMP_H
#define JOB_OPTION_DUMP_H

#include <stdio.h>

#include "job/job.h"

/* Writes the whole job as YAML, with defaults and absolute paths.  Loading it gives the same job.
 */
void option_dump(FILE *out, const Job *job);

#endif
