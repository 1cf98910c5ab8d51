/*
 * demo_run.h - the built-in demo as something to render
 */
#ifndef PIPELINE_DEMO_RUN_H
#define PIPELINE_DEMO_RUN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

/*
 * Writes the demo's model, motions, tune and job into `folder` and points the source at that job.
 *
 * folder   NULL: named as source->output without its ending, "out/demo" for "out/demo.mp4"
 */
bool demo_prepare(JobSource *source, const char *folder, Arena *arena, Diag *diag);

#endif
