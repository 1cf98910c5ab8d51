// SPDX-License-Identifier: MIT
#include "garland_fixture.h"

#include <math.h>
#include <string.h>

#include <cglm/cglm.h>

#include "model_fixture.h"

enum { SKELETON = 5, CENTER = 0, CHEST, HEAD, LEFT, RIGHT, CHAIN = 5 };

static void add_skeleton(PmxModel *pmx)
{
    static const struct {
        const char *name;
        int32_t parent;
        float x, y, z;
    } rows[SKELETON] = {{"センター", -1, 0, 8, 0},
                        {"上半身", CENTER, 0, 11, 0},
                        {"頭", CHEST, 0, 16, 0},
                        {"左腕", CHEST, 1.5f, 14.5f, 0},
                        {"右腕", CHEST, -1.5f, 14.5f, 0}};

    for (int32_t i = 0; i < SKELETON; i++) {
        pmx->bones[i] = fixture_bone(rows[i].name, rows[i].parent, rows[i].x, rows[i].y, rows[i].z);
        pmx->bodies[i] = (PmxBody){.bone = i,
                                   .shape = PMX_SPHERE,
                                   .size = {0.5f},
                                   .position = {rows[i].x, rows[i].y, rows[i].z},
                                   .mass = 1,
                                   .mode = PMX_FOLLOW_BONE};
    }
    pmx->bone_count = pmx->body_count = SKELETON;
}

/* A capsule from one point to another, with a bone at its upper end; returns its index. */
static int32_t add_link(PmxModel *pmx, const GarlandSpec *spec, const float from[3],
                        const float to[3])
{
    const int32_t index = (int32_t)pmx->body_count++;
    const float x = to[0] - from[0], y = to[1] - from[1], length = hypotf(x, y);

    pmx->bones[pmx->bone_count++] =
        fixture_bone("鎖", index == SKELETON ? HEAD : index - 1, from[0], from[1], from[2]);
    pmx->bodies[index] = (PmxBody){.bone = index,
                                   .shape = PMX_CAPSULE,
                                   .size = {0.12f, 0.8f * length},
                                   .position = {from[0] + x / 2, from[1] + y / 2, from[2]},
                                   .rotation = {0, 0, atan2f(-x, y)},
                                   .mass = spec->mass,
                                   .linear_damping = 0.1f,
                                   .angular_damping = 0.1f,
                                   .mode = PMX_PHYSICS};
    return index;
}

static void add_joint(PmxModel *pmx, const GarlandSpec *spec, int32_t a, int32_t b,
                      const float at[3])
{
    PmxJoint *joint = &pmx->joints[pmx->joint_count++];

    *joint = (PmxJoint){.body_a = a, .body_b = b, .position = {at[0], at[1], at[2]}};
    for (int k = 0; k < 3; k++) {
        joint->angular_upper[k] = spec->turn;
        joint->angular_lower[k] = -spec->turn;
    }
}

