// SPDX-License-Identifier: MIT
#include "evaluate/pose.h"

void pose_update_position(Pose *pose, uint32_t bone)
{
    PoseBone *b = &pose->bones[bone];
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    const Vec3 offset = vec3_add(b->local_offset, b->append_offset);
    if (b->outside) {
        b->position = vec3_add(b->outside_position, quat_rotate(b->outside_rotation, offset));
    } else if (parent >= 0) {
        const PoseBone *p = &pose->bones[parent];
        b->position = vec3_add(p->position, quat_rotate(p->rotation, vec3_add(b->rest, offset)));
    } else {
        b->position = vec3_add(b->rest, offset);
    }
}

void pose_update_bone(Pose *pose, uint32_t bone)
{
    PoseBone *b = &pose->bones[bone];
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    Quat rotation = quat_mul(b->ik, quat_mul(b->local_rotation, b->append_rotation));
    if (b->outside)
        rotation = quat_mul(b->outside_rotation, rotation);
    else if (parent >= 0)
        rotation = quat_mul(pose->bones[parent].rotation, rotation);
    b->rotation = quat_normalize(rotation);
    pose_update_position(pose, bone);
}

void pose_write(BonePose *out, const Pose *pose, const uint32_t *bones, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const PoseBone *bone = &pose->bones[bones[i]];
        vec3_store(out[bones[i]].position, bone->position);
        quat_store(out[bones[i]].rotation, bone->rotation);
    }
}

BonePose pose_between(const BonePose *a, const BonePose *b, float t)
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

void pose_ease(BonePose *out, const BonePose *bones, const Model *model, float part)
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
