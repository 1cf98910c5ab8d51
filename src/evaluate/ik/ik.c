// SPDX-License-Identifier: MIT
#include "evaluate/ik/ik.h"

#include <math.h>

#include "base/units.h"

static const double MIN_ANGLE = 1.75e-5; /* radians, 0.001 degrees; smaller steps are not made */
static const double MIN_DIRECTION_SQ = 1e-7; /* squared length; shorter vectors have no direction */
static const double MAX_MIDDLE_ANGLE = 88 * PI / 180; /* radians; stays away from +-90 degrees */
static const double WITHIN_LIMITS_DOT = 1 - 1e-10; /* |dot| of a rotation and its limited version */

/* Each family has converged at a distance from the goal, MMD units, and ignores directions that are
 * almost parallel: |a x b| of unit vectors. */
static const double PLANE_CONVERGED_DIST = 1e-4, PLANE_MIN_AXIS = 1e-5;
static const double PMXE_CONVERGED_DIST_SQ = 1e-8, PMXE_MIN_AXIS_SQ = 1e-8;

/* ---- steps that both families share ---- */

/* Updates the bones of the path from this link down, after its rotation changed; of the effector
 * only the position, until the chain is solved. */
static void update_below_link(Pose *pose, const IkChain *chain, const IkLink *link)
{
    for (uint32_t i = link->path_index; i + 1 < chain->path_count; i++)
        pose_update_bone(pose, chain->path[i]);
    pose_update_position(pose, chain->effector);
}

/* Angle about `axis` that rotates the projection of a onto that of b; 0 if one has no length. */
static double signed_angle(Vec3 a, Vec3 b, Vec3 axis)
{
    const Vec3 flat_a = vec3_sub(a, vec3_scale(axis, vec3_dot(a, axis)));
    const Vec3 flat_b = vec3_sub(b, vec3_scale(axis, vec3_dot(b, axis)));
    if (vec3_dot(flat_a, flat_a) < MIN_DIRECTION_SQ || vec3_dot(flat_b, flat_b) < MIN_DIRECTION_SQ)
        return 0;
    return atan2(vec3_dot(vec3_cross(flat_a, flat_b), axis), vec3_dot(flat_a, flat_b));
}

/* Sets PoseBone.ik so that ik * local_rotation is `whole`. */
static void set_whole_rotation(PoseBone *bone, Quat whole)
{
    bone->ik = quat_normalize(quat_mul(whole, quat_inverse(bone->local_rotation)));
}

/* Rotates the link in its own space. */
static void rotate_link(PoseBone *bone, Quat delta)
{
    set_whole_rotation(bone, quat_mul(quat_mul(bone->ik, bone->local_rotation), delta));
}

/* To +-max; 0 means no limit. */
static double clamp_angle(double angle, double max)
{
    return max > 0 ? fmax(-max, fmin(max, angle)) : angle;
}

/* Unit directions from a link to effector and goal, in the link's space; false if one is too short.
 */
static bool link_directions(const Pose *pose, const IkChain *chain, const IkLink *link,
                            Vec3 *effector, Vec3 *goal)
{
    const PoseBone *bone = &pose->bones[link->bone];
    const Quat back = quat_inverse(bone->rotation);
    *effector = vec3_sub(pose->bones[chain->effector].position, bone->position);
    *goal = vec3_sub(pose->bones[chain->goal].position, bone->position);
    if (vec3_dot(*effector, *effector) < MIN_DIRECTION_SQ ||
        vec3_dot(*goal, *goal) < MIN_DIRECTION_SQ)
        return false;
    *effector = vec3_normalize(quat_rotate(back, *effector));
    *goal = vec3_normalize(quat_rotate(back, *goal));
    return true;
}

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
    return fmax(-MAX_MIDDLE_ANGLE, fmin(MAX_MIDDLE_ANGLE, angle));
}

/* Reflected at a limit if that is inside the range, or clamped. */
static double limit_angle(double angle, double lower, double upper, bool reflect)
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

static bool within_quarter_turn(const IkLink *link, int axis)
{
    return link->lower[axis] > -PI / 2 && link->upper[axis] < PI / 2;
}

