/* Any bytes: refused with a message, or values that can be used. */
#include <math.h>
#include <stdlib.h>

#include "format/model/vac.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void ignore(void *user, DiagLevel level, const char *message)
{
    (void)user, (void)level, (void)message;
}

static bool is_usable(const Vac *vac)
{
    bool good = vac->name && vac->file && *vac->file && vac->bone && vac->scale > 0.0f;
    for (int k = 0; k < 3; k++)
        good = good && isfinite(vac->position[k]) && isfinite(vac->rotation_deg[k]);
    return good;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MOST_PER_BYTE = 8, MOST_MORE = 256 * 1024 };
    Arena *arena = arena_create();
    Diag diag;
    diag_init(&diag, ignore, NULL);
    Vac vac;
    const bool loaded = vac_load(&vac, (Bytes){data, size}, arena, &diag);
    if (loaded ? !is_usable(&vac) : diag.errors == 0)
        abort();
    if (arena_bytes(arena) > MOST_PER_BYTE * size + MOST_MORE)
        abort();
    arena_destroy(arena);
    return 0;
}
