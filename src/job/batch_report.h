/*
 * batch_report.h - a batch as a table, as JSON and as a page in Markdown
 */
#ifndef JOB_BATCH_REPORT_H
#define JOB_BATCH_REPORT_H

#include <stdio.h>

#include "job/batch_run.h"

void batch_put_plan(FILE *out, const BatchPlan *plan);
void batch_put_results(FILE *out, const BatchPlan *plan, const BatchResult *results);

/* One object with all jobs; results NULL: the plan alone. */
void batch_put_json(FILE *out, const BatchPlan *plan, const BatchResult *results);

bool batch_save_summary(const char *path, const BatchPlan *plan, const BatchResult *results,
                        Diag *diag);

#endif
