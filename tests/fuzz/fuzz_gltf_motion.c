// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or an animation that satisfies gltf_motion.h. */
#include "format/motion/gltf_motion.h"

#include "fuzz_mocap.h"

/* The first buffer in another file has the same bytes, others are empty. */
static bool give(void *user, Bytes *bytes, const char *name, bool optional, Arena *arena,
                 Diag *diag)
{
    (void)name, (void)optional, (void)arena, (void)diag;
    Bytes *left = user;
    *bytes = *left;
    *left = (Bytes){0};
    return true;
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Mocap mocap;
    Bytes side = bytes;
    return gltf_motion_load(&mocap, bytes, NULL, &(SideFiles){give, &side}, arena, diag) &&
           fuzz_mocap(&mocap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* and 64 MiB of zeros, the values of accessors without data (MAX_ZEROS of gltf_values.c) */
    return fuzz_loader(load, data, size, 256 * size + ((size_t)64 << 20));
}
