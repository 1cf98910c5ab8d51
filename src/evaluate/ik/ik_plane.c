#include "evaluate/ik/ik_plane.h"

#include <math.h>

static const double CONVERGED_DIST = 1e-4; /* MMD units from the goal */
static const double MIN_AXIS = 1e-5;       /* |a x b| of unit vectors; smaller ones have no axis */

static double angle_between(Vec3 a, Vec3 b)
{
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

static void step_free(PoseBone *bone, const IkChain *chain, Vec3 effector, Vec3 goal)
{
    const double angle = angle_between(effector, goal);
    const Vec3 axis = vec3_cross(effector, goal);
    if (angle < IK_MIN_ANGLE || vec3_length(axis) < MIN_AXIS)
        return;
    ik_rotate_link(
        bone, quat_from_axis_angle(vec3_normalize(axis), ik_clamp_angle(angle, chain->unit_angle)));
}

/* The first step decides to which side a hinge bends: a wrong choice is negated
 * (evaluate/README.md 4.1). */
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
    const double size = ik_clamp_angle(angle_between(effector, goal), chain->unit_angle);
    const Vec3 forth = quat_rotate(quat_from_axis_angle(link->axis, size), effector);
    const Vec3 back = quat_rotate(quat_from_axis_angle(link->axis, -size), effector);
    const double lower = link->lower[link->axis_index], upper = link->upper[link->axis_index];

    double angle = link->angle + (vec3_dot(forth, goal) > vec3_dot(back, goal) ? size : -size);
    if (loop == 0)
        angle = choose_side(angle, lower, upper);
    link->angle = fmax(lower, fmin(upper, angle));
    bone->ik = quat_normalize(quat_mul(quat_from_axis_angle(link->axis, link->angle),
                                       quat_inverse(bone->local_rotation)));
}

/* Several limited axes: a free step, then the limits of the PMXE family. */
static void step_limited(PoseBone *bone, const IkChain *chain, const IkLink *link, int loop,
                         Vec3 effector, Vec3 goal)
{
    step_free(bone, chain, effector, goal);
    const Quat whole =
        ik_limit_rotation(link, quat_mul(bone->ik, bone->local_rotation), loop < chain->loops / 2);
    bone->ik = quat_normalize(quat_mul(whole, quat_inverse(bone->local_rotation)));
}

static void step(Pose *pose, const IkChain *chain, IkLink *link, int loop)
{
    PoseBone *bone = &pose->bones[link->bone];
    Vec3 effector, goal;
    if (link->kind == IK_RIGID || !ik_link_directions(pose, chain, link, &effector, &goal))
        return;
    switch (link->kind) {
    case IK_FIXED_AXIS:
        ik_step_fixed_axis(pose, chain, link);
        break;
    case IK_HINGE:
        step_hinge(bone, chain, link, loop, effector, goal);
        break;
    case IK_LIMITED:
        step_limited(bone, chain, link, loop, effector, goal);
        break;
    default:
        step_free(bone, chain, effector, goal);
        break;
    }
    ik_update_path(pose, chain, link);
}

static void keep_best(const Pose *pose, IkChain *chain)
{
    for (uint32_t i = 0; i < chain->link_count; i++)
        chain->links[i].best = pose->bones[chain->links[i].bone].ik;
}

/* The keyed pose is the first best one, so IK never makes a pose worse. */
void ik_solve_plane(Pose *pose, IkChain *chain)
{
    double best = ik_distance(pose, chain);
    keep_best(pose, chain);
    for (int loop = 0; loop < chain->loops && best > CONVERGED_DIST; loop++) {
        for (uint32_t i = 0; i < chain->link_count; i++)
            step(pose, chain, &chain->links[i], loop);
        const double distance = ik_distance(pose, chain);
        if (!(distance < best))
            break;
        best = distance;
        keep_best(pose, chain);
    }
    for (uint32_t i = 0; i < chain->link_count; i++)
        pose->bones[chain->links[i].bone].ik = chain->links[i].best;
}
