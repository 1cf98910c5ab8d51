/*
 * sandbox_session.h - a verb gives up what it does not need before it reads assets
 * (sandbox/sandbox.h)
 *
 *   sandbox_session_begin     before the job is parsed: no other programs, no network
 *   sandbox_session_read, sandbox_session_write, ...    collect the files of the verb and its job
 *   sandbox_session_enter     before an asset is parsed: no other files
 *   sandbox_session_end       after the verb
 *
 * The host decides, by --sandbox or ODORI_SANDBOX.  Otherwise a job can require the sandbox, but
 * not turn it off: a warning says so.
 */
#pragma once

#include "cli/arguments.h"
#include "sandbox/sandbox.h"

typedef struct SandboxSession {
    SandboxMode mode;
    bool decided; /* by the host: the job has no say */
    bool verbose; /* report what is active */
    SandboxRules rules;
    const char *scratch; /* written by the process itself; or NULL */
    TextList created;    /* directories that sandbox_session_write created, parents first */
    Arena *arena;
} SandboxSession;

/* draws: the verb needs shaders (shader_cache.h).  Errors of this and of sandbox_session_enter:
 * DIAG_RESOURCE where --sandbox require cannot be met. */
bool sandbox_session_begin(SandboxSession *s, const Arguments *args, bool draws, Arena *arena,
                           Diag *diag);

/* The mode that the host has chosen; SANDBOX_AUTO if it has chosen none. */
SandboxMode sandbox_session_mode(const Arguments *args);

/* Makes --sandbox the default of the programs that this verb starts, which is not confined. */
void sandbox_session_export_to_children(const Arguments *args);

/* A file or pattern that is read or written; NULL is skipped.  Missing directories of a file that
 * is written are created, because only what exists can be allowed. */
void sandbox_session_read(SandboxSession *s, const char *file);
void sandbox_session_write(SandboxSession *s, const char *file);

/* A directory in which any file is written. */
void sandbox_session_write_below(SandboxSession *s, const char *directory);

/* A new directory for temporary files, which becomes TMPDIR; sandbox_session_end removes it. */
void sandbox_session_add_scratch(SandboxSession *s);

/* The installed fonts, for text that is not part of a job. */
void sandbox_session_add_fonts(SandboxSession *s);

/* The files of a job; its outputs are written or only inspected.  Decides job->limits.sandbox. */
bool sandbox_session_add_job(SandboxSession *s, Job *job, bool writes, Diag *diag);

bool sandbox_session_enter(const SandboxSession *s, Diag *diag);

/* Removes directories that are still empty. */
void sandbox_session_end(const SandboxSession *s);
