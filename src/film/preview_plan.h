/*
 * preview_plan.h - which frames a preview shows, and how large
 *
 * A sheet shows frames evenly spread over the film or a part of it, the first and the last included
 * (of one cell: the middle one); when there are fewer frames than cells, each once.  An animation
 * shows the frames nearest to its own, slower rate, from the first of its part on; a film without
 * frames between two of its ranges has no pause there.  Pictures keep the film's shape.  A still or
 * an animation as wide as the film shows the film's own frames; anything smaller is drawn at its
 * size, with supersample 2.
 */
#ifndef FILM_PREVIEW_PLAN_H
#define FILM_PREVIEW_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"

/* Fills film->previews from its job, frames and render options; what shows a part of which
 * nothing is drawn is left out, with a warning.  Errors: DIAG_JOB. */
bool preview_plan(Film *film, Arena *arena, Diag *diag);

/* `count` frames of `from`, or all when it has fewer, spread as above; a range for each. */
JobFrames preview_spread(const JobFrames *from, int count, Arena *arena);

/* Of frames that pass at the rate `fps`, those nearest to every step of the rate `slower`;
 * likewise. */
JobFrames preview_steps(const JobFrames *from, JobRational fps, JobRational slower, Arena *arena);

#endif
