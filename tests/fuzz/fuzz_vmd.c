/* Any bytes: refused with a message, or a motion that keeps the promises of vmd.h. */
#include <stdlib.h>

#include "format/motion/vmd.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 8, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    VmdMotion motion;
    const bool loaded = vmd_load(&motion, (Bytes){data, size}, arena, &diag);
    if (loaded ? !vmd_check(&motion, &diag) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
