// SPDX-License-Identifier: MIT
#include "base/scheduler.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#define SCHEDULER(text, ...) {.name = (text), __VA_ARGS__},
const Scheduler schedulers[] = {
#include "base/scheduler.inc"
    {0}};
#undef SCHEDULER

#define SCHEDULER(text, ...) text,
const char *const scheduler_names[] = {
#include "base/scheduler.inc"
    NULL};

const Scheduler *scheduler_find(const char *name)
{
    for (const Scheduler *row = schedulers; row->name; row++)
        if (!strcmp(row->name, name))
            return row;
    return NULL;
}

bool scheduler_has_array(const Scheduler *scheduler)
{
    const char *index = scheduler->index ? getenv(scheduler->index) : NULL;
    return index && (!scheduler->outside || strcmp(index, scheduler->outside) != 0);
}
