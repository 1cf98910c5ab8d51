// SPDX-License-Identifier: MIT
/*
 * scheduler.h - the schedulers of clusters and farms
 *
 * One table: which variables of its environment tell a process its place in an array of tasks, its
 * cores and its memory, and which commands submit and cancel jobs.  --shard auto, the scripts of
 * `odori submit`, the number of cores and the variables that the sandbox keeps follow from it.
 * All variables are texts of digits; a row names those that its scheduler has, the others are NULL.
 */
#pragma once

#include <stdbool.h>

typedef struct Scheduler {
    const char *name; /* of submit --to */
    const char *title;
    const char *index;            /* number of the task; NULL: no arrays */
    const char *outside;          /* its value outside of arrays, if it is set there */
    int first;                    /* number of the first of all tasks */
    const char *count;            /* number of tasks */
    const char *begin, *end;      /* numbers of the first and of the last task of the array */
    const char *step;             /* distance between their numbers */
    const char *cores;            /* cores of the task */
    const char *memory_mib;       /* its memory, in MiB */
    const char *command, *cancel; /* of a shell; NULL: no script submits to it, cancels jobs */
    const char *late; /* signal to the first process of a task alone: its end is near; NULL: USR2 */
    const char
        *failed; /* exit status that holds the jobs which wait for this one; NULL: any but 0 */
} Scheduler;

/* All rows; ends with one without a name. */
extern const Scheduler schedulers[];

/* Their names, ended by NULL. */
extern const char *const scheduler_names[];

/* The row with this name; NULL: none. */
const Scheduler *scheduler_find(const char *name);

/* Whether this process is a task of an array of the scheduler. */
bool scheduler_has_array(const Scheduler *scheduler);
