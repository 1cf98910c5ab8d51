#include "run/checkpoint/completed_set.h"

enum { BLOCK = 1024 };

CompletedSet completed_set_init(int64_t indices, Arena *arena)
{
    return (CompletedSet){arena_array(arena, CompletedRecord *, (size_t)(indices / BLOCK) + 1),
                          indices, arena};
}

void completed_set_claim(CompletedSet *set, int64_t index, const SinkRecord *record)
{
    CompletedRecord **block = &set->blocks[index / BLOCK];
    if (!*block)
        *block = arena_array(set->arena, CompletedRecord, BLOCK);
    (*block)[index % BLOCK] = (CompletedRecord){*record, true, false};
}

CompletedRecord *completed_set_find(const CompletedSet *set, int64_t index)
{
    CompletedRecord *block = set->blocks[index / BLOCK];
    return block && block[index % BLOCK].claimed ? &block[index % BLOCK] : NULL;
}

bool completed_set_is_verified(const CompletedSet *set, int64_t index)
{
    const CompletedRecord *record = completed_set_find(set, index);
    return record && record->verified;
}
