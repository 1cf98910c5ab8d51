// SPDX-License-Identifier: MIT
#include "evaluate/skin.h"

#include <string.h>

/* The transform of a bone from rest: v -> turn v + shift. */
typedef struct Motion {
    Quat turn;
    Vec3 shift;
} Motion;

static Motion bone_motion(const Model *model, const ModelState *state, int32_t bone)
{
    const uint32_t index = bone < 0 ? 0 : (uint32_t)bone; /* evaluate/README.md 7 */
    if (index >= model->pmx.bone_count)
        return (Motion){QUAT_IDENTITY, {0, 0, 0}};
    const BonePose *pose = &state->bones[index];
    const Quat turn = quat_load(pose->rotation);
    const Vec3 rest = quat_rotate(turn, vec3_load(model->pmx.bones[index].position));
    return (Motion){turn, vec3_sub(vec3_load(pose->position), rest)};
}

static Vec3 moved(Motion m, Vec3 v)
{
    return vec3_add(quat_rotate(m.turn, v), m.shift);
}

/* Blends the transformed positions, not the rotations, as MMD does. */
static void skin_linear(const Model *model, const ModelState *state, const PmxVertex *v, int count,
                        Vec3 *position, Vec3 *normal)
{
    Vec3 p = {0, 0, 0}, n = {0, 0, 0};
    for (int i = 0; i < count; i++) {
        if (v->weights[i] == 0)
            continue;
        const Motion m = bone_motion(model, state, v->bones[i]);
        p = vec3_add(p, vec3_scale(moved(m, *position), (double)v->weights[i]));
        n = vec3_add(n, vec3_scale(quat_rotate(m.turn, *normal), (double)v->weights[i]));
    }
    *position = p;
    *normal = n;
}

/* Spherical: rotated about the center C by the interpolated rotation of the two bones
 * (evaluate/README.md 7). */
static void skin_sdef(const Model *model, const ModelState *state, const PmxVertex *v,
                      Vec3 *position, Vec3 *normal)
{
    const double w0 = (double)v->weights[0], w1 = 1 - w0;
    const Motion m0 = bone_motion(model, state, v->bones[0]);
    const Motion m1 = bone_motion(model, state, v->bones[1]);
    const Vec3 c = vec3_load(v->sdef_c), r0 = vec3_load(v->sdef_r0), r1 = vec3_load(v->sdef_r1);
    const Vec3 rw = vec3_add(vec3_scale(r0, w0), vec3_scale(r1, w1));
    const Vec3 c0 = vec3_add(c, vec3_scale(vec3_sub(r0, rw), 0.5));
    const Vec3 c1 = vec3_add(c, vec3_scale(vec3_sub(r1, rw), 0.5));
    const Quat turn = quat_slerp(m0.turn, m1.turn, w1);

    const Vec3 center = vec3_add(vec3_scale(moved(m0, c0), w0), vec3_scale(moved(m1, c1), w1));
    *position = vec3_add(quat_rotate(turn, vec3_sub(*position, c)), center);
    *normal = quat_rotate(turn, *normal);
}

static Quat quat_add_scaled(Quat a, Quat b, double s)
{
    return (Quat){a.x + b.x * s, a.y + b.y * s, a.z + b.z * s, a.w + b.w * s};
}

/* Dual quaternions: q and d = (shift, 0) q / 2, blended on one side of the sphere. */
static void skin_qdef(const Model *model, const ModelState *state, const PmxVertex *v,
                      Vec3 *position, Vec3 *normal)
{
    Quat q = {0, 0, 0, 0}, d = {0, 0, 0, 0};
    const Quat first = bone_motion(model, state, v->bones[0]).turn;
    for (int i = 0; i < PMX_MAX_WEIGHTS; i++) {
        if (v->weights[i] == 0)
            continue;
        const Motion m = bone_motion(model, state, v->bones[i]);
        const Quat shift = {m.shift.x, m.shift.y, m.shift.z, 0};
        const double sign = quat_dot(m.turn, first) < 0 ? -1 : 1;
        const double weight = sign * (double)v->weights[i];
        q = quat_add_scaled(q, m.turn, weight);
        d = quat_add_scaled(d, quat_mul(shift, m.turn), weight * 0.5);
    }
    const double length = sqrt(quat_dot(q, q));
    if (!(length > 0))
        return;
    const Quat zero = {0, 0, 0, 0};
    const Quat turn = quat_add_scaled(zero, q, 1 / length);
    const Quat moved_by = quat_mul(quat_add_scaled(zero, d, 2 / length), quat_inverse(turn));
    *position = vec3_add(quat_rotate(turn, *position), (Vec3){moved_by.x, moved_by.y, moved_by.z});
    *normal = quat_rotate(turn, *normal);
}

void skin_vertex(const Model *model, const ModelState *state, const PmxVertex *v, Vec3 *position,
                 Vec3 *normal)
{
    static const int weight_counts[] = {[PMX_BDEF1] = 1, [PMX_BDEF2] = 2, [PMX_BDEF4] = 4};
    if (v->deform == PMX_SDEF)
        skin_sdef(model, state, v, position, normal);
    else if (v->deform == PMX_QDEF)
        skin_qdef(model, state, v, position, normal);
    else
        skin_linear(model, state, v, weight_counts[v->deform], position, normal);
}
