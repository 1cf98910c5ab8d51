/*
 * check.h - opens everything that a job names and tells every problem, draws nothing
 */
#ifndef INSPECT_CHECK_H
#define INSPECT_CHECK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"

/*
 * Text: the Diag tells the problems, and `out` gets one line of what the job is when there are
 * none. JSON: one object, {"job","ok","problems":[{"level","message"}..],"frames",..}; the Diag
 * stays silent.
 */
bool check_job(FILE *out, const JobSource *source, bool json, Diag *diag);

#endif
