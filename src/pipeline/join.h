/*
 * join.h - the last stage: pieces become the outputs, previews are drawn, the report is written
 */
#ifndef PIPELINE_JOIN_H
#define PIPELINE_JOIN_H

#include <signal.h>

#include "base/progress.h"
#include "checkpoint/checkpoint.h"

/* Outputs of the pieces, the previews, the report.  DIAG_INCOMPLETE, with the list of ranges, when
 * a picture is missing.  state NULL: the outputs were written as wholes. */
bool join_film(const Film *film, Checkpoint *state, Progress *progress,
               const volatile sig_atomic_t *stop, Diag *diag);

/* `odori join`: loads the job, joins, draws the previews and finishes the state. */
bool join_run(const Job *job, const CheckpointOptions *options, Progress *progress,
              const volatile sig_atomic_t *stop, Diag *diag);

#endif
