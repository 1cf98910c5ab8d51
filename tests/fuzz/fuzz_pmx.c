/* Any bytes: refused with a message, or a model that keeps the promises of pmx.h. */
#include <stdlib.h>

#include "format/model/pmx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 32, MOST_MORE = 256 * 1024 }; /* pmx.c */
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    PmxModel model;
    const bool loaded = pmx_load(&model, (Bytes){data, size}, arena, &diag);
    if (loaded ? !pmx_check(&model, &diag) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
