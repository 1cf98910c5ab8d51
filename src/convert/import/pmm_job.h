// SPDX-License-Identifier: MIT
/*
 * pmm_job.h - projects of MikuMikuDance as jobs: `odori job PROJECT.pmm`, or rendered as they are
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef struct PmmJobOptions {
    const char *project; /* .pmm */
    const char *output;  /* the job file; its motions are written to NAME-motions/ beside it */
    const char *assets;  /* the directory in which models, sounds and pictures are looked for; NULL:
                            that of the project */
    bool overwrite;
} PmmJobOptions;

/* NAME-motions beside a job file. */
const char *pmm_job_motions(const char *output, Arena *arena);

/* Whether a file is a project, by its name. */
bool pmm_job_is_project(const char *path);

/* Writes the job and its motions.  Warns about what is missing or cannot be said in a job.  False
 * after an error. */
bool pmm_job_run(const PmmJobOptions *options, Diag *diag);

/*
 * The text of that job without writing anything: its motions can be opened as files in the project,
 * "dance.pmm/model-1.vmd" (base/archive_path.h), in this process and those that it forks.
 *
 * assets: as in the options; text: in the arena, which has to live as long as the job is used
 */
bool pmm_job_text(Bytes *text, const char *project, const char *assets, Arena *arena, Diag *diag);

/* A job with the name and the outputs of that one, but a single model: what is known without
 * reading the project. */
Bytes pmm_job_outline(const char *project, Arena *arena);
