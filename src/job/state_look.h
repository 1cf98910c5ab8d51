/*
 * state_look.h - what a state folder says by itself, without the job: for status and verify
 *
 * Reads job.json, the ledgers, the report and the locks, and changes nothing; no model is loaded and no
 * picture is read.  So a folder of another machine can be looked at, whose models are not here.  What a
 * ledger claims is not compared with any file here.
 */
#ifndef JOB_STATE_LOOK_H
#define JOB_STATE_LOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "job/done.h"
#include "job/film.h"
#include "job/ledger.h"
#include "job/state_report.h"

typedef struct LookFact { /* a line of job.json: "render.size" is "[1920, 1080]" */
    const char *key, *value;
} LookFact;

typedef struct LookInput {
    const char *file;
    uint64_t bytes;
    Digest digest;
} LookInput;

typedef struct LookShard { /* a ledger */
    const char *name; /* "0001-of-0004" */
    LedgerTail tail;
    int64_t changed; /* seconds since 1970 */
} LookShard;

typedef struct StateLook {
    const char *folder; /* without a slash at its end */
    Digest digest;
    Job job;   /* name and credits alone */
    Film film; /* job, frames, pieces and the outputs' kinds and files alone */
    Done *done; /* [film.output_count]: what the ledgers claim */
    struct {
        LookFact *items;
        size_t count, room;
    } facts; /* what the digest covers, then the rest of the job */
    size_t covered; /* so many of them */
    struct {
        LookInput *items;
        size_t count, room;
    } inputs;
    struct {
        LookShard *items;
        size_t count, room;
    } shards; /* by name */
    JobFrames held; /* frames of pieces that a program is at work on; of its shard, not drawn each */
    bool has_report; /* of this digest */
    StateReport report;
} StateLook;

/* A key's value, and one that is a text; NULL when there is none. */
const char *state_look_fact(const StateLook *look, const char *key);
const char *state_look_text(const StateLook *look, const char *key, Arena *arena);

/* Is there a state folder: a folder with a job.json? */
bool state_look_is_folder(const char *folder);

/* Errors: DIAG_MISSING (no such folder), DIAG_DATA (job.json is damaged or of another version), DIAG_IO. */
bool state_look(StateLook *look, const char *folder, Arena *arena, Diag *diag);

/* The part of it that comes from job.json's bytes, into a zeroed look. */
bool state_look_parse(StateLook *look, Bytes bytes, Arena *arena, Diag *diag);

/* The folder that a job has by itself, found from its outputs alone; NULL when none can go on. */
const char *state_look_folder(const Job *job, Arena *arena, Diag *diag);

#endif
