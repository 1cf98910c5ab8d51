// SPDX-License-Identifier: MIT
/*
 * run_result.h - what a verb did, as one JSON object on standard output (--json)
 *
 * Verbs that find something print their own object (Verb.schema); the others print this one at
 * their end, and so does every verb that fails before it has printed anything.
 */
#pragma once

#include <stdio.h>

#include "base/problem_list.h"
#include "record/result.h"
#include "run/pipeline/frame_loop.h"
#include "run/progress.h"

extern const ResultTable run_result;

/* What is known at the end of a verb. */
typedef struct RunFacts {
    const char *verb;  /* or NULL */
    const char *job;   /* its name, or NULL */
    const char *text;  /* what the verb prints without --json, or NULL */
    int status;        /* exit status */
    unsigned warnings; /* counted, also those that were not shown */
    const RenderReport *report;
    const ProblemList *problems;
    Progress *progress;
} RunFacts;

void run_result_print(FILE *out, const RunFacts *facts, Arena *arena);
