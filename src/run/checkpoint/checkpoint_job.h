// SPDX-License-Identifier: MIT
/*
 * checkpoint_job.h - job.json of a checkpoint directory: the job to which the directory belongs
 *
 *     {"format":"odori-state","version":3,"digest":"...",
 *      "job":{"render.size":"[640, 360]",...},"apart":{...},
 *      "inputs":[{"file":"...","bytes":1,"sha256":"..."},...]}
 *
 * "job" has all facts that the digest covers, "apart" the other values of the resolved job,
 * "inputs" the files that were read.  Paths of inputs and outputs are relative to the directory.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film_types.h"
#include "run/checkpoint/file_record.h"
#include "run/checkpoint/fingerprint.h"

typedef struct CheckpointFact { /* "render.size" is "[1920, 1080]"; text_compare orders by key */
    const char *key, *value;
} CheckpointFact;

typedef struct CheckpointJob {
    Digest digest;
    ARENA_LIST(CheckpointFact)
    facts;          /* those that the digest covers, then the other values of the job */
    size_t covered; /* number of facts that the digest covers */
    FileRecordList inputs;
} CheckpointJob;

/* A difference between two versions of a job.  Values of files are their SHA-256, or "none"; of
 * others at most 60 bytes are kept. */
typedef struct JobChange {
    const char *key;
    const char *file;           /* an input; or NULL */
    const char *before, *after; /* NULL: not set */
} JobChange;

enum { JOB_CHANGES = 16 /* that are kept */ };

typedef struct JobChanges {
    JobChange *items;
    size_t count, capacity; /* as ARENA_LIST has them */
    int64_t more;           /* changes that are not kept */
} JobChanges;

/* "render.fps: was 30, is now 60" */
const char *job_change_text(const JobChange *change, Arena *arena);

/* "render.fps: was 30, is now 60; 2 more"; "" if there are none. */
const char *job_changes_text(const JobChanges *changes, Arena *arena);

/* Errors: DIAG_DATA (damaged, or another format version), with the file as their place; _load also
 * DIAG_MISSING and DIAG_IO. */
bool checkpoint_job_parse(CheckpointJob *job, Bytes bytes, Arena *arena, Diag *diag);
bool checkpoint_job_load(CheckpointJob *job, const char *directory, Arena *arena, Diag *diag);

/*
 * True if the directory belongs to this job or has no job.json.  *exists: it has a job.json.
 * Errors, DIAG_CREATE: it belongs to another job (the message names a difference), has another
 * format version, or is damaged.
 */
bool checkpoint_job_check(bool *exists, const char *directory, const Fingerprint *fingerprint,
                          Diag *diag);

/*
 * The differences between this job and the one to which the directory belongs, also as a text such
 * as "render.fps: was 30, is now 60; 2 more".  NULL if there is no other job, or if job.json cannot
 * be read.
 */
const char *checkpoint_job_difference(JobChanges *changes, const char *directory,
                                      const Fingerprint *fingerprint, Arena *arena);

/* The differences of the tags alone, of a directory that belongs to this job: the name, the
 * metadata, the chapters and the credits. */
JobChanges checkpoint_job_tag_changes(const char *directory, const Fingerprint *fingerprint,
                                      Arena *arena);

/* Removes job.json, which may be missing. */
bool checkpoint_job_remove(const char *directory, Diag *diag);

/* Writes job.json; other processes may do so at the same time. */
bool checkpoint_job_save(const char *directory, const Fingerprint *fingerprint, FilmShard shard,
                         Diag *diag);
