// SPDX-License-Identifier: MIT
/*
 * session.h - what all verbs do from their options to their end: limits, the job, the sandbox
 *
 *   session_begin       by main, before the function of the verb
 *   sandbox_session_... adds the files of the verb itself
 *   session_load_job    when the verb has checked its own options and added its own files; a verb
 *                       without a job calls session_enter instead
 *   session_end         by main, however the verb has ended
 *
 * Nothing that a stranger can have written is parsed before this process has given up all files but
 * those of the verb and its job, and all rights to write; what a job names is found by a child
 * (found_files.h).  What a verb needs of these steps is in its row (Verb.needs).
 */
#pragma once

#include "base/problem_list.h"
#include "base/text_stream.h"
#include "cli/sandbox_session.h"
#include "cli/verbs.h"
#include "job/job.h"
#include "run/pipeline/frame_loop.h"
#include "run/progress.h"

struct Session {
    const Arguments *given; /* the command line */
    Arguments args;         /* those that describe the job; a verb clears what it uses itself */
    unsigned needs; /* VerbNeeds of the row; a verb clears what its flags make unnecessary */
    const HostLimits *host; /* NULL until they are applied */
    bool has_source, is_restricted, has_entered;
    JobSource source;
    const char *base; /* another job with the same settings; or NULL */
    const char *(*own_output)(const Job *, Arena *); /* a file of the verb that the job names */
    IsolatedWork *find_more; /* finds more files, after those of the job; or NULL */
    const char *confined;    /* real path of the directory that paths of the job may not leave;
                              * NULL: any */
    Job job;
    ProblemList *problems; /* VERB_PROBLEMS: the messages since session_load_job; with --json all */
    FILE *out;             /* what the verb prints as text; with --json a member of its result */
    TextStream text;       /* that of `out` then */
    RenderReport report;   /* of the film that the verb rendered */
    SandboxSession sandbox;
    int status; /* exit status of a verb that reports no error itself */
    Progress *progress;
    Arena *arena;
    Diag *diag;
};

/* problems: all messages since the start, if the result of the verb has them (--json); or NULL */
void session_begin(Session *session, const Arguments *args, ProblemList *problems,
                   Progress *progress, Arena *arena, Diag *diag);

/*
 * Fills session->source with what `args` say: the operands (one job file, or models, motions and a
 * sound), --set, the flags that set keys, and -o.  Parses nothing.  Errors: DIAG_USAGE.
 */
bool session_parse_job(Session *session);

/* Gives up calls that read no files.  Errors: DIAG_RESOURCE. */
bool session_restrict(Session *session);

/* Adds what `work` finds in a child that can read what is known so far; `work` gets the session. */
bool session_find(Session *session, IsolatedWork *work);

/* Gives up all files except those of the sandbox session and `file`, which the verb writes (or
 * NULL); then applies the limits of the host.  Errors: also DIAG_JOB, DIAG_MISSING. */
bool session_enter(Session *session, const char *file);

/* The finds of one child or two: what the host says of paths, then the files of the job. */
bool session_find_confinement(Session *session);
bool session_find_job(Session *session);

/* Finds the files of the job, gives up all others, and sets session->source.host: all of
 * session_load_job except loading. */
bool session_enter_job(Session *session);

/* Loads session->job; applies its limits if the verb shows progress, and --no-physics. */
bool session_load_job(Session *session);

/* As session_load_job, in a process that was forked from one whose session has loaded a job and
 * which has given up everything: with other arguments. */
bool session_continue(Session *session, const Session *entered);

/* Begins the limits of time, CPU time and output again, in such a process. */
bool session_restart_limits(const Session *session);

/* Limits the time of a frame that such a process draws itself. */
void session_limit_frame(const Session *session);

/* The same for a verb about a single scene: session->job is that of --scene. */
bool session_load_scene(Session *session);

/* The job `base`: as session->source, of another file. */
JobSource session_base_source(const Session *session);

/* Removes directories that were created for outputs and are still empty. */
void session_end(const Session *session);

/* Prints what the verb did as JSON, with the exit status of the process (run_result.h), if --json
 * is given and the verb has not printed an object of its own. */
void session_print_result(Session *session, int status);

/* Writes that object. */
void session_write_result(Session *session, int status, FILE *out);

/* The exit status of an error (cli/README.md 3).  Schedulers should retry 69, 74 and 75 only. */
int session_exit_status(DiagKind kind);

/* --no-physics: disables the physics of every model and all cloth. */
void session_disable_physics(Job *job);

/* The limits file or profile that the host has chosen, by --limits or ODORI_LIMITS; or NULL. */
const char *session_limits_name(const Arguments *args);

/* Loads them, and says with --verbose which are in force. */
bool session_load_limits(HostLimits *limits, const Arguments *args, Arena *arena, Diag *diag);

/* Sets what they say of the paths that are written (base/write_root.h). */
void session_confine_writes(const Session *session, const HostLimits *limits);
