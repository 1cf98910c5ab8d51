/*
 * join.h - the last stage of a job: joins segments, renders previews, writes the report
 */
#ifndef RUN_PIPELINE_JOIN_H
#define RUN_PIPELINE_JOIN_H

#include <signal.h>

#include "base/progress.h"
#include "run/checkpoint/checkpoint.h"
#include "run/pipeline/sound_prefetch.h"

/*
 * Joins the outputs from their segments, renders the previews and writes the report.  Missing
 * frames are an error, DIAG_INCOMPLETE, with the list of their ranges.
 *
 * checkpoint  NULL: the outputs were written as whole files
 * sound       what is encoded of the sound, or NULL
 */
bool join_film(const Film *film, Checkpoint *checkpoint, const SoundPrefetch *sound,
               Progress *progress, const volatile sig_atomic_t *stop, Diag *diag);

/* The verb `join`: loads a job and calls join_film. */
bool join_run(const Job *job, const CheckpointOptions *options, Progress *progress,
              const volatile sig_atomic_t *stop, Diag *diag);

#endif
