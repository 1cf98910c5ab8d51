// SPDX-License-Identifier: MIT
#include "evaluate/vrm/constraints.h"

struct Constraints {
    const VrmRig *rig;
    int32_t *of_bone; /* [bone_count] or -1 */
    uint32_t *order;  /* [count] constrained bones and their descendants, after all they read */
    uint32_t count;
};

enum { NEW, OPEN, DONE, DEPENDENCIES = 4 };

ConstraintSources constraints_sources(const Constraints *c, uint32_t bone)
{
    ConstraintSources out = {{-1, -1, -1}};
    if (c->of_bone[bone] >= 0) {
        const VrmConstraint *constraint = &c->rig->constraints[c->of_bone[bone]];
        out.bones[0] = constraint->source.bone;
        out.bones[1] = constraint->source.parent;
        out.bones[2] = constraint->node.parent;
    }
    return out;
}

static int32_t dependency(const Constraints *c, const PmxModel *pmx, uint32_t bone, uint32_t i)
{
    return i == 0 ? pmx->bones[bone].parent : constraints_sources(c, bone).bones[i - 1];
}

/* Depth first.  A bone that depends on itself reads what the pose was before. */
static void order_bones(Constraints *c, const Model *model, const bool *moves, Arena *scratch)
{
    typedef struct Visit {
        uint32_t bone, next;
    } Visit;
    const uint32_t bones = model->pmx.bone_count;
    Visit *stack = arena_array(scratch, Visit, bones);
    uint8_t *state = arena_array(scratch, uint8_t, bones);
    for (uint32_t i = 0; i < bones; i++) {
        uint32_t depth = 0;
        if (state[i] == NEW && moves[i]) {
            stack[depth++] = (Visit){i, 0};
            state[i] = OPEN;
        }
        while (depth) {
            Visit *top = &stack[depth - 1];
            if (top->next == DEPENDENCIES) {
                state[top->bone] = DONE;
                c->order[c->count++] = top->bone;
                depth--;
                continue;
            }
            const int32_t other = dependency(c, &model->pmx, top->bone, top->next++);
            if (other >= 0 && moves[other] && state[other] == NEW) {
                state[other] = OPEN;
                stack[depth++] = (Visit){(uint32_t)other, 0};
            }
        }
    }
}

Constraints *constraints_create(const Model *model, Arena *arena)
{
    const VrmRig *rig = model->pmx.rig;
    const uint32_t bones = model->pmx.bone_count;
    if (!rig || !rig->constraint_count)
        return NULL;
    Constraints *c = arena_array(arena, Constraints, 1);
    *c = (Constraints){.rig = rig,
                       .of_bone = arena_array(arena, int32_t, bones),
                       .order = arena_array(arena, uint32_t, bones)};
    Arena *scratch = arena_create();
    bool *moves = arena_array(scratch, bool, bones);
    for (uint32_t b = 0; b < bones; b++)
        c->of_bone[b] = -1;
    for (uint32_t i = 0; i < rig->constraint_count; i++)
        c->of_bone[rig->constraints[i].node.bone] = (int32_t)i;
    for (uint32_t i = 0; i < bones; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = model->pmx.bones[bone].parent;
        moves[bone] = c->of_bone[bone] >= 0 || (parent >= 0 && moves[parent]);
    }
    order_bones(c, model, moves, scratch);
    arena_destroy(scratch);
    return c;
}

/* ---- a pose ---- */

/* How a node is turned in the space of the model; -1: the model itself. */
static Quat rotation_of(const Pose *pose, int32_t bone, const float world[4])
{
    const Quat rest = quat_load(world);
    return bone < 0 ? rest : quat_mul(pose->bones[bone].rotation, rest);
}

/* The rotation that the constraint asks for, relative to the node above.  `above` is how that is
 * turned. */
static Quat target_of(const VrmConstraint *c, const Pose *pose, Quat above)
{
    const VrmNodeRest *node = &c->node, *source = &c->source;
    const Quat rest = quat_load(node->local), back = quat_inverse(rest);
    const Vec3 axis = vec3_load(c->axis);
    if (c->kind == VRM_AIM) {
        const Vec3 from = pose->bones[node->bone].position;
        const Vec3 to = vec3_normalize(vec3_sub(pose->bones[source->bone].position, from));
        const Quat turned = quat_mul(above, rest);
        if (!(vec3_length(to) > 0))
            return rest;
        return quat_mul(quat_inverse(above),
                        quat_mul(quat_between(quat_rotate(turned, axis), to), turned));
    }
    const Quat local =
        quat_mul(quat_inverse(rotation_of(pose, source->parent, source->parent_world)),
                 rotation_of(pose, source->bone, source->world));
    const Quat source_back = quat_inverse(quat_load(source->local));
    if (c->kind == VRM_ROTATION)
        return quat_mul(rest, quat_mul(source_back, local));
    const Quat turn = quat_mul(back, quat_mul(local, quat_mul(source_back, rest)));
    const Vec3 swung = vec3_normalize(quat_rotate(turn, axis));
    return quat_mul(rest, quat_mul(quat_between(swung, axis), turn));
}

static void solve(const VrmConstraint *c, Pose *pose)
{
    const uint32_t index = (uint32_t)c->node.bone;
    PoseBone *bone = &pose->bones[index];
    const int32_t parent = pose->model->model->pmx.bones[index].parent;
    const Quat above = rotation_of(pose, c->node.parent, c->node.parent_world);
    pose_update_position(pose, index);
    const Quat local =
        quat_slerp(quat_load(c->node.local),
                   quat_normalize(target_of(c, pose, quat_normalize(above))), (double)c->weight);
    const Quat rotation = quat_mul(quat_mul(above, local), quat_inverse(quat_load(c->node.world)));
    const Quat model_above = bone->outside ? bone->outside_rotation
                             : parent >= 0 ? pose->bones[parent].rotation
                                           : QUAT_IDENTITY;
    bone->local_rotation = quat_normalize(quat_mul(quat_inverse(model_above), rotation));
    bone->append_rotation = bone->ik = QUAT_IDENTITY;
    bone->ik_link = false;
}

void constraints_solve(const Constraints *c, Pose *pose)
{
    for (uint32_t i = 0; i < c->count; i++) {
        if (c->of_bone[c->order[i]] >= 0)
            solve(&c->rig->constraints[c->of_bone[c->order[i]]], pose);
        pose_update_bone(pose, c->order[i]);
    }
}
