/*
 * option_trace.h - which keys of a job are set, and by whom
 *
 * While a job is read, each key that has a value of its own, not the table's default, leaves one
 * JobValue.  So `odori plan` can say where everything comes from.
 */
#ifndef JOB_OPTION_TRACE_H
#define JOB_OPTION_TRACE_H

#include "base/arena.h"
#include "format/yaml.h"
#include "job/job.h"

typedef struct OptionTrace {
    JobValue *items;
    size_t count, room;
} OptionTrace;

/* `name`: the key with its dots. */
void option_trace(OptionTrace *trace, const char *name, const YamlNode *node, Arena *arena);

#endif
