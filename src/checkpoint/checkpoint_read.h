/*
 * checkpoint_read.h - what a state folder says by itself, without the job: for status and verify
 *
 * Reads job.json, the ledgers, the report and the locks, and changes nothing; no model is loaded
 * and no picture is read.  So a folder of another machine can be looked at, whose models are not
 * here.  What a ledger claims is not compared with any file here.
 */
#ifndef CHECKPOINT_CHECKPOINT_READ_H
#define CHECKPOINT_CHECKPOINT_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "checkpoint/completed_set.h"
#include "film/film.h"
#include "checkpoint/ledger.h"
#include "checkpoint/checkpoint_report.h"

typedef struct CheckpointFact { /* a line of job.json: "render.size" is "[1920, 1080]" */
    const char *key, *value;
} CheckpointFact;

typedef struct CheckpointInput {
    const char *file;
    uint64_t bytes;
    Digest digest;
} CheckpointInput;

typedef struct CheckpointShard { /* a ledger */
    const char *name;            /* "0001-of-0004" */
    LedgerTail tail;
    int64_t changed; /* seconds since 1970 */
} CheckpointShard;

typedef struct CheckpointContent {
    const char *folder; /* without a slash at its end */
    Digest digest;
    Job job;            /* name and credits alone */
    Film film;          /* job, frames, pieces and the outputs' kinds and files alone */
    CompletedSet *done; /* [film.output_count]: what the ledgers claim */
    struct {
        CheckpointFact *items;
        size_t count, capacity;
    } facts;        /* what the digest covers, then the rest of the job */
    size_t covered; /* so many of them */
    struct {
        CheckpointInput *items;
        size_t count, capacity;
    } inputs;
    struct {
        CheckpointShard *items;
        size_t count, capacity;
    } shards; /* by name */
    JobFrames
        held; /* frames of pieces that a program is at work on; of its shard, not drawn each */
    bool has_report; /* of this digest */
    CheckpointReport report;
} CheckpointContent;

/* A key's value, and one that is a text; NULL when there is none. */
const char *checkpoint_read_fact(const CheckpointContent *look, const char *key);
const char *checkpoint_read_text(const CheckpointContent *look, const char *key, Arena *arena);

/* Is there a state folder: a folder with a job.json? */
bool checkpoint_read_is_folder(const char *folder);

/* Errors: DIAG_MISSING (no such folder), DIAG_DATA (job.json is damaged or of another version),
 * DIAG_IO. */
bool checkpoint_read(CheckpointContent *look, const char *folder, Arena *arena, Diag *diag);

/* The part of it that comes from job.json's bytes, into a zeroed look. */
bool checkpoint_read_parse(CheckpointContent *look, Bytes bytes, Arena *arena, Diag *diag);

/* The folder that a job has by itself, found from its outputs alone; NULL when none can go on. */
const char *checkpoint_read_folder_of_job(const Job *job, Arena *arena, Diag *diag);

#endif
