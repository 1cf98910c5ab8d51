// SPDX-License-Identifier: MIT
/*
 * checkpoint_outputs.h - the outputs of a film and the files that exist under their names
 *
 * A file that exists may be replaced if the ledgers, the report or written.jsonl
 * (run/checkpoint/written_files.h) of the checkpoint directory record it with its size and digest.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "run/checkpoint/checkpoint_report.h"
#include "run/checkpoint/completed_set.h"
#include "run/checkpoint/written_files.h"

typedef struct OutputRecords {
    const CompletedSet *completed;  /* [output_count]: stills that the ledgers record */
    const CheckpointReport *report; /* NULL if there is none of this job */
} OutputRecords;

/* False after an error (DIAG_CREATE): a file that the span or the whole film will replace was not
 * written by this program.  Files that only the report records are added to `written`. */
bool checkpoint_outputs_check(WrittenFiles *written, const Film *film, FilmSpan indices,
                              const OutputRecords *records, Diag *diag);

/* Records that every file that exists may be replaced (--overwrite). */
void checkpoint_outputs_allow(WrittenFiles *written, const Film *film);

/* Records the files of the film to which a directory belongs, so that an edited job may replace
 * them.  False, without an error, if the film is not finished and was begun by another version of
 * the program or in shards, or must be `finished`. */
bool checkpoint_outputs_take_over(WrittenFiles *written, const char *directory, bool finished,
                                  Arena *arena);
