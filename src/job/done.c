#include "job/done.h"

#include <stddef.h>

enum { BLOCK = 1024 };

Done done_init(int64_t places, Arena *arena)
{
    return (Done){arena_array(arena, DoneRecord *, (size_t)(places / BLOCK) + 1), places, arena};
}

void done_claim(Done *done, int64_t place, const SinkRecord *record)
{
    DoneRecord **block = &done->blocks[place / BLOCK];
    if (!*block)
        *block = arena_array(done->arena, DoneRecord, BLOCK);
    (*block)[place % BLOCK] = (DoneRecord){*record, true, false};
}

DoneRecord *done_find(const Done *done, int64_t place)
{
    DoneRecord *block = done->blocks[place / BLOCK];
    return block && block[place % BLOCK].claimed ? &block[place % BLOCK] : NULL;
}

bool done_is_sure(const Done *done, int64_t place)
{
    const DoneRecord *record = done_find(done, place);
    return record && record->sure;
}
