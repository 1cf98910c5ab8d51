// SPDX-License-Identifier: MIT
/*
 * batch_result.h - states of the jobs of a batch, and the file that records them
 *
 * results.jsonl in the directory of the batch has one line for each start and end of a job:
 *
 *   {"job":"miku-final","key":"9c..","state":"failed","tries":3,"exit":66,"frames":120,
 *    "wall_s":12.5,"message":"models/miku.pmx: cannot open: No such file or directory"}
 *
 * The last line of a job is valid; an incomplete last line is ignored, and so are lines whose key
 * differs because the manifest has changed.  The file is a record for users and for `odori batch
 * status`; completed frames are recorded in the checkpoint directories of the jobs.
 */
#pragma once

#include "dispatch/batch_plan.h"

typedef enum BatchState {
    BATCH_WAITING,
    BATCH_RUNNING,
    BATCH_DONE,
    BATCH_FAILED,
    BATCH_STOPPED,  /* by a signal to the batch, or removed from the queue; resumed by the next run
                     */
    BATCH_SUBMITTED /* to Slurm; the message contains the job numbers */
} BatchState;

extern const char *const batch_state_names[]; /* by BatchState, ends with NULL */

typedef struct BatchResult {
    BatchState state;
    int tries;
    int exit_status; /* exit status of the last run; 128 + N after signal N */
    int64_t frames;  /* number of frames of the job; -1 if unknown */
    int64_t
        rendered; /* completed frames in its checkpoint directory; -1 if unknown; not in the file */
    double wall_s;       /* wall time of all runs, seconds */
    const char *message; /* reason of the failure or submitted job numbers, or NULL */
} BatchResult;

/* results[i] belongs to items[i]; BATCH_WAITING if the file has no line.  False after an error was
 * reported (DIAG_MISSING). */
bool batch_results_load(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

/* The same, corrected by the checkpoint directories of the jobs, which have precedence, and by the
 * queue of Slurm. */
bool batch_results_update(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

/* Rewrites the file with `results` and opens it for appending; -1 after an error was reported. */
int batch_results_open(const BatchResult *results, const BatchPlan *plan, Diag *diag);
bool batch_results_append(int file, const BatchItem *item, const BatchResult *result, Diag *diag);
