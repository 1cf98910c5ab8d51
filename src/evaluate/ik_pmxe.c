#include <math.h>

#include "evaluate/ik.h"

static const double THERE = 1e-8;               /* squared distance from the goal */
static const double SMALLEST_AXIS = 1e-8;       /* squared |a x b| of unit vectors */
static const double STEEPEST = 88 * M_PI / 180; /* the middle angle stays clear of +-90 degrees */

/* ---- limits ---- */

typedef struct Matrix {
    double m[3][3]; /* [row][column] */
} Matrix;

static Matrix matrix_of(Quat q)
{
    return (Matrix){{{1 - 2 * (q.y * q.y + q.z * q.z), 2 * (q.x * q.y - q.w * q.z),
                      2 * (q.x * q.z + q.w * q.y)},
                     {2 * (q.x * q.y + q.w * q.z), 1 - 2 * (q.x * q.x + q.z * q.z),
                      2 * (q.y * q.z - q.w * q.x)},
                     {2 * (q.x * q.z - q.w * q.y), 2 * (q.y * q.z + q.w * q.x),
                      1 - 2 * (q.x * q.x + q.y * q.y)}}};
}

static double middle_angle(double sine)
{
    const double angle = asin(fmax(-1, fmin(1, sine)));
    return fmax(-STEEPEST, fmin(STEEPEST, angle));
}

static double limit(double angle, double lower, double upper, bool reflect)
{
    if (angle < lower) {
        const double mirrored = 2 * lower - angle;
        return reflect && mirrored <= upper ? mirrored : lower;
    }
    if (angle > upper) {
        const double mirrored = 2 * upper - angle;
        return reflect && mirrored >= lower ? mirrored : upper;
    }
    return angle;
}

static bool within_quarter(const IkLink *link, int axis)
{
    return link->lower[axis] > -M_PI / 2 && link->upper[axis] < M_PI / 2;
}

/* The axis whose limits keep it away from +-90 degrees stands in the middle. */
Quat ik_limit_turn(const IkLink *link, Quat whole, bool reflect)
{
    const Matrix r = matrix_of(whole);
    double a[3];
    int order[3]; /* whole = R[order 0] R[order 1] R[order 2] */

    if (within_quarter(link, 0)) { /* Ry Rx Rz */
        order[0] = 1, order[1] = 0, order[2] = 2;
        a[0] = middle_angle(-r.m[1][2]);
        a[1] = atan2(r.m[0][2], r.m[2][2]);
        a[2] = atan2(r.m[1][0], r.m[1][1]);
    } else if (within_quarter(link, 1)) { /* Rz Ry Rx */
        order[0] = 2, order[1] = 1, order[2] = 0;
        a[0] = atan2(r.m[2][1], r.m[2][2]);
        a[1] = middle_angle(-r.m[2][0]);
        a[2] = atan2(r.m[1][0], r.m[0][0]);
    } else { /* Rx Rz Ry */
        order[0] = 0, order[1] = 2, order[2] = 1;
        a[0] = atan2(r.m[2][1], r.m[1][1]);
        a[1] = atan2(r.m[0][2], r.m[0][0]);
        a[2] = middle_angle(-r.m[0][1]);
    }
    Quat turn = QUAT_IDENTITY;
    for (int i = 0; i < 3; i++) {
        const int k = order[i];
        const Vec3 axis = {k == 0, k == 1, k == 2};
        const double angle = limit(a[k], link->lower[k], link->upper[k], reflect);
        turn = quat_mul(turn, quat_from_axis_angle(axis, angle));
    }
    return turn;
}

/* ---- solving ---- */

static Quat parent_rotation(const Pose *pose, uint32_t bone)
{
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    return parent < 0 ? QUAT_IDENTITY : pose->bones[parent].rotation;
}

static void step(Pose *pose, const IkChain *chain, IkLink *link, uint32_t index, bool first_half)
{
    PoseBone *bone = &pose->bones[link->bone];
    const Vec3 effector =
        vec3_unit(vec3_sub(pose->bones[chain->effector].position, bone->position));
    const Vec3 goal = vec3_unit(vec3_sub(pose->bones[chain->goal].position, bone->position));
    Vec3 axis = vec3_cross(effector, goal);
    if (vec3_dot(axis, axis) < SMALLEST_AXIS)
        return;

    /* The axis is told, and the turn made, in the parent's space. */
    axis = vec3_unit(quat_rotate(quat_inverse(parent_rotation(pose, link->bone)), axis));
    if (link->kind == IK_HINGE && first_half)
        axis = vec3_scale(link->axis, vec3_dot(axis, link->axis) >= 0 ? 1 : -1);
    const double most = chain->unit_angle * (index + 1);
    const double angle = acos(fmax(-1, fmin(1, vec3_dot(effector, goal))));
    bone->ik =
        quat_unit(quat_mul(quat_from_axis_angle(axis, ik_clamp_angle(angle, most)), bone->ik));
    if (link->limited) {
        const Quat whole = ik_limit_turn(link, quat_mul(bone->ik, bone->turn), first_half);
        bone->ik = quat_unit(quat_mul(whole, quat_inverse(bone->turn)));
    }
}

void ik_solve_pmxe(Pose *pose, IkChain *chain)
{
    for (int loop = 0; loop < chain->loops; loop++) {
        const double distance = ik_distance(pose, chain);
        if (distance * distance < THERE)
            return;
        for (uint32_t i = 0; i < chain->link_count; i++) {
            IkLink *link = &chain->links[i];
            if (link->kind == IK_RIGID)
                continue;
            if (link->kind == IK_FIXED_AXIS)
                ik_step_fixed_axis(pose, chain, link);
            else
                step(pose, chain, link, i, loop < chain->loops / 2);
            ik_update_path(pose, chain, link);
        }
    }
}
