/* Arbitrary bytes: an error message, or effects that satisfy emm.h. */
#include "format/project/emm.h"

#include <string.h>

#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Emm emm;
    if (!emm_load(&emm, bytes, arena, diag))
        return false;
    for (size_t i = 0; i < emm.count; i++) {
        const EmmEntry *entry = &emm.entries[i];
        fuzz_require(*entry->section && *entry->object && *entry->path);
        fuzz_require(!strchr(entry->path, '\n') && strcmp(entry->path, "none") != 0);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 64 * size);
}
