/*
 * batch_report.h - a batch as a table, as JSON and as a page in Markdown
 */
#ifndef DISPATCH_BATCH_REPORT_H
#define DISPATCH_BATCH_REPORT_H

#include <stdio.h>

#include "dispatch/batch_run.h"

void batch_write_plan(FILE *out, const BatchPlan *plan);
void batch_write_results(FILE *out, const BatchPlan *plan, const BatchResult *results);

/* One object with all jobs; results NULL: the plan alone. */
void batch_write_json(FILE *out, const BatchPlan *plan, const BatchResult *results);

bool batch_save_summary(const char *path, const BatchPlan *plan, const BatchResult *results,
                        Diag *diag);

#endif
