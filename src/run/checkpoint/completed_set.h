// SPDX-License-Identifier: MIT
/*
 * completed_set.h - the completed frames of one output, by frame index
 *
 * Memory grows with the number of entries, not with the length of the film.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "film/film_types.h"
#include "output/sink.h"
#include "run/checkpoint/frame_identity.h"

typedef struct CompletedRecord {
    SinkRecord record;
    FrameIdentity identity; /* zeros: not known */
    bool claimed;           /* recorded in a ledger */
    bool verified;          /* and the file on disk matches the ledger */
} CompletedRecord;

_Static_assert(sizeof(CompletedRecord) <= 64, "the memory of a frame's record (README 3.1)");

typedef struct CompletedSet {
    CompletedRecord **blocks;
    int64_t count; /* number of frame indices */
    Arena *arena;
} CompletedSet;

CompletedSet completed_set_init(int64_t indices, Arena *arena);

/* Sets the record of a frame index, not verified; replaces an earlier one.  Returns it. */
CompletedRecord *completed_set_claim(CompletedSet *set, int64_t index, const SinkRecord *record,
                                     const FrameIdentity *identity);

/* The record of a frame index; NULL if there is none. */
CompletedRecord *completed_set_find(const CompletedSet *set, int64_t index);
bool completed_set_is_verified(const CompletedSet *set, int64_t index);

/* Whether all frames of a segment are recorded with the digests of its file; *recorded: whether
 * they are recorded. */
bool completed_set_has_segment(bool *recorded, const CompletedSet *set, FilmSpan indices,
                               const SinkSegments *kind, const char *file, Arena *arena);

bool sink_records_equal(const SinkRecord *a, const SinkRecord *b);
