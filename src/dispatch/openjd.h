// SPDX-License-Identifier: MIT
/*
 * openjd.h - writes the stages of a distributed render as a template of Open Job Description
 *
 * A job template (specification 2023-09, JSON) with the steps bake, shards and join, and a job
 * bundle: a directory with the template, the values of its parameters, and the files that it reads.
 */
#pragma once

#include <stdio.h>

#include "base/diag.h"
#include "dispatch/stages.h"
#include "run/progress.h"

/* A path in the commands that a farm may map to another one. */
typedef struct OpenjdPath {
    const char *parameter; /* "JobFile" */
    const char *path;      /* absolute */
    bool is_directory;
    const char *flow; /* "IN", "OUT" or "INOUT" */
} OpenjdPath;

typedef ARENA_LIST(OpenjdPath) OpenjdPaths;

typedef struct OpenjdJob {
    const Stages *stages;
    OpenjdPaths paths;
    const char *directory;     /* directory of the template and a slash; NULL: no default paths */
    double timeout_s;          /* time limit of a task */
    const char *const *inputs; /* absolute paths of all files that are read */
    size_t input_count;
    const char *const *directories; /* where outputs are written */
    size_t directory_count;
} OpenjdJob;

/* False after an error was reported: a word of a command contains "{{".  Paths below job->directory
 * have defaults, which the specification wants to be relative to the template. */
bool openjd_write(FILE *out, const OpenjdJob *job, Arena *arena, Diag *diag);

/* Creates template.json, parameter_values.json and asset_references.json in `directory`; they are
 * outputs of the run. */
bool openjd_save_bundle(const char *directory, const OpenjdJob *job, bool overwrite,
                        Progress *progress, Arena *arena, Diag *diag);
