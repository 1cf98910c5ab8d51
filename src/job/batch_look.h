/*
 * batch_look.h - what became of the jobs of a batch, by its results and by the jobs' own folders
 */
#ifndef JOB_BATCH_LOOK_H
#define JOB_BATCH_LOOK_H

#include "job/batch_result.h"

/* Fills in results[job_count].  What a job's own folder says counts more than the results file. */
bool batch_look(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

#endif
