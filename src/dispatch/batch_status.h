/*
 * batch_status.h - what became of the jobs of a batch, by its results and by the jobs' own folders
 */
#ifndef DISPATCH_BATCH_STATUS_H
#define DISPATCH_BATCH_STATUS_H

#include "dispatch/batch_result.h"

/* Fills in results[job_count].  What a job's own folder says counts more than the results file. */
bool batch_status(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

#endif
