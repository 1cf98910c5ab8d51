// SPDX-License-Identifier: MIT
/*
 * check.h - loads a job with all its assets and reports every problem, without rendering
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "inspect/problem_report.h"
#include "job/job.h"

typedef struct CheckOptions {
    ReportFormat format;
    const char *junit; /* file of a JUnit report, or NULL */
    /* Called when the job is parsed, before an asset is read; false ends the check.  May be NULL.
     */
    bool (*parsed)(void *user, Job *job, Diag *diag);
    void *user;
} CheckOptions;

/*
 * Text: problems are reported to the Diag; if there is no error, `out` receives one line that
 * describes the job, and what was found in it.  JSON: `out` receives one object
 * (inspect/check_result.h), GitHub: one annotation for each problem (inspect/problem_report.h); the
 * sink of the Diag receives no message then.
 *
 * returns  whether the job loads without an error
 */
bool check_job(FILE *out, const JobSource *source, const CheckOptions *options, Diag *diag);
