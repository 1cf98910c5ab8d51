#include "evaluate/pose.h"

void pose_update_bone(Pose *pose, uint32_t bone)
{
    PoseBone *b = &pose->bones[bone];
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    const Vec3 offset = vec3_add(b->local_offset, b->append_offset);
    Vec3 position = vec3_add(b->rest, offset);
    Quat rotation = quat_mul(b->ik, quat_mul(b->local_rotation, b->append_rotation));
    if (b->outside) {
        position = vec3_add(b->outside_position, quat_rotate(b->outside_rotation, offset));
        rotation = quat_mul(b->outside_rotation, rotation);
    } else if (parent >= 0) {
        const PoseBone *p = &pose->bones[parent];
        position = vec3_add(p->position, quat_rotate(p->rotation, position));
        rotation = quat_mul(p->rotation, rotation);
    }
    b->position = position;
    b->rotation = quat_normalize(rotation);
}

void pose_write(BonePose *out, const Pose *pose)
{
    for (uint32_t i = 0; i < pose->model->model->pmx.bone_count; i++) {
        vec3_store(out[i].position, pose->bones[i].position);
        quat_store(out[i].rotation, pose->bones[i].rotation);
    }
}
