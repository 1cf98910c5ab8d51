// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or a motion that satisfies fbx.h. */
#include "format/motion/fbx.h"

#include "fuzz.h"

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    FbxMotion motion;
    if (!fbx_load(&motion, bytes, NULL, arena, diag))
        return false;
    fuzz_require(motion.joint_count && motion.joint_count <= FBX_MAX_JOINTS);
    fuzz_require(motion.take < motion.takes.count);
    fuzz_require(motion.duration_s >= 0 && motion.duration_s <= FBX_MAX_SECONDS);
    for (uint32_t i = 0; i < motion.joint_count; i++) {
        const FbxJoint *joint = &motion.joints[i];
        const double times[] = {0, motion.duration_s / 3, motion.duration_s};
        fuzz_require(joint->parent >= -1 && joint->parent < (int32_t)i);
        fuzz_require(isfinite(vec3_length(joint->rest)));
        fuzz_require(fabs(quat_dot(joint->rest_rotation, joint->rest_rotation) - 1) < 1e-6);
        for (size_t k = 0; k < 3; k++) {
            Vec3 position;
            Quat rotation;
            fbx_local(&position, &rotation, &motion, times[k], i);
            fuzz_require(isfinite(vec3_length(position)));
            fuzz_require(fabs(quat_dot(rotation, rotation) - 1) < 1e-6);
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* zlib packs a number of 8 bytes into 1/129 byte at best; a key of two numbers takes 32 */
    return fuzz_loader(load, data, size, 8192 * size);
}
