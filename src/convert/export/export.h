// SPDX-License-Identifier: MIT
/*
 * export.h - `odori export`: the evaluated dance of a job in the formats of other programs
 */
#pragma once

#include "base/diag.h"
#include "job/job.h"

typedef enum VrmVersion { VRM_1, VRM_0 } VrmVersion;

typedef struct ExportOptions {
    const char *file;       /* .vmd, .glb, .bvh or .vrm */
    const char *model;      /* its id; NULL: the first model of the job, for .glb all models */
    VrmVersion vrm_version; /* of .vrm */
    bool overwrite;         /* `file` may exist */
} ExportOptions;

/* The frames of job->render.frames; all: from 0 to the last key. */
bool export_run(const Job *job, const ExportOptions *options, Diag *diag);
