// SPDX-License-Identifier: MIT
/*
 * fuzz.h - shared by the fuzz targets: one input, with the checks that hold for every loader
 *
 * A target aborts if the code under test breaks its contract; libFuzzer and damage.c report the
 * input.  The functions are inline because a target is linked with the library alone.
 */
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stdlib.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool condition)
{
    if (!condition)
        abort();
}

static inline Diag fuzz_diag(void)
{
    Diag diag = diag_quiet();
    return diag;
}

/* Loads the bytes and aborts if the result is invalid; false if the loader refused them. */
typedef bool FuzzLoad(Bytes bytes, Arena *arena, Diag *diag);

/* Requires an error message for every refusal, and at most `max_memory` + 256 KiB of the arena. */
static inline int fuzz_loader(FuzzLoad *load, const uint8_t *data, size_t size, size_t max_memory)
{
    Arena *arena = arena_create();
    Diag diag = fuzz_diag();
    const bool loaded = load((Bytes){data, size}, arena, &diag);
    fuzz_require(loaded || diag.errors > 0);
    fuzz_require(arena_bytes(arena) <= max_memory + 256 * 1024);
    arena_destroy(arena);
    return 0;
}

#endif
