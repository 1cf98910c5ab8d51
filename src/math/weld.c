// SPDX-License-Identifier: MIT
#include "math/weld.h"

#include <math.h>
#include <string.h>

static const double GRID = 1e-3; /* MMD units */

uint64_t weld_hash(uint64_t value)
{
    value ^= value >> 33;
    value *= 0xff51afd7ed558ccdu;
    value ^= value >> 33;
    value *= 0xc4ceb9fe1a85ec53u;
    return value ^ value >> 33;
}

size_t weld_table_size(size_t count)
{
    size_t size = 16;

    while (size < 2 * count)
        size *= 2;
    return size;
}

uint32_t *weld_keys(const uint64_t *keys, uint32_t words, uint32_t count, Arena *arena)
{
    Arena *scratch = arena_create();
    const size_t size = weld_table_size(count);
    uint32_t *table = arena_array(scratch, uint32_t, size); /* index + 1; 0: empty */
    uint32_t *first = arena_array(arena, uint32_t, count);

    for (uint32_t i = 0; i < count; i++) {
        const uint64_t *key = keys + (size_t)i * words;
        uint64_t hash = 0;
        for (uint32_t w = 0; w < words; w++)
            hash = weld_hash(hash ^ key[w]);

        size_t at = hash & (size - 1);
        while (table[at] &&
               memcmp(keys + (size_t)(table[at] - 1) * words, key, words * sizeof *key))
            at = (at + 1) & (size - 1);
        if (!table[at])
            table[at] = i + 1;
        first[i] = table[at] - 1;
    }
    arena_destroy(scratch);
    return first;
}

void weld_position_key(uint64_t key[WELD_POSITION_WORDS], const float position[3])
{
    for (int k = 0; k < 3; k++) {
        const double cell = (double)position[k] / GRID;
        key[k] = (uint64_t)llround(fmax(fmin(cell, 1e15), -1e15));
    }
}
