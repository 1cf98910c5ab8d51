/*
 * summary.h - a Markdown page about a job, for example for a pull request
 *
 * The first preview as an image, and a table of length, size, models, motions, camera, sound,
 * outputs, warnings so far and credits.  Equal jobs give equal pages.
 */
#ifndef PIPELINE_SUMMARY_H
#define PIPELINE_SUMMARY_H

#include <stdbool.h>

#include "base/diag.h"
#include "film/film.h"

/* Writes the page to `path`; `approval` (or NULL) is asked before a file is replaced.  False after
 * an error. */
bool summary_write(const char *path, const Film *film, const FileApproval *approval, Diag *diag);

#endif
