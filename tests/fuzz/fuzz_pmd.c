// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a model that satisfies pmx.h. */
#include "asset_check.h"
#include "format/model/pmd.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!pmd_load(&model, bytes, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 32 * size);
}
