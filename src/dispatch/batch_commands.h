/*
 * batch_commands.h - the commands that the jobs of a batch are run by
 *
 * Each is a list of words that begins with "odori" and ends with NULL, in the arena.
 */
#ifndef DISPATCH_BATCH_COMMANDS_H
#define DISPATCH_BATCH_COMMANDS_H

#include "dispatch/batch_plan.h"

/* How a job is drawn here. */
typedef struct BatchRenderOptions {
    int workers;           /* where the job does not say */
    const BatchBake *bake; /* that is there; or NULL */
    bool strict, overwrite, no_clobber;
} BatchRenderOptions;

const char *const *batch_render_command(const BatchPlan *plan, const BatchItem *item,
                                        const BatchRenderOptions *how, Arena *arena);

/* A bake that several jobs share. */
const char *const *batch_bake_command(const BatchPlan *plan, const BatchBake *bake, Arena *arena);

/* What hands a job over to Slurm; sbatch: options for that, or NULL. */
const char *const *batch_slurm_command(const BatchPlan *plan, const BatchItem *item,
                                       const char *sbatch, bool strict, Arena *arena);

#endif
