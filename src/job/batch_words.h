/*
 * batch_words.h - the commands that the jobs of a batch are run by
 *
 * Each is a list of words that begins with "odori" and ends with NULL, in the arena.
 */
#ifndef JOB_BATCH_WORDS_H
#define JOB_BATCH_WORDS_H

#include "job/batch_plan.h"

/* How a job is drawn here. */
typedef struct BatchHow {
    int workers;           /* where the job does not say */
    const BatchBake *bake; /* that is there; or NULL */
    bool strict, overwrite, no_clobber;
} BatchHow;

const char *const *batch_render_words(const BatchPlan *plan, const BatchItem *item,
                                      const BatchHow *how, Arena *arena);

/* A bake that several jobs share. */
const char *const *batch_bake_words(const BatchPlan *plan, const BatchBake *bake, Arena *arena);

/* What hands a job over to Slurm; sbatch: options for that, or NULL. */
const char *const *batch_slurm_words(const BatchPlan *plan, const BatchItem *item,
                                     const char *sbatch, bool strict, Arena *arena);

#endif
