// SPDX-License-Identifier: MIT
#include "scene/mocap/mocap.h"

#include "format/motion/fbx.h"
#include "format/motion/gltf_motion.h"
#include "format/motion/smpl.h"

/* ---- between two frames of a file ---- */

typedef struct Frames {
    uint32_t first, second;
    double part; /* from the first to the second */
} Frames;

static Frames frames_at(double frame, uint32_t count)
{
    const uint32_t last = count - 1;
    const uint32_t first = frame >= last ? last : (uint32_t)frame;
    return (Frames){first, first < last ? first + 1 : last, frame >= last ? 0 : frame - first};
}

static void mix(Vec3 *position, Quat *rotation, Vec3 p, Quat q, double part)
{
    *position = vec3_add(*position, vec3_scale(vec3_sub(p, *position), part));
    *rotation = quat_slerp(*rotation, q, part);
}

/* ---- BVH ---- */

static void local_of_bvh(Vec3 *position, Quat *rotation, const void *motion, double time_s,
                         uint32_t joint)
{
    const BvhMotion *s = motion;
    const Frames at = frames_at(time_s / s->frame_s, s->frame_count);
    Vec3 p;
    Quat q;
    bvh_local(position, rotation, s, at.first, joint);
    bvh_local(&p, &q, s, at.second, joint);
    mix(position, rotation, p, q, at.part);
}

Mocap mocap_of_bvh(const BvhMotion *motion, Arena *arena)
{
    const Mocap c = {.kind = FILE_BVH,
                     .joints = arena_array(arena, MocapJoint, motion->joint_count),
                     .joint_count = motion->joint_count,
                     .duration_s = (motion->frame_count - 1) * motion->frame_s,
                     .fps = 1 / motion->frame_s,
                     .local = local_of_bvh,
                     .motion = motion};
    for (uint32_t i = 0; i < c.joint_count; i++) {
        const BvhJoint *source = &motion->joints[i];
        const double *o = source->offset;
        c.joints[i] = (MocapJoint){
            .name = source->name, .parent = source->parent, .rest_rotation = QUAT_IDENTITY};
        if (source->parent >= 0)
            c.joints[i].rest = vec3_add(c.joints[source->parent].rest, (Vec3){o[0], o[1], o[2]});
    }
    return c;
}

static bool load_bvh(Mocap *c, Bytes bytes, Arena *arena, Diag *diag)
{
    BvhMotion *motion = arena_array(arena, BvhMotion, 1);
    if (!bvh_load(motion, bytes, arena, diag))
        return false;
    *c = mocap_of_bvh(motion, arena);
    return true;
}

/* ---- glTF ---- */

static void local_of_gltf(Vec3 *position, Quat *rotation, const void *motion, double time_s,
                          uint32_t joint)
{
    gltf_motion_local(position, rotation, motion, time_s, joint);
}

static bool load_gltf(Mocap *c, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    GltfMotion *motion = arena_array(arena, GltfMotion, 1);
    if (!gltf_motion_load(motion, bytes, take, arena, diag))
        return false;
    *c = (Mocap){.kind = FILE_VRMA,
                 .joints = arena_array(arena, MocapJoint, motion->node_count),
                 .joint_count = motion->node_count,
                 .duration_s = motion->duration_s,
                 .takes = motion->takes,
                 .take = motion->take,
                 .local = local_of_gltf,
                 .motion = motion};
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const GltfMotionNode *node = &motion->nodes[i];
        c->joints[i] = (MocapJoint){node->name, node->parent, node->rest, node->rest_rotation};
    }
    return true;
}

/* ---- FBX ---- */

static void local_of_fbx(Vec3 *position, Quat *rotation, const void *motion, double time_s,
                         uint32_t joint)
{
    fbx_local(position, rotation, motion, time_s, joint);
}

