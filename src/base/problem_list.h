// SPDX-License-Identifier: MIT
/*
 * problem_list.h - the errors and warnings of a run, kept for a report
 *
 *     ProblemList problems = {.arena = arena};
 *     diag->observer = problem_list_add;
 *     diag->observer_user = &problems;
 *
 * The list and its texts are in the arena.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"

typedef struct ProblemList {
    DiagMessage *items;
    size_t count, capacity;
    Arena *arena;
} ProblemList;

/* Appends a copy, in parts only.  Notes are ignored.  A DiagSink, whose `user` is the ProblemList.
 */
void problem_list_add(void *list, const DiagMessage *message);

/* "job.yaml:4:11"; only the file if the line is not known; `otherwise` without a file. */
const char *problem_location(const DiagMessage *message, const char *otherwise, Arena *arena);

/* "MESSAGE; HINT" */
const char *problem_text(const DiagMessage *message, Arena *arena);
