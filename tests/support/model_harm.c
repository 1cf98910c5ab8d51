#include "model_harm.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "heard.h"

bool harm_try(LoadModel *load, Bytes bytes, size_t at, const char *what)
{
    enum { MOST_PER_BYTE = 32, MOST_MORE = 256 * 1024 }; /* pmx.c, pmd.c */
    Arena *arena = arena_create();
    Heard heard;
    PmxModel model;
    heard_init(&heard);
    const bool loaded = load(&model, bytes, arena, &heard.diag);
    if (loaded ? heard.diag.errors != 0 : heard.diag.errors != 1)
        fail_msg("%s at %zu: loaded %d, told %s", what, at, loaded, heard.text);
    if (loaded && !pmx_check(&model, &heard.diag))
        fail_msg("%s at %zu: broken promise: %s", what, at, heard.text);
    if (arena_bytes(arena) > MOST_PER_BYTE * bytes.size + MOST_MORE)
        fail_msg("%s at %zu: %zu bytes taken", what, at, arena_bytes(arena));
    arena_destroy(arena);
    return loaded;
}

void harm_cut(LoadModel *load, Bytes bytes, size_t needed)
{
    for (size_t size = 0; size <= bytes.size; size++) {
        /* In memory of its own, so that the sanitizers see the end. */
        Arena *arena = arena_create();
        const Bytes cut = {arena_copy(arena, bytes.data, size), size};
        if (harm_try(load, cut, size, "cut") != (size >= needed))
            fail_msg("cut at %zu of %zu: %s", size, bytes.size,
                     size >= needed ? "refused" : "loaded");
        arena_destroy(arena);
    }
}

void harm_flip(LoadModel *load, Bytes bytes)
{
    Arena *arena = arena_create();
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    for (size_t i = 0; i < bytes.size; i++) {
        copy[i] = bytes.data[i] ^ 0xFF;
        harm_try(load, (Bytes){copy, bytes.size}, i, "flip");
        copy[i] = bytes.data[i] ^ 0x01;
        harm_try(load, (Bytes){copy, bytes.size}, i, "flip of bit 0");
        copy[i] = bytes.data[i];
    }
    arena_destroy(arena);
}
