// SPDX-License-Identifier: MIT
/*
 * check_result.h - what `check --json` contains: the problems and, of a job that loads, its film
 */
#pragma once

#include <stdio.h>

#include "film/film_types.h"
#include "inspect/problem_report.h"

extern const ResultTable check_result;

/* film: NULL if the job does not load */
void check_write_json(FILE *out, const char *job, const Film *film, const ProblemList *problems);

/* Models of all scenes. */
size_t check_count_models(const Film *film);
