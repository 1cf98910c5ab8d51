/*
 * summary.h - a page about a job for a pull request, in Markdown
 *
 * The first preview as a picture, and a table: length, size, models, motions, camera, sound,
 * outputs, warnings so far, credits.  The same job gives the same page.
 */
#ifndef PIPELINE_SUMMARY_H
#define PIPELINE_SUMMARY_H

#include <stdbool.h>

#include "base/diag.h"
#include "film/film.h"

bool summary_write(const char *path, const Film *film, Diag *diag);

#endif
