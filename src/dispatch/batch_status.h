/*
 * batch_status.h - states of the jobs of a batch, from its results and the checkpoint directories
 * of the jobs
 */
#ifndef DISPATCH_BATCH_STATUS_H
#define DISPATCH_BATCH_STATUS_H

#include "dispatch/batch_result.h"

/* Sets results[job_count].  The checkpoint directory of a job has precedence over the results file.
 * False after an error was reported. */
bool batch_status(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

#endif
