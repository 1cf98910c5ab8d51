// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a motion that satisfies fbx.h. */
#include "format/motion/fbx.h"

#include "fuzz_mocap.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Mocap mocap;
    return fbx_load(&mocap, bytes, NULL, arena, diag) && fuzz_mocap(&mocap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* zlib packs a number of 8 bytes into 1/129 byte at best; a key of two numbers takes 56 */
    return fuzz_loader(load, data, size, 8192 * size);
}
