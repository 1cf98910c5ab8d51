/*
 * benchmark_run.h - what a frame takes, measured by drawing a few
 *
 * One worker draws the film's first frame, and then runs of pictures at its start, in its middle
 * and at its end; what the first costs more than the others is the cost of a start.  Outputs go
 * into a folder for temporary files (TMPDIR), which is taken away.  Where there is physics it is
 * computed from the start of the film on, as for a render.
 */
#ifndef INSPECT_BENCHMARK_RUN_H
#define INSPECT_BENCHMARK_RUN_H

#include <signal.h>
#include <stdbool.h>

#include "film/resource_estimate.h"
#include "base/progress.h"

/*
 * load_s   seconds that film_load took
 * false    after an error, or without one when *stop was set
 */
bool benchmark_run(FrameEstimate *frame, const Film *film, double load_s, Progress *progress,
                   const volatile sig_atomic_t *stop, Diag *diag);

#endif
