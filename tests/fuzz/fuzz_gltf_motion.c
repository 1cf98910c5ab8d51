// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or an animation that satisfies gltf_motion.h. */
#include "format/motion/gltf_motion.h"

#include <math.h>

#include "fuzz.h"

static bool is_finite(Vec3 v)
{
    return isfinite(v.x + v.y + v.z);
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    GltfMotion motion;
    if (!gltf_motion_load(&motion, bytes, NULL, arena, diag))
        return false;
    fuzz_require(motion.node_count && motion.node_count <= GLTF_MOTION_MAX_NODES);
    fuzz_require(motion.take < motion.takes.count && motion.takes.moves[motion.take]);
    fuzz_require(motion.duration_s >= 0 && motion.duration_s <= GLTF_MOTION_MAX_SECONDS);
    for (uint32_t i = 0; i < motion.node_count; i++) {
        const GltfMotionNode *node = &motion.nodes[i];
        const double times[] = {0, motion.duration_s / 3, motion.duration_s};
        fuzz_require(node->parent >= -1 && node->parent < (int32_t)i);
        fuzz_require(is_finite(node->rest));
        fuzz_require(fabs(quat_dot(node->rest_rotation, node->rest_rotation) - 1) < 1e-6);
        for (size_t k = 0; k < 3; k++) {
            Vec3 position;
            Quat rotation;
            gltf_motion_local(&position, &rotation, &motion, times[k], i);
            fuzz_require(is_finite(position));
            fuzz_require(fabs(quat_dot(rotation, rotation) - 1) < 1e-6);
        }
    }
    return true;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* and 64 MiB of zeros, the values of accessors without data (MAX_ZEROS of gltf_values.c) */
    return fuzz_loader(load, data, size, 256 * size + ((size_t)64 << 20));
}