PmxModel fixture_garland(const GarlandSpec *spec, Arena *arena)
{
    static const int32_t ends[GARLAND_TIES][2] = {
        {HEAD, HEAD}, {HEAD, CHEST}, {LEFT, RIGHT}, {HEAD, HEAD}, {HEAD, HEAD}};
    const bool ring = spec->tie == GARLAND_RING || spec->tie == GARLAND_LOCK;
    const uint32_t most = SKELETON + CHAIN + spec->links;
    float at[3] = {0, ring ? 18 : 16, -1};
    PmxModel pmx = fixture_empty();

    pmx.bones = arena_array(arena, PmxBone, most);
    pmx.bodies = arena_array(arena, PmxBody, most);
    pmx.joints = arena_array(arena, PmxJoint, most + 1);
    add_skeleton(&pmx);
    int32_t before = ends[spec->tie][0];
    if (spec->tie == GARLAND_LOCK)
        for (int i = 0; i < CHAIN; i++) {
            const float next[3] = {at[0], at[1] - 1, at[2]};
            const int32_t link = add_link(&pmx, spec, at, next);
            add_joint(&pmx, spec, before, link, at);
            before = link;
            at[1] = next[1];
        }
    const int32_t start = before;
    const float top = at[1], whole = (ring ? 2 : 1) * (float)M_PI;
    for (uint32_t i = 0; i < spec->links; i++) {
        const float part = (float)i / (float)spec->links, end = (float)(i + 1) / (float)spec->links;
        const float phase = ring ? (float)M_PI / 2 : (float)M_PI;
        const float height = ring ? 3 : 6, middle = ring ? top - 3 : top;
        const float from[3] = {3 * cosf(phase + part * whole),
                               middle + height * sinf(phase + part * whole), at[2]};
        const float to[3] = {3 * cosf(phase + end * whole),
                             middle + height * sinf(phase + end * whole), at[2]};
        const int32_t link = add_link(&pmx, spec, from, to);

        add_joint(&pmx, spec, before, link, from);
        before = link;
        memcpy(at, to, sizeof at);
    }
    add_joint(&pmx, spec, ring ? start : ends[spec->tie][1], before, at);
    return pmx;
}

/* A joint's end on a body: its place at rest, moved as the body is since. */
static void end_of(float out[3], const World *world, const PmxModel *pmx, int32_t body,
                   const float joint[3])
{
    const PmxBody *file = &pmx->bodies[body];
    versor x, y, z, yx, rest, back;
    vec3 offset;
    BonePose pose;

    glm_quatv(x, file->rotation[0], (vec3){1, 0, 0});
    glm_quatv(y, file->rotation[1], (vec3){0, 1, 0});
    glm_quatv(z, file->rotation[2], (vec3){0, 0, 1});
    glm_quat_mul(y, x, yx);
    glm_quat_mul(yx, z, rest);
    glm_quat_conjugate(rest, back);
    for (int k = 0; k < 3; k++)
        offset[k] = joint[k] - file->position[k];
    glm_quat_rotatev(back, offset, offset);
    world_body(&pose, world, 0, (uint32_t)body, 1);
    versor now = {pose.rotation[0], pose.rotation[1], pose.rotation[2], pose.rotation[3]};
    glm_quat_rotatev(now, offset, offset);
    for (int k = 0; k < 3; k++)
        out[k] = pose.position[k] + offset[k];
}

static float play_of(const PmxJoint *joint)
{
    float square = 0;

    if (joint->type != PMX_JOINT_SPRING_6DOF && joint->type != PMX_JOINT_6DOF)
        return 0;
    for (int k = 0; k < 3; k++) {
        const float limit = fmaxf(fabsf(joint->linear_lower[k]), fabsf(joint->linear_upper[k]));
        if (joint->linear_lower[k] > joint->linear_upper[k])
            return INFINITY;
        square += limit * limit;
    }
    return sqrtf(square);
}

float garland_widest_gap(const World *world, const PmxModel *pmx, uint32_t *joint)
{
    float widest = 0;

    for (uint32_t j = 0; j < pmx->joint_count; j++) {
        const PmxJoint *file = &pmx->joints[j];
        float a[3], b[3];

        if (file->body_a < 0 || file->body_b < 0 || file->body_a == file->body_b)
            continue;
        if (pmx->bodies[file->body_a].mode == PMX_FOLLOW_BONE &&
            pmx->bodies[file->body_b].mode == PMX_FOLLOW_BONE)
            continue;
        end_of(a, world, pmx, file->body_a, file->position);
        end_of(b, world, pmx, file->body_b, file->position);
        const float gap = hypotf(hypotf(a[0] - b[0], a[1] - b[1]), a[2] - b[2]) - play_of(file);
        if (gap > widest) {
            widest = gap;
            if (joint)
                *joint = j;
        }
    }
    return widest;
}
