// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_frame_motion.h"

/* This part of the trace is added to the inertia of the pins: pins in a line do not tell how they
 * turn about it. */
static const double MIN_INERTIA = 1e-4;

/* Sums over the pins, weighted. */
typedef struct PinSums {
    double weight;
    Vec3 center, shift; /* means */
    Vec3 spin;          /* sum of r x d */
    double inertia[3][3];
} PinSums;

static void find_center(PinSums *sums, const ClothTopology *topology, const Vec3 *from,
                        const Vec3 *to)
{
    const double *pins = topology->pins;

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        if (pins[i] <= 0)
            continue;
        sums->weight += pins[i];
        sums->center = vec3_add(sums->center, vec3_scale(from[i], pins[i]));
        sums->shift = vec3_add(sums->shift, vec3_scale(vec3_sub(to[i], from[i]), pins[i]));
    }
    sums->center = vec3_scale(sums->center, sums->weight > 0 ? 1 / sums->weight : 0);
    sums->shift = vec3_scale(sums->shift, sums->weight > 0 ? 1 / sums->weight : 0);
}

static void find_spin(PinSums *sums, const ClothTopology *topology, const Vec3 *from,
                      const Vec3 *to)
{
    const double *pins = topology->pins;

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        if (pins[i] <= 0)
            continue;
        const Vec3 r = vec3_sub(from[i], sums->center);
        const Vec3 d = vec3_sub(vec3_sub(to[i], from[i]), sums->shift);
        const double at[3] = {r.x, r.y, r.z}, square = vec3_dot(r, r);
        sums->spin = vec3_add(sums->spin, vec3_scale(vec3_cross(r, d), pins[i]));
        for (int k = 0; k < 9; k++)
            sums->inertia[k / 3][k % 3] += pins[i] * ((k % 4 ? 0 : square) - at[k / 3] * at[k % 3]);
    }
}

/* The angular velocity of a small turn, in radians a tick: I w = sum of r x d. */
static Vec3 solve_spin(PinSums *sums)
{
    double(*m)[3] = sums->inertia;
    const double trace = m[0][0] + m[1][1] + m[2][2];

    for (int i = 0; i < 3; i++)
        m[i][i] += MIN_INERTIA * trace;
    const Vec3 rows[3] = {
        {m[0][0], m[0][1], m[0][2]}, {m[1][0], m[1][1], m[1][2]}, {m[2][0], m[2][1], m[2][2]}};
    const Vec3 a = vec3_cross(rows[1], rows[2]), b = vec3_cross(rows[2], rows[0]),
               c = vec3_cross(rows[0], rows[1]);
    const double determinant = vec3_dot(rows[0], a);
    if (!(determinant > 0))
        return (Vec3){0, 0, 0};
    const Vec3 sum = vec3_add(vec3_scale(a, sums->spin.x), vec3_scale(b, sums->spin.y));
    return vec3_scale(vec3_add(sum, vec3_scale(c, sums->spin.z)), 1 / determinant);
}

ClothFrameMotion cloth_frame_motion_find(const ClothTopology *topology, const Vec3 *from,
                                         const Vec3 *to)
{
    const double part = 1 - topology->tuning.inertia;
    PinSums sums = {0};

    if (!(part > 0))
        return (ClothFrameMotion){.turn = QUAT_IDENTITY};
    find_center(&sums, topology, from, to);
    find_spin(&sums, topology, from, to);
    const Vec3 turn = vec3_scale(solve_spin(&sums), part);
    return (ClothFrameMotion){sums.center, vec3_scale(sums.shift, part),
                              quat_from_axis_angle(vec3_normalize(turn), vec3_length(turn))};
}

Vec3 cloth_frame_motion_point(const ClothFrameMotion *motion, Vec3 point)
{
    const Vec3 turned = quat_rotate(motion->turn, vec3_sub(point, motion->center));
    return vec3_add(vec3_add(turned, motion->center), motion->shift);
}

ClothBody cloth_frame_motion_body(const ClothFrameMotion *motion, const ClothBody *body)
{
    ClothBody moved = *body;

    if (body->shape == CLOTH_FLOOR) { /* it stays level */
        moved.a = vec3_add(body->a, motion->shift);
        return moved;
    }
    moved.a = cloth_frame_motion_point(motion, body->a);
    moved.b = cloth_frame_motion_point(motion, body->b);
    moved.rotation = quat_mul(motion->turn, body->rotation);
    moved.limb.joint = cloth_frame_motion_point(motion, body->limb.joint);
    moved.limb.turn = quat_mul(motion->turn, body->limb.turn);
    return moved;
}
