/*
 * done.h - which pictures of one output are done, by place
 *
 * Memory grows with what is entered, not with the length of the film.
 */
#ifndef JOB_DONE_H
#define JOB_DONE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "output/sink.h"

typedef struct DoneRecord {
    SinkRecord record;
    bool claimed; /* a ledger has it */
    bool sure;    /* and the file is what the ledger says */
} DoneRecord;

typedef struct Done {
    DoneRecord **blocks;
    int64_t count; /* places */
    Arena *arena;
} Done;

Done done_init(int64_t places, Arena *arena);

/* What is claimed of a place, perhaps sure before: it replaces that. */
void done_claim(Done *done, int64_t place, const SinkRecord *record);

/* NULL: nothing was claimed there. */
DoneRecord *done_find(const Done *done, int64_t place);
bool done_is_sure(const Done *done, int64_t place);

#endif
