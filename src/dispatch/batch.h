// SPDX-License-Identifier: MIT
/*
 * batch.h - reads a batch manifest: many jobs that are variants of one
 *
 *   version: 1
 *   base: dance.yaml                 the base job; each job of the batch overrides some of its keys
 *   matrix:                          one job for each combination of axis values
 *     size: { small: { render.size: [640, 360] }, full: {} }
 *     render.fps: [30, 60]           short form: the axis is a key of the job
 *   exclude: [ { size: full, render.fps: 30 } ]       removes combinations with all of these
 *   include: [ { name: test, with: { size: small }, set: { render.frames: "0-59" } } ]
 *   out: "out/{name}.mp4"            or a directory for the outputs of the base job
 *   run: { jobs: 2, on_failure: continue, retries: 2, shards: 1, share_bakes: true }
 *
 * All paths are relative to the manifest, including those in values.  The name of a job consists of
 * its axis values in the order of the axes, joined by '-'.  All keys: batch_keys.h.
 */
#pragma once

#include <signal.h>

#include "base/arena.h"
#include "base/diag.h"
#include "job/host_limits.h"
#include "record/yaml.h"
#include "sandbox/sandbox.h"

enum { BATCH_MAX_JOBS = 10000, BATCH_MAX_AXES = 16, BATCH_NAME_SIZE = 200 };

/* BatchFailurePolicy, BatchRules and BatchManifest. */
#include "dispatch/batch_keys.inc"

typedef struct BatchJob {
    const char *name;              /* valid in a file name, at most BATCH_NAME_SIZE bytes */
    const YamlNode *location;      /* in the manifest, for messages */
    const YamlNode *const *layers; /* maps of dotted keys, for JobSource */
    size_t layer_count;
    const char *out; /* absolute path, a directory ends with '/'; NULL: the outputs of the job */
} BatchJob;

/* The caller of a batch sets these besides the manifest; all zero for none. */
typedef struct BatchHost {
    const HostLimits *limits;          /* limits of the host for every job */
    const char *limits_name;           /* argument of --limits */
    const volatile sig_atomic_t *stop; /* not 0 ends the planning */
    SandboxMode sandbox;               /* mode of the processes that load jobs */
    bool names_only;                   /* JobSource.names_only, to list the files of the jobs */
} BatchHost;

typedef struct Batch {
    BatchHost host;        /* set by the caller after batch_load */
    const char *file;      /* as on the command line */
    const char *directory; /* directory of the manifest, absolute, ends with '/' */
    const char *base;
    BatchRules rules;
    BatchJob *jobs; /* at least one */
    size_t job_count;
} Batch;

/* The directory of a manifest, absolute, with '/'; NULL with errno if there is no current one. */
const char *batch_directory(const char *path, Arena *arena);

/* ".NAME.odori/" in it, for logs, results and bakes. */
const char *batch_record_directory(const char *path, const char *directory, Arena *arena);

/* Loads a manifest, not its jobs (batch_plan.h).  Reports up to OPTION_MAX_ERRORS errors, each with
 * file:line:column (DIAG_MISSING, DIAG_JOB). */
bool batch_load(Batch *batch, const char *path, Arena *arena, Diag *diag);

/* The same from text, for tests; `directory` is the directory of the manifest, absolute, with '/'.
 */
bool batch_parse(Batch *batch, const YamlSource *source, const char *directory, Arena *arena,
                 Diag *diag);

/* One value of a layer as an argument of --set: "render.size=[640, 360]". */
const char *batch_set_argument(const YamlNode *value, Arena *arena);

/* Removes ".", ".." and repeated slashes, without access to the file system. */
const char *batch_normalize_path(const char *path, Arena *arena);
