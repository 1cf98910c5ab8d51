#include "model_harm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "heard.h"

/* Resets the arena first.  Returns whether the bytes were loaded. */
static bool try_to_load(LoadModel *load, Bytes bytes, size_t at, const char *what, Arena *arena)
{
    enum { MOST_PER_BYTE = 32, MOST_MORE = 256 * 1024 }; /* pmx.c, pmd.c */
    Heard heard;
    PmxModel model;
    arena_reset(arena);
    heard_init(&heard);
    const bool loaded = load(&model, bytes, arena, &heard.diag);
    if (loaded ? heard.diag.errors != 0 : heard.diag.errors != 1)
        fail_msg("%s at %zu: loaded %d, told %s", what, at, loaded, heard.text);
    if (loaded && !pmx_check(&model, &heard.diag))
        fail_msg("%s at %zu: broken promise: %s", what, at, heard.text);
    if (arena_bytes(arena) > MOST_PER_BYTE * bytes.size + MOST_MORE)
        fail_msg("%s at %zu: %zu bytes taken", what, at, arena_bytes(arena));
    return loaded;
}

void harm_cut(LoadModel *load, Bytes bytes, size_t needed)
{
    Arena *arena = arena_create();
    for (size_t size = 0; size <= bytes.size; size++) {
        const Bytes cut = {bytes.data, size};
        if (try_to_load(load, cut, size, "cut", arena) != (size >= needed))
            fail_msg("cut at %zu of %zu: %s", size, bytes.size,
                     size >= needed ? "refused" : "loaded");
    }
    arena_destroy(arena);
}

void harm_flip(LoadModel *load, Bytes bytes)
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
            try_to_load(load, (Bytes){copy, bytes.size}, i, flips[k].what, arena);
        }
        copy[i] = bytes.data[i];
    }
    arena_destroy(arena);
    arena_destroy(kept);
}
