/* Any bytes: refused with a message, or an accessory that keeps the promises of pmx.h. */
#include <stdlib.h>
#include <string.h>

#include "format/model/xfile.h"
#include "format/model/xfile_inflate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 64, MOST_MORE = 256 * 1024, KIND_AT = 8 }; /* xfile.c */
    const bool packed = size > KIND_AT + 4 && !memcmp(data + KIND_AT + 1, "zip", 3);
    const size_t unpacked = packed ? XFILE_MAX_INFLATE_RATIO * size : size;
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    PmxModel model;
    const bool loaded = xfile_load(&model, (Bytes){data, size}, arena, &diag);
    if (loaded ? !pmx_check(&model, &diag) || !model.accessory : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * unpacked + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
