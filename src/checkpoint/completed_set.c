#include "checkpoint/completed_set.h"

#include <stddef.h>

enum { BLOCK = 1024 };

CompletedSet completed_set_init(int64_t places, Arena *arena)
{
    return (CompletedSet){arena_array(arena, CompletedRecord *, (size_t)(places / BLOCK) + 1),
                          places, arena};
}

void completed_set_claim(CompletedSet *done, int64_t place, const SinkRecord *record)
{
    CompletedRecord **block = &done->blocks[place / BLOCK];
    if (!*block)
        *block = arena_array(done->arena, CompletedRecord, BLOCK);
    (*block)[place % BLOCK] = (CompletedRecord){*record, true, false};
}

CompletedRecord *completed_set_find(const CompletedSet *done, int64_t place)
{
    CompletedRecord *block = done->blocks[place / BLOCK];
    return block && block[place % BLOCK].claimed ? &block[place % BLOCK] : NULL;
}

bool completed_set_is_sure(const CompletedSet *done, int64_t place)
{
    const CompletedRecord *record = completed_set_find(done, place);
    return record && record->sure;
}
