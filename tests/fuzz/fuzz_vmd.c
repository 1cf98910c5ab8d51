// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a motion that satisfies vmd.h. */
#include "asset_check.h"
#include "format/motion/vmd.h"
#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    VmdMotion motion;
    if (!vmd_load(&motion, bytes, arena, diag))
        return false;
    fuzz_require(vmd_check(&motion, diag));
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 8 * size);
}
