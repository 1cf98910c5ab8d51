// SPDX-License-Identifier: MIT
/* Arbitrary bytes: an error message, or an avatar that satisfies pmx.h and vrm_rig.h. */
#include <math.h>

#include "asset_check.h"
#include "format/model/vrm.h"
#include "fuzz.h"

static void require_bone(const PmxModel *m, int32_t bone, int32_t least)
{
    fuzz_require(bone >= least && bone < (int32_t)m->bone_count);
}

static void require_finite(const float *values, int count)
{
    for (int i = 0; i < count; i++)
        fuzz_require(fabsf(values[i]) <= PMX_MAX_VALUE);
}

static void require_rig(const PmxModel *m)
{
    const VrmRig *rig = m->rig;
    for (uint32_t i = 0; i < rig->collider_count; i++) {
        const VrmCollider *c = &rig->colliders[i];
        require_bone(m, c->bone, 0);
        require_finite(c->offset, 3);
        require_finite(c->end, 3);
        require_finite(&c->radius, 1);
    }
    for (uint32_t i = 0; i < rig->joint_count; i++) {
        const VrmJoint *j = &rig->joints[i];
        require_bone(m, j->bone, 1);
        require_bone(m, j->center, -1);
        require_finite(j->tail, 3);
        require_finite(j->gravity, 3);
        require_finite((const float[]){j->radius, j->stiffness, j->drag}, 3);
        for (uint32_t k = 0; k < j->collider_count; k++)
            fuzz_require(j->colliders[k] < rig->collider_count);
    }
    for (uint32_t i = 0; i < rig->constraint_count; i++) {
        const VrmConstraint *c = &rig->constraints[i];
        require_bone(m, c->node.bone, 1);
        require_bone(m, c->source.bone, 0);
        require_bone(m, c->node.parent, -1);
        require_bone(m, c->source.parent, -1);
        require_finite(c->node.world, 4);
        require_finite(c->source.world, 4);
    }
    fuzz_require(rig->expression_count <= m->morph_count);
    for (int k = 0; k < VRM_DIRECTIONS; k++)
        fuzz_require(rig->look_at.morph[k] < (int32_t)m->morph_count && rig->look_at.range[k] > 0);
}

static bool load(Bytes bytes, Arena *arena, Diag *diag)
{
    PmxModel model;
    if (!vrm_load(&model, bytes, &(SideFiles){0}, arena, diag))
        return false;
    fuzz_require(pmx_check(&model, diag) && !model.accessory);
    require_rig(&model);
    return true;
}

/* As fuzz_gltf.c. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { MAX_BYTES_PER_BYTE = 4096, MAX_OF_SMALL = 64 << 20 };
    return fuzz_loader(load, data, size, MAX_BYTES_PER_BYTE * size + MAX_OF_SMALL);
}
