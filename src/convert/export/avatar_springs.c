// SPDX-License-Identifier: MIT
#include "convert/export/avatar_springs.h"

#include <math.h>
#include <string.h>

/* What brings the demo's hair and skirt closest to its physics over 10 s of the dance (README 4.1).
 * With the drag that has the same effect as MMD's damping, chains swing too far, as VRM has no
 * limits of angles. */
static const double GRAVITY_POWER = 2 * 98 * 0.08 / 60; /* for steps of 1/60 s, metres */
static const double STIFFNESS = 3 * 98 * 0.08 / 60;
static const double MIN_DRAG = 0.4;
static const double STEPS = 60;             /* a second, of spring bones */
static const double MAX_STIFFNESS = 4;      /* of VRM's editors */
static const double STIFF_ANGLE = 5e-3;     /* radians; a joint that turns less is rigid */
static const double RIGHT_ANGLE = 1.570796; /* as far as gravity can turn a horizontal bone */

typedef struct Maker {
    AvatarSprings *out;
    AvatarRig *rig;
    const PmxModel *from;
    const PmxBody **body_of; /* [node_count] the simulated body of a node; NULL: none */
    double *angle_of;        /* [node_count] how far its joint turns, radians */
    int32_t *child_of;       /* [node_count] a simulated node below; PMX_NONE: none */
    bool *continues;         /* [node_count] it continues the chain of its parent */
    Arena *arena;
} Maker;

/* ---- colliders ---- */

static void add_collider(Maker *m, const PmxBody *body)
{
    const Quat turn = quat_from_euler_yxz((double)body->rotation[0], (double)body->rotation[1],
                                          (double)body->rotation[2]);
    const int32_t node = m->rig->node_of[body->bone];
    const Vec3 base = vec3_load(m->rig->pmx.bones[node].position);
    Vec3 axis = {0, 1, 0};
    double radius = (double)body->size[0], half = 0;
    if (body->shape == PMX_CAPSULE)
        half = (double)body->size[1] / 2;
    if (body->shape == PMX_BOX) { /* a capsule along its longest side, of the mean of the others */
        int longest = 0;
        double product = 1;
        for (int k = 0; k < 3; k++)
            longest = body->size[k] > body->size[longest] ? k : longest;
        for (int k = 0; k < 3; k++)
            product *= k == longest ? 1 : (double)body->size[k];
        radius = sqrt(product);
        half = fmax((double)body->size[longest] - radius, 0);
        axis = (Vec3){longest == 0, longest == 1, longest == 2};
    }
    if (!(radius > 0))
        return;
    AvatarCollider *to = arena_push(m->arena, &m->out->colliders);
    *to = (AvatarCollider){.node = node, .radius = (float)radius, .group = body->group};
    axis = vec3_scale(quat_rotate(turn, axis), half);
    for (int end = 0; end < 2; end++) {
        const Vec3 at = vec3_add(vec3_load(body->position), vec3_scale(axis, end ? 1 : -1));
        vec3_store(to->ends[end], vec3_sub(avatar_rig_point(m->rig, body->bone, at), base));
    }
}

/* ---- chains ---- */

/* How far the joint on a body lets it turn: the mean of the two axes across the bone. */
static void read_angles(Maker *m)
{
    for (uint32_t i = 0; i < m->from->joint_count; i++) {
        const PmxJoint *joint = &m->from->joints[i];
        if (joint->body_b < 0)
            continue;
        const PmxBody *body = &m->from->bodies[joint->body_b];
        const int32_t node = body->bone < 0 ? PMX_NONE : m->rig->node_of[body->bone];
        if (node < 0 || m->body_of[node] != body)
            continue;
        const double x = (double)(joint->angular_upper[0] - joint->angular_lower[0]) / 2;
        const double z = (double)(joint->angular_upper[2] - joint->angular_lower[2]) / 2;
        const bool free_x = x < 0, free_z = z < 0;
        m->angle_of[node] =
            fmin(((free_x ? RIGHT_ANGLE : x) + (free_z ? RIGHT_ANGLE : z)) / 2, RIGHT_ANGLE);
    }
}

