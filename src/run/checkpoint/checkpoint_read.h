// SPDX-License-Identifier: MIT
/*
 * checkpoint_read.h - the contents of a checkpoint directory without its job, for status and verify
 *
 * Reads job.json, the ledgers, the report and the locks, and changes nothing.  No model is loaded
 * and no frame is read, so that a directory of another machine can be inspected without its models.
 * The ledgers are not compared with files.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film.h"
#include "run/checkpoint/checkpoint_job.h"
#include "run/checkpoint/checkpoint_report.h"
#include "run/checkpoint/completed_set.h"
#include "run/checkpoint/ledger.h"
#include "run/checkpoint/run_record.h"

typedef struct CheckpointContent {
    const char *directory;   /* without a slash at its end */
    CheckpointJob record;    /* the paths of its inputs can be opened */
    Job job;                 /* only name and credits */
    Film film;               /* only job, frames, segments, and kinds and files of the outputs */
    CompletedSet *completed; /* [film.output_count]: records of the ledgers */
    LedgerList shards;       /* by name */
    FrameRanges locked;      /* frames of locked segments, which a process is rendering */
    bool has_report;         /* with the digest of the record */
    CheckpointReport report;
    RunRecords runs; /* of the job; count 0: not recorded */
} CheckpointContent;

/* The value of a fact that is a text; NULL if there is none. */
const char *checkpoint_read_text(const CheckpointContent *content, const char *key, Arena *arena);

/* The value of any fact, as job.json has it; NULL if there is none. */
const char *checkpoint_read_fact(const CheckpointContent *content, const char *key);

/* True if a directory has a job.json. */
bool checkpoint_read_is_directory(const char *directory);

/* Errors: DIAG_MISSING (no such directory), DIAG_DATA (job.json is damaged or of another version),
 * DIAG_IO. */
bool checkpoint_read(CheckpointContent *content, const char *directory, Arena *arena, Diag *diag);

/* Parses the bytes of job.json into a zeroed *content. */
bool checkpoint_read_parse(CheckpointContent *content, Bytes bytes, Arena *arena, Diag *diag);

/* The default checkpoint directory of a job, from its outputs alone; NULL after an error, if none
 * of them can be resumed. */
const char *checkpoint_read_directory_of_job(const Job *job, Arena *arena, Diag *diag);
