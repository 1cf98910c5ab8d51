/*
 * batch_result.h - what became of the jobs of a batch, and the file that remembers it
 *
 * results.jsonl in the batch's folder has a line for each job that began or ended:
 *
 *   {"job":"miku-final","key":"9c..","state":"failed","tries":3,"exit":66,"frames":120,
 *    "wall_s":12.5,"message":"models/miku.pmx: cannot open: No such file or directory"}
 *
 * The last line of a job counts; a torn last line is dropped.  A line whose key is not the job's,
 * since the manifest was changed, is of another job.  It is a record for people and for `odori
 * batch status`: what is done is known by the jobs' own folders (state.h).
 */
#ifndef DISPATCH_BATCH_RESULT_H
#define DISPATCH_BATCH_RESULT_H

#include <stdint.h>

#include "dispatch/batch_plan.h"

typedef enum BatchState {
    BATCH_WAITING,
    BATCH_RUNNING,
    BATCH_DONE,
    BATCH_FAILED,
    BATCH_STOPPED, /* by a signal to the batch, or gone from the queue; goes on with the next run */
    BATCH_SUBMITTED /* to Slurm; the message says as what */
} BatchState;

extern const char *const batch_state_names[]; /* their words */

typedef struct BatchResult {
    BatchState state;
    int tries;
    int exit_status;     /* of the last try; 128 + N: ended by signal N */
    int64_t frames;      /* of the job; -1: not known */
    int64_t drawn;       /* of these, what its folder says; -1: nothing.  Not in the file */
    double wall_s;       /* of all tries */
    const char *message; /* why it failed, or what was submitted; or NULL */
} BatchResult;

/* results[i] is that of items[i]; waiting where the file says nothing.  Errors: DIAG_MISSING. */
bool batch_results_load(BatchResult *results, const BatchPlan *plan, Arena *arena, Diag *diag);

/* Writes the file anew with what `results` says, then opens it to append; -1 after an error. */
int batch_results_open(const BatchResult *results, const BatchPlan *plan, Diag *diag);
bool batch_results_append(int file, const BatchItem *item, const BatchResult *result, Diag *diag);

#endif
