// SPDX-License-Identifier: MIT
/*
 * found_files.h - the files that a job names, found by a process that can read few others
 *
 * Which files a process needs is known when the job is parsed, and no process may parse it that can
 * use others.  So a child parses it first.  It reads what is known so far, such as the job file,
 * and sends kinds and paths; they are as trustworthy as the job.  Then the process that asked gives
 * up all other files, and parses the job itself.  An error of the job is not reported by the child,
 * but by that process, which finds it again.
 */
#pragma once

#include "job/job.h"
#include "sandbox/isolated.h"

typedef enum FoundKind {
    FOUND_INPUT = 'i',     /* a file that is read */
    FOUND_MODEL = 'm',     /* the same, with the files of its directory */
    FOUND_JOB = 'j',       /* the same, with the names in its directory and beside that */
    FOUND_DIRECTORY = 'd', /* everything below it is read */
    FOUND_OUTPUT = 'o',    /* written, or only inspected */
    FOUND_FONTS = 'f',     /* the installed fonts are read */
    FOUND_REQUIRE = 'r',   /* the job requires the sandbox */
    FOUND_CONFINED = 'c'   /* the limits of the host confine paths to the directory of the job */
} FoundKind;

typedef struct FoundFile {
    FoundKind kind;
    const char *path;   /* "" where the kind needs none */
    const char *within; /* SandboxRule.within */
} FoundFile;

typedef ARENA_LIST(FoundFile) FoundFiles;

/* In the child: one find, or those of a job. */
void found_files_write(FILE *out, FoundKind kind, const char *path);
void found_files_write_job(FILE *out, const Job *job, Arena *arena);

/* Reads what a child has written; all after a wrong record is ignored. */
void found_files_read(FoundFiles *found, Bytes bytes, Arena *arena);

/* What `work` finds in a child that can read the files of `rules`, each once.  The result of `work`
 * is ignored.  False after an error: the child could not be started, or was killed. */
bool found_files_run(FoundFiles *found, IsolatedWork *work, void *user, const SandboxRules *rules,
                     const IsolatedLimits *limits, Arena *arena, Diag *diag);
