/*
 * batch_commands.h - command lines of the jobs of a batch
 *
 * Each is an array of arguments in the arena that starts with "odori" and ends with NULL.
 */
#ifndef DISPATCH_BATCH_COMMANDS_H
#define DISPATCH_BATCH_COMMANDS_H

#include "dispatch/batch_plan.h"

/* How a job is rendered on this machine. */
typedef struct BatchRenderOptions {
    int workers;           /* if the job does not set render.workers */
    const BatchBake *bake; /* an existing bake, or NULL */
    bool overwrite, no_clobber;
    const char *const *flags; /* of every job; ended by NULL */
} BatchRenderOptions;

const char *const *batch_render_command(const BatchPlan *plan, const BatchItem *item,
                                        const BatchRenderOptions *options, Arena *arena);

/* Creates a bake that several jobs share. */
const char *const *batch_bake_command(const BatchPlan *plan, const BatchBake *bake, Arena *arena);

/* Submits a job to Slurm; sbatch: additional sbatch options, or NULL. */
const char *const *batch_slurm_command(const BatchPlan *plan, const BatchItem *item,
                                       const char *sbatch, const char *const *flags, Arena *arena);

#endif
