/*
 * batch.h - a manifest: many jobs made from one
 *
 *   version: 1
 *   base: dance.yaml                 every job is this one, with some values laid over it
 *   matrix:                          a job for each combination of the axes' values
 *     size: { small: { render.size: [640, 360] }, full: {} }
 *     render.fps: [30, 60]           short form: an axis that is a key, and its plain values
 *   exclude: [ { size: full, render.fps: 30 } ]       combinations with all of these are left out
 *   include: [ { name: test, with: { size: small }, set: { render.frames: "0-59" } } ]
 *   out: "out/{name}.mp4"            or a folder, in which the base's outputs keep their names
 *   run: { jobs: 2, on_failure: continue, retries: 2, shards: 1, share_bakes: true }
 *
 * Names are relative to the manifest, also those of values.  A job is called by its values, in the
 * order of the axes, with - between them.  Up to 20 errors are told, each with file:line:column.
 */
#ifndef DISPATCH_BATCH_H
#define DISPATCH_BATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/diag.h"
#include "format/yaml.h"

enum { BATCH_MAX_JOBS = 10000, BATCH_MAX_AXES = 16, BATCH_NAME_SIZE = 200 };

typedef enum BatchFailurePolicy { BATCH_CONTINUE, BATCH_STOP } BatchFailurePolicy;

typedef struct BatchRules { /* the manifest's `run` */
    int jobs;               /* at once; 0: as many as cores and memory allow */
    int on_failure;         /* BatchFailurePolicy */
    int retries;            /* of a job that failed by what may pass (69, 74, 75) */
    int shards;             /* of each job, on a cluster */
    bool share_bakes;
} BatchRules;

typedef struct BatchJob {
    const char *name;              /* can be part of a file's name, at most BATCH_NAME_SIZE bytes */
    const YamlNode *place;         /* in the manifest, for messages */
    const YamlNode *const *layers; /* maps of dotted keys, for JobSource */
    size_t layer_count;
    const char *out; /* absolute; of a folder with its slash; NULL: the job's own outputs */
} BatchJob;

typedef struct Batch {
    const char *file;   /* as given */
    const char *folder; /* of the file, absolute, with its slash */
    const char *base;
    BatchRules rules;
    BatchJob *jobs; /* never none */
    size_t job_count;
} Batch;

/* Errors: DIAG_MISSING, DIAG_JOB.  The jobs themselves are not loaded (batch_plan.h). */
bool batch_load(Batch *batch, const char *path, Arena *arena, Diag *diag);

/* The same from text, for tests and fuzzing; `folder` is the manifest's once more,
 * absolute, with its slash. */
bool batch_parse(Batch *batch, const YamlSource *source, const char *folder, Arena *arena,
                 Diag *diag);

/* One value of a layer, as for --set: "render.size=[640, 360]". */
const char *batch_set_argument(const YamlNode *value, Arena *arena);

/* Without "." and "..", and with one slash where there are several; by its text alone. */
const char *batch_normalize_path(const char *path, Arena *arena);

#endif
