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
