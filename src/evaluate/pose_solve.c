// SPDX-License-Identifier: MIT
#include "evaluate/pose_solve.h"

#include "evaluate/ik/ik.h"
#include "evaluate/morph.h"
#include "evaluate/vrm/constraints.h"

void pose_solve_create(Pose *pose, const SceneModel *model, const Compat *compat, Arena *arena)
{
    const Model *m = model->model;
    const uint32_t count = m->pmx.bone_count;
    *pose = (Pose){.model = model,
                   .compat = *compat,
                   .bones = arena_array(arena, PoseBone, count),
                   .chains = arena_array(arena, IkChain, m->ik_count),
                   .chain_of = arena_array(arena, int32_t, count),
                   .ik_on = arena_array(arena, bool, m->ik_count)};

    uint32_t *order_index = arena_array(arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        order_index[m->order[i]] = i;
    for (uint32_t i = 0; i < count; i++) {
        const PmxBone *bone = &m->pmx.bones[i];
        pose->bones[i].rest = vec3_load(bone->position);
        if (bone->parent >= 0)
            pose->bones[i].rest =
                vec3_sub(vec3_load(bone->position), vec3_load(m->pmx.bones[bone->parent].position));
        pose->chain_of[i] = -1;
    }
    for (uint32_t i = 0; i < m->ik_count; i++) {
        ik_chain_create(&pose->chains[i], m, m->ik_bones[i], order_index, arena);
        pose->chain_of[m->ik_bones[i]] = (int32_t)i;
    }
    pose->constraints = constraints_create(m, arena);
}

void pose_solve_begin(Pose *pose, const BoneSubset *bones, const float *leaf_weights, double frame)
{
    const Model *m = pose->model->model;
    const ModelMotion *motion = &pose->model->motion;

    for (uint32_t i = 0; i < bones->count; i++) {
        const uint32_t index = bones->parents_first[i];
        PoseBone *bone = &pose->bones[index];
        const BoneSample key =
            motion_bone(&motion->bones[index], frame, pose->compat.curve_halvings);
        bone->local_offset = vec3_load(key.translation);
        bone->local_rotation = quat_load(key.rotation);
        bone->physics = key.physics;
        bone->append_offset = (Vec3){0, 0, 0};
        bone->append_rotation = bone->ik = QUAT_IDENTITY;
        bone->ik_link = false;
    }
    morph_bones(pose, leaf_weights);
    for (uint32_t i = 0; i < m->ik_count; i++)
        pose->ik_on[i] = motion_switch(&motion->ik[m->ik_bones[i]], frame);
    for (uint32_t i = 0; i < bones->count; i++)
        pose_update_bone(pose, bones->parents_first[i]);
}

void pose_solve_append(Pose *pose, uint32_t index)
{
    const PmxModel *pmx = &pose->model->model->pmx;
    const PmxBone *bone = &pmx->bones[index];
    if (bone->append_source < 0 || bone->append_source == (int32_t)index)
        return;

    /* The offset and rotation that the source passes on (evaluate/README.md 3). */
    const PmxBone *source = &pmx->bones[bone->append_source];
    const PoseBone *s = &pose->bones[bone->append_source];
    const bool local = (bone->flags & PMX_BONE_APPEND_LOCAL) != 0;
    const bool chain = !local && source->append_source >= 0;
    const bool own = pose->compat.append_chain == APPEND_OWN;
    Quat rotation = s->local_rotation;
    Vec3 offset = s->local_offset;
    if (chain && (source->flags & PMX_BONE_APPEND_ROTATION))
        rotation = own ? quat_mul(s->local_rotation, s->append_rotation) : s->append_rotation;
    if (chain && (source->flags & PMX_BONE_APPEND_TRANSLATION))
        offset = own ? vec3_add(s->local_offset, s->append_offset) : s->append_offset;
    if (s->ik_link && !local)
        rotation = quat_mul(s->ik, rotation);

    const double ratio = (double)bone->append_ratio;
    if (bone->flags & PMX_BONE_APPEND_ROTATION)
        pose->bones[index].append_rotation = quat_power(rotation, ratio);
    if (bone->flags & PMX_BONE_APPEND_TRANSLATION)
        pose->bones[index].append_offset = vec3_scale(offset, ratio);
}

static void transform(Pose *pose, const uint32_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        pose_solve_append(pose, order[i]);
        pose_update_bone(pose, order[i]);
        const int32_t chain = pose->chain_of[order[i]];
        if (chain >= 0 && pose->ik_on[chain])
            ik_solve(pose, &pose->chains[chain], pose->compat.ik);
    }
}

void pose_solve_before_physics(Pose *pose, const BoneSubset *bones)
{
    transform(pose, bones->order, bones->before_physics);
    if (pose->constraints)
        constraints_solve(pose->constraints, pose);
}

/* ---- bodies ---- */

/* Moves a bone to its simulated transform in the world, and recomputes its local parts. */
static void move_bone(Pose *pose, uint32_t index, BodyRole role, const BonePose *moved,
                      const Placement *placement)
{
    PoseBone *bone = &pose->bones[index];
    const int32_t parent = pose->model->model->pmx.bones[index].parent;
    const PoseBone root = {.rotation = QUAT_IDENTITY};
    const PoseBone *above = parent >= 0 ? &pose->bones[parent] : &root;

    pose_update_bone(pose, index);
    if (role != BODY_TURNS)
        bone->position = placement_inverse_point(placement, vec3_load(moved->position));
    const Quat inverse = quat_inverse(quat_load(placement->rotation));
    bone->rotation = quat_normalize(quat_mul(inverse, quat_load(moved->rotation)));

    const Quat back = quat_inverse(above->rotation);
    const Vec3 delta = quat_rotate(back, vec3_sub(bone->position, above->position));
    bone->local_offset = vec3_sub(delta, bone->rest);
    bone->local_rotation = quat_normalize(quat_mul(back, bone->rotation));
    bone->append_offset = (Vec3){0, 0, 0};
    bone->append_rotation = bone->ik = QUAT_IDENTITY;
    bone->ik_link = false;
}

void pose_solve_physics(Pose *pose, const World *world, size_t model, const Placement *placement,
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

void pose_solve_after_physics(Pose *pose)
{
    const Model *m = pose->model->model;
    transform(pose, m->order + m->before_physics, m->pmx.bone_count - m->before_physics);
}
