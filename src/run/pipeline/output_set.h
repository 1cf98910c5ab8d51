// SPDX-License-Identifier: MIT
/*
 * output_set.h - the outputs of a film that one process writes
 *
 * Workers write the unordered outputs (stills), the encoder process the ordered ones.  With a
 * Checkpoint, ordered outputs are written in segments (output/sink.h): a segment begins with its
 * first frame and is committed with its last, and only what the checkpoint lacks is written.
 * Without a Checkpoint, and for kinds that have no segments, an output is written as one file.
 * A Checkpoint is only read here.  Not thread-safe.
 */
#pragma once

#include "base/image.h"
#include "film/film_types.h"
#include "job/job.h"
#include "run/checkpoint/checkpoint.h"
#include "run/progress.h"

/* The files of a frame in outputs with one file per frame; it travels with the frame to main. */
typedef struct FrameReceipt {
    uint32_t written; /* bit i: output i stored the frame */
    SinkRecord records[JOB_MAX_OUTPUTS];
} FrameReceipt;

_Static_assert(JOB_MAX_OUTPUTS <= 32, "FrameReceipt.written has a bit for each output");

typedef struct OutputSet OutputSet;

/* ordered: the ordered outputs or the unordered ones.  NULL after an error. */
OutputSet *output_set_open(const Film *film, const Checkpoint *checkpoint, bool ordered,
                           Diag *diag);

/* images: [film->image_count], of which the parts are set, and nothing is outside of these.
 * receipt may be NULL in the encoder process. */
bool output_set_write(OutputSet *set, const Image *images, const ImageRect *parts, int64_t frame,
                      FrameReceipt *receipt, Diag *diag);

/* Commits the outputs that are written as one file. */
bool output_set_finish(OutputSet *set, Diag *diag);

/* Removes what is not committed.  NULL is fine. */
void output_set_close(OutputSet *set);

/* Whether some output, ordered or not, lacks the frame with this index. */
bool output_set_needs(const Film *film, const Checkpoint *checkpoint, int64_t index);

/* Removes the unfinished files of a process that has ended. */
void output_set_clean(const Film *film, const Checkpoint *checkpoint, long pid);

/* Reports the output files and their sizes to the progress. */
void output_set_report_files(const Film *film, Progress *progress);