/* The middle axis is one whose limits exclude +-90 degrees. */
Quat ik_limit_rotation(const IkLink *link, Quat whole, bool reflect)
{
    const Matrix r = matrix_of(whole);
    double a[3];
    int order[3]; /* whole = R[order 0] R[order 1] R[order 2] */

    if (within_quarter_turn(link, 0)) { /* Ry Rx Rz */
        order[0] = 1, order[1] = 0, order[2] = 2;
        a[0] = middle_angle(-r.m[1][2]);
        a[1] = atan2(r.m[0][2], r.m[2][2]);
        a[2] = atan2(r.m[1][0], r.m[1][1]);
    } else if (within_quarter_turn(link, 1)) { /* Rz Ry Rx */
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
        const double angle = limit_angle(a[k], link->lower[k], link->upper[k], reflect);
        turn = quat_mul(turn, quat_from_axis_angle(axis, angle));
    }
    return turn;
}

static void limit_link(PoseBone *bone, const IkLink *link, bool reflect)
{
    set_whole_rotation(bone,
                       ik_limit_rotation(link, quat_mul(bone->ik, bone->local_rotation), reflect));
}

/* One step of a link that rotates only about its fixed axis. */
static void step_fixed_axis(Pose *pose, const IkChain *chain, IkLink *link)
{
    Vec3 effector, goal;
    if (!link_directions(pose, chain, link, &effector, &goal))
        return;
    const double angle = signed_angle(effector, goal, link->axis);
    if (fabs(angle) < MIN_ANGLE)
        return;

    PoseBone *bone = &pose->bones[link->bone];
    const Quat before = bone->ik;
    rotate_link(bone, quat_from_axis_angle(link->axis, clamp_angle(angle, chain->unit_angle)));
    if (!link->limited)
        return;
    /* Clamping to limits of other axes would leave the fixed axis, so the step is undone. */
    const Quat whole = quat_mul(bone->ik, bone->local_rotation);
    if (fabs(quat_dot(whole, ik_limit_rotation(link, whole, false))) < WITHIN_LIMITS_DOT)
        bone->ik = before;
}

/* ---- the plane family (evaluate/ik/README.md 1) ---- */

