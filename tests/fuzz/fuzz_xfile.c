// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or an accessory that satisfies pmx.h. */
#include <string.h>

#include "asset_check.h"
#include "format/model/xfile.h"
#include "format/model/xfile_lexer.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!xfile_load(&model, bytes, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag) && model.accessory);
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { FORMAT_OFFSET = 8 };
    const bool compressed = size > FORMAT_OFFSET + 4 && !memcmp(data + FORMAT_OFFSET + 1, "zip", 3);
    const size_t inflated = compressed ? XFILE_MAX_INFLATE_RATIO * size : size;
    return fuzz_loader(load, data, size, 64 * inflated);
}
