/*
 * problem_list.h - the errors and warnings of a run, kept for a report
 *
 *     ProblemList problems = {.arena = arena};
 *     diag->observer = problem_list_observe;
 *     diag->observer_user = &problems;
 *
 * The list and its texts are in the arena.  Not thread-safe.
 */
#pragma once

#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"

typedef struct ProblemList {
    DiagMessage *items;
    size_t count, capacity;
    Arena *arena;
} ProblemList;

/* Appends a copy.  Notes are ignored. */
void problem_list_add(ProblemList *list, const DiagMessage *message);

/* A DiagObserver whose `user` is a ProblemList. */
void problem_list_observe(void *user, const DiagMessage *message);

/* "job.yaml:4:11"; only the file if the line is not known; `otherwise` without a file. */
const char *problem_location(const DiagMessage *message, const char *otherwise, Arena *arena);

/* "MESSAGE; HINT" */
const char *problem_text(const DiagMessage *message, Arena *arena);
