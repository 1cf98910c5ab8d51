#include "evaluate/bone_pose.h"

#include "math/rotation.h"

BonePose bone_pose_between(const BonePose *a, const BonePose *b, float t)
{
    const double part = (double)t;
    const Vec3 from = vec3_load(a->position), delta = vec3_sub(vec3_load(b->position), from);
    BonePose out;

    if (!(t > 0) || t >= 1)
        return t >= 1 ? *b : *a;
    vec3_store(out.position, vec3_add(from, vec3_scale(delta, part)));
    quat_store(out.rotation,
               quat_normalize(quat_slerp(quat_load(a->rotation), quat_load(b->rotation), part)));
    return out;
}

void bone_pose_ease(BonePose *out, const BonePose *bones, const Model *model, float part)
{
    for (uint32_t i = 0; i < model->pmx.bone_count; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = model->pmx.bones[bone].parent;
        Vec3 position = vec3_load(bones[bone].position);
        Quat rotation = quat_load(bones[bone].rotation);
        if (parent < 0) {
            quat_store(out[bone].rotation, quat_slerp(QUAT_IDENTITY, rotation, (double)part));
            vec3_store(out[bone].position, position);
            continue;
        }
        const Quat back = quat_inverse(quat_load(bones[parent].rotation));
        const Quat above = quat_load(out[parent].rotation);
        position = quat_rotate(back, vec3_sub(position, vec3_load(bones[parent].position)));
        rotation = quat_slerp(QUAT_IDENTITY, quat_mul(back, rotation), (double)part);
        vec3_store(out[bone].position,
                   vec3_add(vec3_load(out[parent].position), quat_rotate(above, position)));
        quat_store(out[bone].rotation, quat_normalize(quat_mul(above, rotation)));
    }
}
