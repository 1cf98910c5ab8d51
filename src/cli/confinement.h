/*
 * confinement.h - a verb gives up what it does not need before it reads assets (sandbox/sandbox.h)
 *
 *   confinement_begin     before the job is parsed: no other programs, no network
 *   confinement_read, confinement_write, ...    collect the files of the verb and its job
 *   confinement_enter     before an asset is parsed: no other files
 *   confinement_end       after the verb
 *
 * The host decides, by --sandbox or ODORI_SANDBOX.  Otherwise a job can require the sandbox, but
 * not turn it off: a warning says so.
 */
#ifndef CLI_CONFINEMENT_H
#define CLI_CONFINEMENT_H

#include "cli/arguments.h"
#include "sandbox/sandbox.h"

typedef struct Confinement {
    SandboxMode mode;
    bool decided; /* by the host: the job has no say */
    bool verbose; /* report what is active */
    SandboxRules rules;
    const char *scratch; /* written by the process itself; or NULL */
    TextList created;    /* directories that confinement_write created, parents first */
    Arena *arena;
} Confinement;

/* draws: the verb needs shaders (shader_cache.h).  Errors of this and of confinement_enter:
 * DIAG_RESOURCE where --sandbox require cannot be met. */
bool confinement_begin(Confinement *c, const Arguments *args, bool draws, Arena *arena, Diag *diag);

/* What the host decides, SANDBOX_AUTO if nothing. */
SandboxMode confinement_mode(const Arguments *args);

/* Makes --sandbox the default of the programs that this verb starts, which is not confined. */
void confinement_pass_on(const Arguments *args);

/* A file or pattern that is read or written; NULL is skipped.  Missing directories of a file that
 * is written are created, because only what exists can be allowed. */
void confinement_read(Confinement *c, const char *file);
void confinement_write(Confinement *c, const char *file);

/* A directory in which any file is written. */
void confinement_write_below(Confinement *c, const char *directory);

/* A new directory for temporary files, which becomes TMPDIR; confinement_end removes it. */
void confinement_add_scratch(Confinement *c);

/* The installed fonts, for text that is not part of a job. */
void confinement_add_fonts(Confinement *c);

/* The files of a job; its outputs are written or only inspected.  Decides job->limits.sandbox. */
bool confinement_add_job(Confinement *c, Job *job, bool writes, Diag *diag);

bool confinement_enter(const Confinement *c, Diag *diag);

/* The usual case: all of the above for a job, and `file` (or NULL), which the verb writes. */
bool confinement_enter_job(Confinement *c, Job *job, const char *file, bool writes, Diag *diag);

/* Removes directories that are still empty.  Returns `good`. */
bool confinement_end(const Confinement *c, bool good);

#endif
