// SPDX-License-Identifier: MIT
/*
 * benchmark_run.h - measured time and size per frame, from a short sample of a film
 *
 * One worker renders the first frame of the film, then up to three runs of eight frames, at the
 * start, in the middle and at the end.  The difference between the first frame and the mean of the
 * others is the start-up cost.  Outputs are written to a temporary directory in TMPDIR, which is
 * removed.  Physics is computed from the first frame of the film, as for a render.
 */
#pragma once

#include <signal.h>

#include "inspect/resource_estimate.h"
#include "run/progress.h"

/*
 * load_s   duration of film_load in seconds
 * returns  false after an error was reported, or without an error if *stop became non-zero
 */
bool benchmark_run(FrameEstimate *frame, const Film *film, double load_s, Progress *progress,
                   const volatile sig_atomic_t *stop, Diag *diag);
