// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or motion capture that satisfies bvh.h. */
#include "format/motion/bvh.h"

#include <math.h>

#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    BvhMotion motion;
    Vec3 position;
    Quat rotation;
    if (!bvh_load(&motion, bytes, arena, diag))
        return false;
    fuzz_require(motion.joint_count && motion.frame_count && motion.frame_s > 0);
    for (uint32_t i = 0; i < motion.joint_count; i++) {
        const BvhJoint *joint = &motion.joints[i];
        fuzz_require(joint->parent >= -1 && joint->parent < (int32_t)i);
        fuzz_require(joint->first_value + joint->channel_count <= motion.value_count);
        bvh_local(&position, &rotation, &motion, motion.frame_count - 1, i);
        fuzz_require(isfinite(position.x + position.y + position.z));
        fuzz_require(fabs(quat_dot(rotation, rotation) - 1) < 1e-6);
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_loader(load, data, size, 256 * size);
}