static bool load_fbx(Mocap *c, Bytes bytes, const char *take, Arena *arena, Diag *diag)
{
    FbxMotion *motion = arena_array(arena, FbxMotion, 1);
    if (!fbx_load(motion, bytes, take, arena, diag))
        return false;
    *c = (Mocap){.kind = FILE_FBX,
                 .joints = arena_array(arena, MocapJoint, motion->joint_count),
                 .joint_count = motion->joint_count,
                 .duration_s = motion->duration_s,
                 .fps = motion->fps,
                 .takes = motion->takes,
                 .take = motion->take,
                 .meshes = motion->meshes,
                 .local = local_of_fbx,
                 .motion = motion};
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const FbxJoint *joint = &motion->joints[i];
        c->joints[i] = (MocapJoint){joint->name, joint->parent, joint->rest, joint->rest_rotation};
    }
    return true;
}

/* ---- SMPL ---- */

_Static_assert((int)MOCAP_UP_MINUS_Y == (int)SMPL_UP_MINUS_Y, "the same axes");

static void local_of_smpl(Vec3 *position, Quat *rotation, const void *motion, double time_s,
                          uint32_t joint)
{
    const SmplMotion *s = motion;
    const Frames at = frames_at(time_s * s->fps, s->frame_count);
    Vec3 p;
    Quat q;
    smpl_local(position, rotation, s, at.first, joint);
    smpl_local(&p, &q, s, at.second, joint);
    mix(position, rotation, p, q, at.part);
}

static bool load_smpl(Mocap *c, Bytes bytes, MocapUp up, Arena *arena, Diag *diag)
{
    SmplMotion *motion = arena_array(arena, SmplMotion, 1);
    if (!smpl_load(motion, bytes, (SmplUp)up, arena, diag))
        return false;
    *c = (Mocap){.kind = FILE_NPZ,
                 .joints = arena_array(arena, MocapJoint, motion->joint_count),
                 .joint_count = motion->joint_count,
                 .duration_s = (motion->frame_count - 1) / motion->fps,
                 .fps = motion->fps,
                 .up = (MocapUp)motion->up,
                 .local = local_of_smpl,
                 .motion = motion};
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const SmplJoint *joint = &motion->joints[i];
        c->joints[i] = (MocapJoint){
            .name = joint->name, .parent = joint->parent, .rest_rotation = QUAT_IDENTITY};
        if (joint->parent >= 0)
            c->joints[i].rest = vec3_add(c->joints[joint->parent].rest, joint->offset);
    }
    return true;
}

/* ---- any of them ---- */

FileKind mocap_kind(Bytes bytes)
{
    const FileKind kind = file_kind_of_bytes(bytes);
    if (file_kinds[kind].uses & FILE_AS_CAPTURE)
        return kind;
    return bytes.size && bytes.data[0] == '{' ? FILE_VRMA : FILE_UNKNOWN; /* .gltf */
}

bool mocap_load(Mocap *mocap, Bytes bytes, const MocapOptions *options, Arena *arena, Diag *diag)
{
    const FileKind kind = mocap_kind(bytes);
    if (kind != FILE_NPZ && options->up != MOCAP_UP_AUTO)
        return diag_error(diag, "the axes of the file are known: 'up' is for .npz");
    if (kind == FILE_FBX)
        return load_fbx(mocap, bytes, options->take, arena, diag);
    if (kind == FILE_VRMA)
        return load_gltf(mocap, bytes, options->take, arena, diag);
    if (options->take)
        return diag_error(diag, "the file has no takes: take '%s' is for .fbx and .glb",
                          options->take);
    return kind == FILE_NPZ ? load_smpl(mocap, bytes, options->up, arena, diag)
                            : load_bvh(mocap, bytes, arena, diag);
}

void mocap_pose(Vec3 *positions, Quat *rotations, const Mocap *c, double time_s)
{
    for (uint32_t i = 0; i < c->joint_count; i++) {
        const int32_t parent = c->joints[i].parent;
        Vec3 position;
        Quat rotation;
        c->local(&position, &rotation, c->motion, time_s, i);
        if (parent >= 0) {
            position = vec3_add(positions[parent], quat_rotate(rotations[parent], position));
            rotation = quat_mul(rotations[parent], rotation);
        }
        positions[i] = position;
        rotations[i] = quat_normalize(rotation);
    }
}
