/*
 * export.h - `odori export`: the evaluated dance of a job in the formats of other programs
 */
#pragma once

#include "base/diag.h"
#include "job/job.h"

typedef struct ExportOptions {
    const char *file;  /* .vmd, .glb or .bvh */
    const char *model; /* its id; NULL: the first model of the job, for .glb all models */
    bool overwrite;    /* `file` may exist */
} ExportOptions;

/* The frames of job->render.frames; all: from 0 to the last key. */
bool export_run(const Job *job, const ExportOptions *options, Diag *diag);
