/*
 * completed_set.h - which pictures of one output are done, by place
 *
 * Memory grows with what is entered, not with the length of the film.
 */
#ifndef CHECKPOINT_COMPLETED_SET_H
#define CHECKPOINT_COMPLETED_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "output/sink.h"

typedef struct CompletedRecord {
    SinkRecord record;
    bool claimed; /* a ledger has it */
    bool sure;    /* and the file is what the ledger says */
} CompletedRecord;

typedef struct CompletedSet {
    CompletedRecord **blocks;
    int64_t count; /* places */
    Arena *arena;
} CompletedSet;

CompletedSet completed_set_init(int64_t places, Arena *arena);

/* What is claimed of a place, perhaps sure before: it replaces that. */
void completed_set_claim(CompletedSet *done, int64_t place, const SinkRecord *record);

/* NULL: nothing was claimed there. */
CompletedRecord *completed_set_find(const CompletedSet *done, int64_t place);
bool completed_set_is_sure(const CompletedSet *done, int64_t place);

#endif
