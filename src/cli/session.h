/*
 * session.h - what all verbs do from their options to their end: limits, the job, the sandbox
 *
 *   session_begin       by main, before the function of the verb
 *   session_load_job    when the verb has checked its own options; a verb without a job calls
 *                       session_restrict instead
 *   sandbox_session_... adds the files of the verb itself
 *   session_enter       before an asset is parsed
 *   session_end         by main, however the verb has ended
 *
 * What a verb needs of these steps is in its row (Verb.needs).
 */
#pragma once

#include "base/problem_list.h"
#include "base/progress.h"
#include "cli/sandbox_session.h"
#include "cli/verbs.h"
#include "job/job.h"

struct Session {
    const Arguments *given; /* the command line */
    Arguments args;         /* those that describe the job; a verb clears what it uses itself */
    unsigned needs; /* VerbNeeds of the row; a verb clears what its flags make unnecessary */
    const HostLimits *host; /* NULL until they are applied */
    bool has_source, is_restricted;
    JobSource source;
    Job job;
    ProblemList *problems; /* VERB_PROBLEMS: the messages since session_load_job; else NULL */
    SandboxSession sandbox;
    Progress *progress;
    Arena *arena;
    Diag *diag;
};

void session_begin(Session *session, const Arguments *args, Progress *progress, Arena *arena,
                   Diag *diag);

/*
 * Applies the limits of the host, and fills session->source with what `args` say: the operands (one
 * job file, or models, motions and a sound), --set, the flags that set keys, and -o.  Errors:
 * DIAG_USAGE, DIAG_JOB, DIAG_MISSING.
 */
bool session_parse_job(Session *session);

/* Applies the limits of the host, and gives up calls that read no files.  Errors: also
 * DIAG_RESOURCE. */
bool session_restrict(Session *session);

/* Loads session->job, after both of these steps unless the verb has taken them; applies its limits
 * if the verb shows progress, and --no-physics. */
bool session_load_job(Session *session);

/* Gives up all files except those of `job` (NULL: none), of the sandbox session, and `file`, which
 * the verb writes (or NULL). */
bool session_enter(Session *session, Job *job, const char *file);

/* Removes directories that were created for outputs and are still empty. */
void session_end(const Session *session);

/* --no-physics: disables the physics of every model and all cloth. */
void session_disable_physics(Job *job);

/* The limits file or profile that the host has chosen, by --limits or ODORI_LIMITS; or NULL. */
const char *session_limits_name(const Arguments *args);

/* Loads them, and says with --verbose which are in force. */
bool session_load_limits(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag);
