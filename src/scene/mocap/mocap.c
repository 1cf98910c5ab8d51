// SPDX-License-Identifier: MIT
#include "scene/mocap/mocap.h"

#include <string.h>

#include "format/file_kind.h"

/* ---- BVH ---- */

static bool load_bvh(Mocap *c, Bytes bytes, Arena *arena, Diag *diag)
{
    BvhMotion *motion = arena_array(arena, BvhMotion, 1);
    if (!bvh_load(motion, bytes, arena, diag))
        return false;
    *c = (Mocap){.joints = arena_array(arena, MocapJoint, motion->joint_count),
                 .joint_count = motion->joint_count,
                 .duration_s = (motion->frame_count - 1) * motion->frame_s,
                 .frame_s = motion->frame_s,
                 .bvh = motion};
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const BvhJoint *source = &c->bvh->joints[i];
        MocapJoint *joint = &c->joints[i];
        const double *o = source->offset;
        *joint = (MocapJoint){
            .name = source->name, .parent = source->parent, .rest_rotation = QUAT_IDENTITY};
        if (source->parent >= 0)
            joint->rest = vec3_add(c->joints[source->parent].rest, (Vec3){o[0], o[1], o[2]});
    }
    return true;
}

/* Between two frames of the file. */
static void local_of_bvh(Vec3 *position, Quat *rotation, const BvhMotion *s, double time_s,
                         uint32_t joint)
{
    const double at = time_s / s->frame_s;
    const uint32_t last = s->frame_count - 1;
    const uint32_t first = at >= last ? last : (uint32_t)at;
    const uint32_t second = first < last ? first + 1 : last;
    const double part = at >= last ? 0 : at - first;
    Vec3 p;
    Quat q;
    bvh_local(position, rotation, s, first, joint);
    bvh_local(&p, &q, s, second, joint);
    *position = vec3_add(*position, vec3_scale(vec3_sub(p, *position), part));
    *rotation = quat_slerp(*rotation, q, part);
}

/* ---- VRMA ---- */

static bool load_vrma(Mocap *c, Bytes bytes, Arena *arena, Diag *diag)
{
    VrmaMotion *motion = arena_array(arena, VrmaMotion, 1);
    if (!vrma_load(motion, bytes, arena, diag))
        return false;
    *c = (Mocap){.joints = arena_array(arena, MocapJoint, motion->node_count),
                 .joint_count = motion->node_count,
                 .duration_s = motion->duration_s,
                 .vrma = motion};
    for (uint32_t i = 0; i < c->joint_count; i++) {
        Vec3 position;
        Quat rotation;
        vrma_rest(&position, &rotation, motion, i);
        c->joints[i].name = motion->nodes[i].bone;
        c->joints[i].parent = motion->nodes[i].parent;
        c->joints[i].rest = position;
        c->joints[i].rest_rotation = rotation;
        if (c->joints[i].parent >= 0) {
            const MocapJoint *parent = &c->joints[c->joints[i].parent];
            c->joints[i].rest =
                vec3_add(parent->rest, quat_rotate(parent->rest_rotation, position));
            c->joints[i].rest_rotation = quat_normalize(quat_mul(parent->rest_rotation, rotation));
        }
    }
    return true;
}

/* ---- any of them ---- */

bool mocap_load(Mocap *mocap, Bytes bytes, Arena *arena, Diag *diag)
{
    return file_kind_of_bytes(bytes) == FILE_VRMA ? load_vrma(mocap, bytes, arena, diag)
                                                  : load_bvh(mocap, bytes, arena, diag);
}

void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *c, double time_s)
{
    for (uint32_t i = 0; i < c->joint_count; i++) {
        Vec3 position;
        Quat rotation;
        if (c->bvh)
            local_of_bvh(&position, &rotation, c->bvh, time_s, i);
        else
            vrma_local(&position, &rotation, c->vrma, time_s, i);
        const int32_t parent = c->joints[i].parent;
        if (parent >= 0) {
            position = vec3_add(positions[parent], quat_rotate(rotations[parent], position));
            rotation = quat_mul(rotations[parent], rotation);
        }
        positions[i] = position;
        rotations[i] = quat_normalize(rotation);
    }
}
