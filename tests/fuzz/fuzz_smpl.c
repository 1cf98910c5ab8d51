// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a motion that satisfies smpl.h. */
#include "format/motion/smpl.h"

#include <math.h>

#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    SmplMotion motion;
    if (!smpl_load(&motion, bytes, SMPL_UP_AUTO, arena, diag))
        return false;
    fuzz_require(motion.joint_count == SMPL_BODY_JOINTS || motion.joint_count == SMPL_MAX_JOINTS);
    fuzz_require(motion.frame_count && motion.frame_count <= SMPL_MAX_FRAMES);
    fuzz_require(motion.fps >= 1 && motion.fps <= 1000);
    fuzz_require(motion.up > SMPL_UP_AUTO && motion.up <= SMPL_UP_MINUS_Y);
    for (uint32_t i = 0; i < motion.joint_count; i++) {
        Vec3 position;
        Quat rotation;
        fuzz_require(motion.joints[i].parent < (int32_t)i);
        smpl_local(&position, &rotation, &motion, motion.frame_count - 1, i);
        fuzz_require(isfinite(vec3_length(position)));
        fuzz_require(fabs(quat_dot(rotation, rotation) - 1) < 1e-6);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* an archive unpacks to 64 MiB and 200 times its size (base/archive.h); a frame of 66 bytes
     * (u1) becomes 22 or 52 rotations of 16 bytes, and the same as double of its scratch memory is
     * gone */
    return fuzz_loader(load, data, size, 16 * (200 * size + ((size_t)64 << 20)));
}
