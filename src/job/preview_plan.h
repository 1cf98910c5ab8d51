/*
 * preview_plan.h - which frames a preview shows, and how large
 *
 * A sheet shows frames evenly spread over the film or a part of it, the first and the last included
 * (of one cell: the middle one); when there are fewer frames than cells, each once.  Pictures keep
 * the film's shape.  A still as wide as the film is the film's own frame; anything smaller is drawn at its
 * size, with supersample 2.
 */
#ifndef JOB_PREVIEW_PLAN_H
#define JOB_PREVIEW_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/film.h"

/* Fills film->previews from its job, frames and render options; types that come later are left
 * out, and (with a warning) a sheet of a part of which nothing is drawn.  Errors: DIAG_JOB. */
bool preview_plan(Film *film, Arena *arena, Diag *diag);

/* `count` frames of `from`, or all when it has fewer, spread as above; a range for each. */
JobFrames preview_spread(const JobFrames *from, int count, Arena *arena);

#endif
