/*
 * job_arguments.h - the job that a command line describes
 */
#ifndef CLI_JOB_ARGUMENTS_H
#define CLI_JOB_ARGUMENTS_H

#include <stdbool.h>

#include "base/problem_list.h"
#include "cli/arguments.h"
#include "job/job.h"

/* Loads the limits file of --limits or ODORI_LIMITS, or the defaults, and applies its limits of
 * memory, CPU time and time to this process.  Errors: DIAG_JOB, DIAG_MISSING. */
bool limits_apply(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag);

/* The limits file or profile that the host has chosen; NULL: none. */
const char *limits_name(const Arguments *args);

/* Whether the directory of --assets exists, if there is one: it is an input, also of a job that
 * does not use it.  Errors: DIAG_MISSING. */
bool assets_check(const Arguments *args, Diag *diag);

/*
 * Applies the limits of the host, and fills `source` with the operands (one job file, or models,
 * motions and a sound), --set, the flags that set keys, and -o.  The source refers to the lists of
 * `args` and to the arena.  Errors: also DIAG_USAGE, and DIAG_MISSING of assets_check.
 */
bool job_source_init(JobSource *source, const Arguments *args, Arena *arena, Diag *diag);

/* Makes --fps and --camera values of keys of the job. */
void set_picture_keys(Arguments *args, Arena *arena);

/*
 * The same, and --frames; -o or -f without --previews removes the previews of the job.  Errors:
 * DIAG_USAGE.
 *
 * previews  the verb is about previews, which then stay
 */
bool set_keys(Arguments *args, bool previews, Arena *arena, Diag *diag);

/* The limits of memory and time of a job, for this process. */
void apply_limits(const JobLimits *limits);

/* Keeps the messages of this run from now on. */
ProblemList *observe_problems(Arena *arena, Diag *diag);

/* --no-physics: disables the physics of every model and all cloth. */
void disable_physics(Job *job);

#endif
