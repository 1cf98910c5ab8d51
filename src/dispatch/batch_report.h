// SPDX-License-Identifier: MIT
/*
 * batch_report.h - writes plans and results of a batch as table, JSON or Markdown
 */
#pragma once

#include <stdio.h>

#include "dispatch/batch_run.h"
#include "record/result.h"

extern const ResultTable batch_result; /* what the JSON form contains */

void batch_write_plan(FILE *out, const BatchPlan *plan);
void batch_write_results(FILE *out, const BatchPlan *plan, const BatchResult *results);

/* One object with all jobs; results may be NULL for a plan. */
void batch_write_json(FILE *out, const BatchPlan *plan, const BatchResult *results);

/* Writes the results to a Markdown file.  False after an error was reported. */
bool batch_save_summary(const char *path, const BatchPlan *plan, const BatchResult *results,
                        bool overwrite, Diag *diag);
