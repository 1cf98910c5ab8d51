/*
 * option_trace.h - the keys of a job that are not defaults, and where each was set
 *
 * While a job is read, each key with a value of its own adds one JobValue.  `odori plan` prints
 * them.
 */
#ifndef JOB_OPTION_TRACE_H
#define JOB_OPTION_TRACE_H

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"

typedef ARENA_LIST(JobValue) OptionTrace;

/* Adds a value; `name` is its dotted key. */
void option_trace(OptionTrace *trace, const char *name, const YamlNode *node, Arena *arena);

#endif
