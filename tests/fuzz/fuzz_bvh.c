// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or motion capture that satisfies bvh.h. */
#include "format/motion/bvh.h"

#include "fuzz_mocap.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Mocap mocap;
    return bvh_load(&mocap, bytes, arena, diag) && fuzz_mocap(&mocap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 256 * size);
}
