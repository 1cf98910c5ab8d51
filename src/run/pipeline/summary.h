// SPDX-License-Identifier: MIT
/*
 * summary.h - a Markdown page about a job, for example for a pull request
 *
 * The previews as images, a table of the facts of the film (run/pipeline/film_facts.h), outputs and
 * credits, and the warnings so far with their classes and places.  Equal jobs give equal pages.
 */
#pragma once

#include "base/diag.h"
#include "base/file.h"
#include "base/problem_list.h"
#include "film/film_types.h"

/* Writes the page to `path`; `approval` (or NULL) is asked before a file is replaced.  problems: of
 * the run so far, errors are skipped.  False after an error. */
bool summary_write(const char *path, const Film *film, const ProblemList *problems,
                   const FileApproval *approval, Diag *diag);
