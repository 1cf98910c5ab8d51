// SPDX-License-Identifier: MIT
/*
 * run_record.h - runs.json of a checkpoint directory: what the job drew, and what its earlier
 * version did
 *
 *     {"format":"odori-runs","version":3,"runs":[{"digest":"...","frames":720,"drawn":31,...},...]}
 *
 * A run is all that renders one version of the job, however often it is stopped and resumed.  A
 * version has another fingerprint, or other tags.  The file is information alone: which frames are
 * complete or drawn does not depend on it.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"
#include "film/film_types.h"
#include "record/result.h"
#include "run/checkpoint/checkpoint_job.h"

#define RUN_RECORD_NAME "runs.json"

/* RUN_RECORD_RANGES: that are kept of a set of frames. */
enum { RUN_RECORDS = 2, RUN_RECORD_RANGES = 256, RUN_RECORD_COMPARED = 256, RUN_PICTURES = 6 };

/* A frame that was compared with the one that it replaces. */
typedef struct FrameChange {
    int64_t frame, pixels; /* pixels: that changed (run/pipeline/picture_changes.h) */
} FrameChange;

typedef struct RunRecord {
    Digest digest;               /* of the job */
    Digest tags;                 /* checkpoint_tags_digest; zeros: not known */
    int64_t frames, drawn;       /* drawn: of these, by this run */
    FrameRanges ranges;          /* of the drawn ones, the first RUN_RECORD_RANGES */
    JobChanges changes;          /* from the version before */
    FrameRanges changed_ranges;  /* frames whose picture changed; count 0: not compared */
    const char *reason;          /* why all frames were drawn; or NULL */
    const FrameChange *compared; /* some of the drawn frames, ascending */
    size_t compared_count;       /* at most RUN_RECORD_COMPARED */
    int64_t picture_pixels;      /* of a frame, if some are compared */
    int64_t *shown;              /* frames of the pictures, if it is the newest run */
    size_t shown_count;          /* at most RUN_PICTURES */
    double seconds;              /* NaN: not known */
} RunRecord;

typedef struct RunRecords {
    RunRecord items[RUN_RECORDS]; /* newest first */
    size_t count;
} RunRecords;

extern const ResultTable RunRecord_result;

/* Reads the run that rendered a job, by its digest, and the one before it.  A file that is missing,
 * or that belongs to another job, gives none; one that is damaged too, with a warning. */
void run_records_load(RunRecords *out, const char *directory, const Digest *job, Arena *arena,
                      Diag *diag);

/* The same from its bytes; false if they are damaged. */
bool run_records_parse(RunRecords *out, Bytes bytes, const Digest *job, Arena *arena);

/* "DIRECTORY/changed-0.png": a frame before, on the left, and after, small. */
const char *run_record_picture(const char *directory, size_t index, Arena *arena);
bool run_record_is_picture(const char *name);

/* Puts a run before the others. */
void run_records_add(RunRecords *records, const RunRecord *run);

void run_record_set_drawn(RunRecord *run, FrameRanges drawn);

bool run_records_save(const char *directory, const RunRecords *records, Diag *diag);

/* "31 of 720 frames drawn, 300-330" */
const char *run_record_drawn_text(const RunRecord *run, Arena *arena);

/* "1.2 % of 31 frames, most of frame 318 (4.4 %), 310 (3.9 %)"; "" if none was compared. */
const char *run_record_pixels_text(const RunRecord *run, Arena *arena);

/* "audio.gain_db: was 0, is now -3; 2 more; changed in frames 3-6; REASON"; "" if there is nothing
 * to tell. */
const char *run_record_why_text(const RunRecord *run, Arena *arena);
