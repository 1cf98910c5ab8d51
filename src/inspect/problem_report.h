// SPDX-License-Identifier: MIT
/*
 * problem_report.h - problems as JSON, as annotations of GitHub and as JUnit XML
 *
 *   github  "::error file=job.yaml,line=4,col=11,title=job::..." on standard output, one line each:
 *           a GitHub workflow shows them at the lines of a change
 *   junit   a file with a test case for each problem, of which errors are failures, and one for
 * each subject without an error; most CI systems show it
 *
 * Names in texts come from files: in each form they are escaped, so that none ends the line, the
 * property or the element in which it appears.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/problem_list.h"
#include "record/result.h"

typedef enum ReportFormat { REPORT_TEXT, REPORT_JSON, REPORT_GITHUB } ReportFormat;

/* A message as a result: what is not known is NULL or -1. */
typedef struct Problem {
    DiagLevel severity;
    const char *code, *file, *message, *hint;
    int line, column;
} Problem;

extern const ResultTable Problem_result;

/* An array of as many as the list has. */
Problem *problem_list_results(const ProblemList *list, Arena *arena);

void problem_list_write_github(FILE *out, const ProblemList *list);

/*
 * Writes a JUnit file.  An existing file is replaced only if it is a JUnit report, too
 * (DIAG_CREATE).
 *
 * suite     "check"
 * subjects  [count] names of the inspected files; each becomes a test case that passes unless
 * `failed`
 */
typedef struct JunitReport {
    const char *suite;
    const char *const *subjects;
    size_t subject_count;
    bool failed;
} JunitReport;

bool problem_list_save_junit(const char *path, const ProblemList *list, const JunitReport *report,
                             Diag *diag);
