// SPDX-License-Identifier: MIT
/*
 * job_visit.h - what a job contains, key by key, file by file and as YAML
 *
 * Everything that concerns all keys or all files of a job uses this: the fingerprint, the digest of
 * a batch, the sandbox, conflicts of outputs with inputs, archives.  A key that is added to
 * job/keys is therefore visited everywhere.  Texts are valid during the call only.
 */
#pragma once

#include <stdio.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/job.h"
#include "record/options.h"

/* Calls `visit` for every row of the table, with the struct that it is about: a section or list
 * first, then the rows in it. */
typedef void JobRowVisitor(void *user, const char *key, const Option *option, void *base);
void job_visit_rows(const Job *job, JobRowVisitor *visit, void *user);

/*
 * Calls `visit` for every key of a job, with defaults, as "models.0.scale" with its value in YAML.
 * For a list the value is its length, followed by the keys of its items; for an optional section
 * "given" or "null".
 */
typedef void JobKeyVisitor(void *user, const char *key, const char *value, const Option *option);
void job_visit_keys(const Job *job, JobKeyVisitor *visit, void *user);

/* A file that a key names; the path is the job's, in its arena. */
typedef struct JobFile {
    const char *key; /* "models.0.file" */
    const char *path;
    OptionRole role;
    OptionStage stage;
    const char **field; /* where the job stores the path; set by job_change_files */
} JobFile;

/* Calls `visit` for every input and output of a job: all keys with a path that is not null and not
 * a word such as "auto".  Outputs may be "-" or "null:". */
typedef void JobFileVisitor(void *user, const JobFile *file);
void job_visit_files(const Job *job, JobFileVisitor *visit, void *user);
void job_change_files(Job *job, JobFileVisitor *visit, void *user);

/* Reports inputs of a stage that do not exist, each at its key (DIAG_MISSING); not those of the
 * scene, which scene_load finds and reports. */
bool job_check_files(const Job *job, OptionStage stage, Arena *arena, Diag *diag);

/* Reports all inputs that do not exist, also of a job with wrong values. */
bool job_check_all_files(const Job *job, Arena *arena, Diag *diag);

/* Writes the whole job as YAML, with defaults and absolute paths.  Loading it gives the same job.
 */
void job_write(FILE *out, const Job *job);

/* Writes what the job and the command line set to other values than the defaults, each key below a
 * comment with its help the first time that it appears.  Paths below `directory`, absolute with its
 * slash, are relative to it. */
void job_write_short(FILE *out, const Job *job, const char *directory);
