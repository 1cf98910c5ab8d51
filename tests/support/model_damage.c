// SPDX-License-Identifier: MIT
#include "model_damage.h"

#include <stdlib.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "unit_test.h"

/* Resets the arena first.  Returns whether the bytes were loaded. */
static bool load_damaged(LoadModel *load, Bytes bytes, size_t at, const char *what, Arena *arena)
{
    enum { MAX_PER_BYTE = 32, MAX_EXTRA = 256 * 1024 }; /* pmx.c, pmd.c */
    DiagLog log;
    PmxModel model;
    arena_reset(arena);
    diag_log_init(&log);
    const bool loaded = load(&model, bytes, arena, &log.diag);
    if (loaded ? log.diag.errors != 0 : log.diag.errors != 1)
        fail_msg("%s at %zu: loaded %d, messages: %s", what, at, loaded, log.text);
    if (loaded && !pmx_check(&model, &log.diag))
        fail_msg("%s at %zu: invalid model: %s", what, at, log.text);
    if (arena_bytes(arena) > MAX_PER_BYTE * bytes.size + MAX_EXTRA)
        fail_msg("%s at %zu: %zu bytes allocated", what, at, arena_bytes(arena));
    return loaded;
}

void model_damage_truncate(LoadModel *load, Bytes bytes, size_t needed)
{
    Arena *arena = arena_create();
    for (size_t size = 0; size <= bytes.size; size++) {
        const Bytes cut = {bytes.data, size};
        if (load_damaged(load, cut, size, "cut", arena) != (size >= needed))
            fail_msg("cut at %zu of %zu: %s", size, bytes.size,
                     size >= needed ? "refused" : "loaded");
    }
    arena_destroy(arena);
}

void model_damage_flip(LoadModel *load, Bytes bytes)
{
    static const struct {
        const char *what;
        uint8_t bits;
    } flips[] = {{"flip", 0xFF}, {"flip of bit 0", 0x01}};
    Arena *arena = arena_create(), *kept = arena_create();
    uint8_t *copy = arena_copy(kept, bytes.data, bytes.size);
    for (size_t i = 0; i < bytes.size; i++) {
        for (size_t k = 0; k < sizeof flips / sizeof *flips; k++) {
            copy[i] = bytes.data[i] ^ flips[k].bits;
            load_damaged(load, (Bytes){copy, bytes.size}, i, flips[k].what, arena);
        }
        copy[i] = bytes.data[i];
    }
    arena_destroy(arena);
    arena_destroy(kept);
}
