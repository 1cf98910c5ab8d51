/*
 * demo_run.h - writes the built-in demo and selects it as the job
 */
#ifndef RUN_PIPELINE_DEMO_RUN_H
#define RUN_PIPELINE_DEMO_RUN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"

/*
 * Writes the demo's model, motions, tune and job into `directory`, and sets source->path to that
 * job.
 *
 * directory   NULL: source->output without its extension, "out/demo" for "out/demo.mp4"
 * hall     the job in the hall (demo/demo.h)
 * overwrite  replace files that an earlier run did not write
 * returns  false after an error
 */
bool demo_prepare(JobSource *source, const char *directory, bool hall, bool overwrite, Arena *arena,
                  Diag *diag);

#endif
