// SPDX-License-Identifier: MIT
#include "run/checkpoint/completed_set.h"

enum { BLOCK = 1024 };

CompletedSet completed_set_init(int64_t indices, Arena *arena)
{
    return (CompletedSet){arena_array(arena, CompletedRecord *, (size_t)(indices / BLOCK) + 1),
                          indices, arena};
}

CompletedRecord *completed_set_claim(CompletedSet *set, int64_t index, const SinkRecord *record,
                                     const FrameIdentity *identity)
{
    CompletedRecord **block = &set->blocks[index / BLOCK];
    if (!*block)
        *block = arena_array(set->arena, CompletedRecord, BLOCK);
    CompletedRecord *claimed = &(*block)[index % BLOCK];
    *claimed = (CompletedRecord){.record = *record, .identity = *identity, .claimed = true};
    return claimed;
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

bool sink_records_equal(const SinkRecord *a, const SinkRecord *b)
{
    return a->bytes == b->bytes && digest_equal(&a->digest, &b->digest);
}

bool completed_set_has_segment(bool *recorded, const CompletedSet *set, FilmSpan indices,
                               const SinkSegments *kind, const char *file, Arena *arena)
{
    const size_t count = (size_t)(indices.end - indices.first);
    SinkRecord *actual = arena_array(arena, SinkRecord, count);
    *recorded = true;
    for (int64_t p = indices.first; p < indices.end; p++)
        *recorded &= completed_set_find(set, p) != NULL;
    bool equal = *recorded && kind->inspect(actual, count, file);
    for (int64_t p = indices.first; equal && p < indices.end; p++)
        equal = sink_records_equal(&actual[p - indices.first], &completed_set_find(set, p)->record);
    return equal;
}
