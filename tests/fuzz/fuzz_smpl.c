// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a motion that satisfies smpl.h. */
#include "format/motion/smpl.h"

#include "fuzz_mocap.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    Mocap mocap;
    if (!smpl_load(&mocap, bytes, NULL, SMPL_UP_AUTO, arena, diag))
        return false;
    fuzz_require(mocap.joint_count == SMPL_BODY_JOINTS || mocap.joint_count == SMPL_MAX_JOINTS);
    fuzz_require(mocap.frame_count && mocap.frame_count <= SMPL_MAX_FRAMES);
    fuzz_require(mocap.fps >= 1 && mocap.fps <= 1000);
    fuzz_require(mocap.up > SMPL_UP_AUTO && mocap.up <= SMPL_UP_MINUS_Y);
    return fuzz_mocap(&mocap);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* an archive unpacks to 64 MiB and 200 times its size (base/archive.h); a frame of 66 bytes
     * (u1) becomes 22 or 52 rotations of 16 bytes, and the same as double of its scratch memory is
     * gone */
    return fuzz_loader(load, data, size, 16 * (200 * size + ((size_t)64 << 20)));
}
