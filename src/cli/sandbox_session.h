// SPDX-License-Identifier: MIT
/*
 * sandbox_session.h - a verb gives up what it does not need before it parses anything
 * (sandbox/sandbox.h)
 *
 *   sandbox_session_init      the mode
 *   sandbox_session_read, sandbox_session_write, ...    collect the files of the verb and its job
 *   sandbox_session_begin     no other programs, no network
 *   sandbox_session_enter     no other files, before the first byte of a stranger is parsed
 *   sandbox_session_end       after the verb
 *
 * The host decides, by --sandbox or ODORI_SANDBOX.  Otherwise a job can require the sandbox, but
 * not turn it off: a warning says so.
 */
#pragma once

#include "cli/arguments.h"
#include "cli/found_files.h"
#include "sandbox/sandbox.h"

/* What is going to be written, until sandbox_session_enter makes rules of it. */
typedef struct SandboxWrite {
    const char *path;
    bool is_directory;  /* any file below it */
    bool follows_links; /* the host alone chose it: links lead anywhere */
} SandboxWrite;

typedef struct SandboxSession {
    SandboxMode mode;
    bool decided; /* by the host: the job has no say */
    bool verbose; /* report what is active */
    bool entered; /* files are restricted */
    SandboxRules rules;
    ARENA_LIST(SandboxWrite) writes;
    const char *scratch; /* written by the process itself; or NULL */
    TextList created;    /* directories that sandbox_session_write created, parents first */
    Arena *arena;
} SandboxSession;

void sandbox_session_init(SandboxSession *s, const Arguments *args, Arena *arena);

/* draws: the verb needs shaders (shader_cache.h).  Errors of this and of sandbox_session_enter:
 * DIAG_RESOURCE where --sandbox require cannot be met. */
bool sandbox_session_begin(SandboxSession *s, bool draws, Diag *diag);

/* Whether files are going to be restricted. */
bool sandbox_session_restricts_files(const SandboxSession *s);

/* The mode that the host has chosen; SANDBOX_AUTO if it has chosen none. */
SandboxMode sandbox_session_mode(const Arguments *args);

/* Makes --sandbox the default of the programs that this verb starts, which is not confined. */
void sandbox_session_export_to_children(const Arguments *args);

/* A file or pattern that is read or written; NULL is skipped.  With a model, a project or a pattern
 * its directory is read.  Missing directories of a file that is written are created, because only
 * what exists can be allowed. */
void sandbox_session_read(SandboxSession *s, const char *file);
void sandbox_session_write(SandboxSession *s, const char *file);

/* A job file or manifest.  Other spellings of the paths in it may begin with "../". */
void sandbox_session_read_job(SandboxSession *s, const char *file);

/* A directory in which any file is read or written; NULL is skipped. */
void sandbox_session_read_below(SandboxSession *s, const char *directory);
void sandbox_session_write_below(SandboxSession *s, const char *directory);

/* The same for the directory of --state, which may be a link to anywhere (base/write_root.h). */
void sandbox_session_write_state(SandboxSession *s, const char *directory);

/* A new directory for temporary files, which becomes TMPDIR; sandbox_session_end removes it. */
void sandbox_session_add_scratch(SandboxSession *s);

/* The installed fonts, for text that is not part of a job. */
void sandbox_session_add_fonts(SandboxSession *s);

/* The files that a job names; its outputs are written or only inspected. */
void sandbox_session_add_found(SandboxSession *s, const FoundFiles *found, bool writes);

/* After a job was parsed: sets job->limits.sandbox to what applies, and warns if it asks for less.
 * An error where it requires what the kernel does not have. */
bool sandbox_session_check_job(SandboxSession *s, Job *job, Diag *diag);

bool sandbox_session_enter(SandboxSession *s, Diag *diag);

/* The rules of a broker of the files that were added, for another process (file_broker_become);
 * NULL if it needs none and writes by itself. */
const SandboxRules *sandbox_session_lend(SandboxSession *s);

/* Removes directories that are still empty. */
void sandbox_session_end(const SandboxSession *s);