static double angle_between(Vec3 a, Vec3 b)
{
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

static void step_free(PoseBone *bone, const IkChain *chain, Vec3 effector, Vec3 goal)
{
    const double angle = angle_between(effector, goal);
    const Vec3 axis = vec3_cross(effector, goal);
    if (angle < MIN_ANGLE || vec3_length(axis) < PLANE_MIN_AXIS)
        return;
    rotate_link(bone,
                quat_from_axis_angle(vec3_normalize(axis), clamp_angle(angle, chain->unit_angle)));
}

/* The first step decides to which side a hinge bends: a wrong choice is negated
 * (evaluate/ik/README.md 1.1). */
static double choose_side(double angle, double lower, double upper)
{
    if (angle >= lower && angle <= upper)
        return angle;
    const double middle = (lower + upper) / 2;
    return fabs(middle - angle) > fabs(middle + angle) ? -angle : angle;
}

/*
 * A hinge keeps its complete rotation as one angle, which replaces its keys.  So the first step
 * measures the absolute angle: the goal is transformed by the keyed rotation.
 */
static void step_hinge(PoseBone *bone, const IkChain *chain, IkLink *link, int loop, Vec3 effector,
                       Vec3 goal)
{
    if (loop == 0)
        goal = quat_rotate(bone->local_rotation, goal);
    const double size = clamp_angle(angle_between(effector, goal), chain->unit_angle);
    const Vec3 forth = quat_rotate(quat_from_axis_angle(link->axis, size), effector);
    const Vec3 back = quat_rotate(quat_from_axis_angle(link->axis, -size), effector);
    const double lower = link->lower[link->axis_index], upper = link->upper[link->axis_index];

    double angle = link->angle + (vec3_dot(forth, goal) > vec3_dot(back, goal) ? size : -size);
    if (loop == 0)
        angle = choose_side(angle, lower, upper);
    link->angle = fmax(lower, fmin(upper, angle));
    set_whole_rotation(bone, quat_from_axis_angle(link->axis, link->angle));
}

static void step_plane(Pose *pose, const IkChain *chain, IkLink *link, int loop)
{
    PoseBone *bone = &pose->bones[link->bone];
    Vec3 effector, goal;
    if (link->kind == IK_RIGID || !link_directions(pose, chain, link, &effector, &goal))
        return;
    switch (link->kind) {
    case IK_FIXED_AXIS:
        step_fixed_axis(pose, chain, link);
        break;
    case IK_HINGE:
        step_hinge(bone, chain, link, loop, effector, goal);
        break;
    case IK_LIMITED:
        step_free(bone, chain, effector, goal);
        limit_link(bone, link, loop < chain->loops / 2);
        break;
    default:
        step_free(bone, chain, effector, goal);
        break;
    }
    update_below_link(pose, chain, link);
}

static void keep_best(const Pose *pose, IkChain *chain)
{
    for (uint32_t i = 0; i < chain->link_count; i++)
        chain->links[i].best = pose->bones[chain->links[i].bone].ik;
}

/* The result of the first iteration is the first best one, also where the keyed pose is nearer
 * (evaluate/ik/README.md 1). */
static void solve_plane(Pose *pose, IkChain *chain)
{
    double distance = ik_distance(pose, chain), best = HUGE_VAL;
    keep_best(pose, chain);
    for (int loop = 0; loop < chain->loops && distance > PLANE_CONVERGED_DIST; loop++) {
        for (uint32_t i = 0; i < chain->link_count; i++)
            step_plane(pose, chain, &chain->links[i], loop);
        distance = ik_distance(pose, chain);
        if (!(distance < best))
            break;
        best = distance;
        keep_best(pose, chain);
    }
    for (uint32_t i = 0; i < chain->link_count; i++)
        pose->bones[chain->links[i].bone].ik = chain->links[i].best;
}

/* ---- the PMXE family (evaluate/ik/README.md 2) ---- */

static void step_pmxe(Pose *pose, const IkChain *chain, IkLink *link, uint32_t index,
                      bool first_half)
{
    PoseBone *bone = &pose->bones[link->bone];
    const Vec3 effector =
        vec3_normalize(vec3_sub(pose->bones[chain->effector].position, bone->position));
    const Vec3 goal = vec3_normalize(vec3_sub(pose->bones[chain->goal].position, bone->position));
    Vec3 axis = vec3_cross(effector, goal);
    if (vec3_dot(axis, axis) < PMXE_MIN_AXIS_SQ)
        return;

    /* The axis and the rotation are in the space of the parent. */
    const int32_t parent = pose->model->model->pmx.bones[link->bone].parent;
    const Quat above = parent < 0 ? QUAT_IDENTITY : pose->bones[parent].rotation;
    axis = vec3_normalize(quat_rotate(quat_inverse(above), axis));
    if (link->kind == IK_HINGE && first_half)
        axis = vec3_scale(link->axis, vec3_dot(axis, link->axis) >= 0 ? 1 : -1);
    const double max = chain->unit_angle * (index + 1);
    const double angle = acos(fmax(-1, fmin(1, vec3_dot(effector, goal))));
    bone->ik =
        quat_normalize(quat_mul(quat_from_axis_angle(axis, clamp_angle(angle, max)), bone->ik));
    if (link->limited)
        limit_link(bone, link, first_half);
}

static void solve_pmxe(Pose *pose, IkChain *chain)
{
    for (int loop = 0; loop < chain->loops; loop++) {
        const double distance = ik_distance(pose, chain);
        if (distance * distance < PMXE_CONVERGED_DIST_SQ)
            return;
        for (uint32_t i = 0; i < chain->link_count; i++) {
            IkLink *link = &chain->links[i];
            if (link->kind == IK_RIGID)
                continue;
            if (link->kind == IK_FIXED_AXIS)
                step_fixed_axis(pose, chain, link);
            else
                step_pmxe(pose, chain, link, i, loop < chain->loops / 2);
            update_below_link(pose, chain, link);
        }
    }
}

/* ---- public functions ---- */

double ik_distance(const Pose *pose, const IkChain *chain)
{
    return vec3_length(
        vec3_sub(pose->bones[chain->effector].position, pose->bones[chain->goal].position));
}

static void update_path(Pose *pose, const IkChain *chain)
{
    for (uint32_t i = 0; i < chain->path_count; i++)
        pose_update_bone(pose, chain->path[i]);
}

void ik_solve(Pose *pose, IkChain *chain, IkFamily family)
{
    for (uint32_t i = 0; i < chain->link_count; i++) {
        PoseBone *bone = &pose->bones[chain->links[i].bone];
        bone->ik = QUAT_IDENTITY;
        bone->ik_link = true;
        chain->links[i].angle = 0;
    }
    update_path(pose, chain);
    if (family == IK_PMXE)
        solve_pmxe(pose, chain);
    else
        solve_plane(pose, chain);
    update_path(pose, chain);
    for (uint32_t i = 0; i < chain->below_count; i++)
        pose_update_bone(pose, chain->below[i]);
}
