// SPDX-License-Identifier: MIT
/*
 * preview_plan.h - chooses the frames and the size of each preview
 *
 * A sheet shows frames that are evenly distributed over the film or a part of it, from the first to
 * the last (for a single cell: the middle one); if there are fewer frames than cells, each once. An
 * animation shows the frames nearest to its own, lower frame rate; gaps between the ranges of a
 * film are skipped.  Previews keep the aspect ratio of the film.  A still or an animation as wide
 * as the film shows the frames of the film; anything smaller is rendered at its size with
 * 2 x 2 samples per pixel.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "job/job.h"

/* Fills film->previews from its job, frames and render options.  A preview of a part without frames
 * is skipped with a warning.  Errors: DIAG_JOB. */
bool preview_plan(Film *film, Arena *arena, Diag *diag);

/* `count` evenly distributed frames of `from`, or all if it has fewer; one range per frame. */
FrameRanges preview_spread(const FrameRanges *from, int count, Arena *arena);

/* The frames at the rate `fps` that are nearest to each frame at the rate `slower`; one range per
 * frame. */
FrameRanges preview_steps(const FrameRanges *from, Rational fps, Rational slower, Arena *arena);
