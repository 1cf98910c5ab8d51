// SPDX-License-Identifier: MIT
/*
 * status.h - progress of a job, read from its checkpoint directory
 *
 * Reads ledgers, locks and file sizes only; the contents of stills and segments are not read, so
 * damage that keeps the size of a file is not detected (verify.h does that).
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "job/job.h"
#include "record/result.h"

extern const ResultTable status_result; /* what the JSON form contains */

/*
 * Writes completed and missing frames, outputs and shards, as text or as one JSON object.
 *
 * job      the job of the directory, to detect changes since the last run; NULL if only the
 *          directory is known
 * directory   the checkpoint directory; NULL for the default one of the job
 * returns  whether all outputs are complete and the job is unchanged.  If not, no error is reported
 *          to the Diag, but its kind is DIAG_INCOMPLETE.  Also false after an error was reported.
 */
bool status_write(FILE *out, const Job *job, const char *directory, bool json, Diag *diag);

/* Summary for a table of many jobs. */
typedef struct StatusSummary {
    bool started;         /* the checkpoint directory exists */
    bool finished;        /* all outputs are complete and the job is unchanged */
    bool changed;         /* the directory belongs to another job; the fields below are not set */
    bool running;         /* a process is rendering it */
    int64_t frames, done; /* done: completed in all outputs */
} StatusSummary;

/* False after an error was reported. */
bool status_summarize(StatusSummary *summary, const Job *job, Arena *arena, Diag *diag);

typedef enum RecordState { RECORD_FINISHED, RECORD_RUNNING, RECORD_UNFINISHED } RecordState;

/* Whether the film of a checkpoint directory is finished, or a process is rendering it.  False
 * after an error was reported. */
bool status_find_state(RecordState *state, const char *directory, Arena *arena, Diag *diag);
