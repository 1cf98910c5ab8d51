// SPDX-License-Identifier: MIT
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
        const char *effect = emm_effect(entry), *target = emm_target(entry);
        const bool is_rule = entry->kind == EMM_OWNER || entry->kind == EMM_DEFAULT;
        fuzz_require(*entry->section && *entry->value && !*entry->object == is_rule);
        fuzz_require(!strchr(entry->value, '\n') && entry->subset >= -1);
        fuzz_require(!emm_is_effect(entry) || effect == entry->value);
        fuzz_require(!target || strchr(entry->section, '@'));
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 64 * size);
}