static AvatarJoint joint_of(const Maker *m, uint32_t node)
{
    const PmxBody *body = m->body_of[node];
    const double angle = fmax(m->angle_of[node], STIFF_ANGLE);
    const double keeps = 1 - fmin(fmax((double)body->angular_damping, 0), 1); /* in a second */
    double radius = (double)body->size[0];
    if (body->shape == PMX_BOX)
        radius = fmin(fmin(radius, (double)body->size[1]), (double)body->size[2]);
    return (AvatarJoint){.node = (int32_t)node,
                         .radius = (float)fmax(radius, 0),
                         .stiffness = (float)fmin(STIFFNESS / tan(angle), MAX_STIFFNESS),
                         .drag = (float)fmax(1 - pow(keeps, 1 / STEPS), MIN_DRAG),
                         .gravity = (float)GRAVITY_POWER};
}

/* Where a chain ends: at the bone that is the tail of its last one, or at the far end of the body
 * of that, or as far from it as it is from its parent. */
static int32_t add_end(Maker *m, uint32_t node)
{
    PmxModel *pmx = &m->rig->pmx;
    const int32_t bone = m->rig->bone_of[node], parent = pmx->bones[node].parent;
    const PmxBone *from = &m->from->bones[bone];
    const Vec3 place = vec3_load(from->position), at = vec3_load(pmx->bones[node].position);
    Vec3 tail = vec3_scale(vec3_sub(vec3_load(m->body_of[node]->position), place), 2);
    if (from->flags & PMX_BONE_TAIL_IS_BONE && from->tail_bone >= 0)
        tail = vec3_sub(vec3_load(m->from->bones[from->tail_bone].position), place);
    Vec3 along = avatar_rig_direction(m->rig, bone, tail);
    if (vec3_length(along) < 1e-3 && parent >= 0)
        along = vec3_sub(at, vec3_load(pmx->bones[parent].position));
    if (vec3_length(along) < 1e-3)
        along = (Vec3){0, -1, 0};
    const uint32_t end = pmx->bone_count++;
    pmx->bones[end] = (PmxBone){.name = arena_printf(m->arena, "%s_end", from->name),
                                .name_en = "",
                                .parent = (int32_t)node,
                                .tail_bone = PMX_NONE,
                                .append_source = PMX_NONE,
                                .ik.effector = PMX_NONE};
    vec3_store(pmx->bones[end].position, vec3_add(at, along));
    m->rig->bone_of[end] = PMX_NONE;
    return (int32_t)end;
}

static void add_chain(Maker *m, uint32_t first)
{
    AvatarSprings *out = m->out;
    AvatarSpring spring = {.name = m->rig->pmx.bones[first].name,
                           .first = (uint32_t)out->joints.count,
                           .mask = m->body_of[first]->mask};
    int32_t node = (int32_t)first, last = node;
    for (; node >= 0; node = m->child_of[node]) {
        *arena_push(m->arena, &out->joints) = joint_of(m, (uint32_t)node);
        last = node;
    }
    *arena_push(m->arena, &out->joints) = (AvatarJoint){.node = add_end(m, (uint32_t)last)};
    spring.count = (uint32_t)out->joints.count - spring.first;
    *arena_push(m->arena, &out->springs) = spring;
}

void avatar_springs_make(AvatarSprings *springs, AvatarRig *rig, Arena *arena)
{
    const uint32_t count = rig->pmx.bone_count;
    Maker m = {.out = springs,
               .rig = rig,
               .from = rig->from,
               .body_of = arena_array(arena, const PmxBody *, count),
               .angle_of = arena_array(arena, double, count),
               .child_of = arena_array(arena, int32_t, count),
               .continues = arena_array(arena, bool, count),
               .arena = arena};
    *springs = (AvatarSprings){0};
    for (uint32_t i = 0; i < m.from->body_count; i++) {
        const PmxBody *body = &m.from->bodies[i];
        if (body->bone < 0)
            continue;
        const int32_t node = rig->node_of[body->bone];
        if (body->mode == PMX_FOLLOW_BONE)
            add_collider(&m, body);
        else if (!rig->human[node] && !m.body_of[node])
            m.body_of[node] = body;
    }
    for (uint32_t i = 0; i < count; i++) {
        m.angle_of[i] = RIGHT_ANGLE;
        m.child_of[i] = PMX_NONE;
    }
    read_angles(&m);
    for (uint32_t i = 0; i < count; i++) {
        const int32_t parent = rig->pmx.bones[i].parent;
        if (m.body_of[i] && parent >= 0 && m.body_of[parent] && m.child_of[parent] < 0) {
            m.child_of[parent] = (int32_t)i;
            m.continues[i] = true;
        }
    }
    for (uint32_t i = 0; i < count; i++)
        if (m.body_of[i] && !m.continues[i])
            add_chain(&m, i);
}
