#include "evaluate/physics/physics_pose.h"

/* From world space to the space of a model. */
static void into_model(PoseBone *bone, const BonePose *world, const Placement *placement)
{
    const Quat inverse = quat_inverse(quat_load(placement->rotation));
    bone->position = placement_inverse_point(placement, vec3_load(world->position));
    bone->rotation = quat_normalize(quat_mul(inverse, quat_load(world->rotation)));
}

/* Recomputes the local parts of a bone from its position and rotation. */
static void settle(PoseBone *bone, const PoseBone *parent)
{
    const PoseBone root = {.rotation = QUAT_IDENTITY};
    const PoseBone *above = parent ? parent : &root;
    const Quat back = quat_inverse(above->rotation);
    const Vec3 delta = quat_rotate(back, vec3_sub(bone->position, above->position));

    bone->local_offset = vec3_sub(delta, bone->rest);
    bone->local_rotation = quat_normalize(quat_mul(back, bone->rotation));
    bone->append_offset = (Vec3){0, 0, 0};
    bone->append_rotation = bone->ik = QUAT_IDENTITY;
    bone->ik_link = false;
}

static void move_bone(Pose *pose, uint32_t index, BodyRole role, const BonePose *moved,
                      const Placement *placement)
{
    PoseBone *bone = &pose->bones[index];
    const int32_t parent = pose->model->model->pmx.bones[index].parent;

    pose_update_bone(pose, index);
    const Vec3 unmoved = bone->position;
    into_model(bone, moved, placement);
    if (role == BODY_TURNS)
        bone->position = unmoved;
    settle(bone, parent >= 0 ? &pose->bones[parent] : NULL);
}

void physics_pose(Pose *pose, const World *world, size_t model, const Placement *placement,
                  float blend)
{
    const Model *m = pose->model->model;

    for (uint32_t i = 0; i < m->pmx.bone_count; i++) {
        const uint32_t index = m->parents_first[i];
        const int32_t parent = m->pmx.bones[index].parent;
        BonePose moved;
        const BodyRole role = world_bone(&moved, world, model, index, blend);
        pose->bones[index].moved =
            role != BODY_FOLLOWS || (parent >= 0 && pose->bones[parent].moved);
        if (role != BODY_FOLLOWS)
            move_bone(pose, index, role, &moved, placement);
        else if (pose->bones[index].moved)
            pose_update_bone(pose, index);
    }
}
