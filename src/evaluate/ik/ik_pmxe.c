#include "evaluate/ik/ik_pmxe.h"

#include <math.h>

static const double CONVERGED_DIST_SQ = 1e-8; /* squared distance from the goal */
static const double MIN_AXIS = 1e-8;          /* squared |a x b| of unit vectors */

static Quat parent_rotation(const Pose *pose, uint32_t bone)
{
    const int32_t parent = pose->model->model->pmx.bones[bone].parent;
    return parent < 0 ? QUAT_IDENTITY : pose->bones[parent].rotation;
}

static void step(Pose *pose, const IkChain *chain, IkLink *link, uint32_t index, bool first_half)
{
    PoseBone *bone = &pose->bones[link->bone];
    const Vec3 effector =
        vec3_normalize(vec3_sub(pose->bones[chain->effector].position, bone->position));
    const Vec3 goal = vec3_normalize(vec3_sub(pose->bones[chain->goal].position, bone->position));
    Vec3 axis = vec3_cross(effector, goal);
    if (vec3_dot(axis, axis) < MIN_AXIS)
        return;

    /* The axis and the rotation are in the space of the parent. */
    axis = vec3_normalize(quat_rotate(quat_inverse(parent_rotation(pose, link->bone)), axis));
    if (link->kind == IK_HINGE && first_half)
        axis = vec3_scale(link->axis, vec3_dot(axis, link->axis) >= 0 ? 1 : -1);
    const double max = chain->unit_angle * (index + 1);
    const double angle = acos(fmax(-1, fmin(1, vec3_dot(effector, goal))));
    bone->ik =
        quat_normalize(quat_mul(quat_from_axis_angle(axis, ik_clamp_angle(angle, max)), bone->ik));
    if (link->limited) {
        const Quat whole =
            ik_limit_rotation(link, quat_mul(bone->ik, bone->local_rotation), first_half);
        bone->ik = quat_normalize(quat_mul(whole, quat_inverse(bone->local_rotation)));
    }
}

void ik_solve_pmxe(Pose *pose, IkChain *chain)
{
    for (int loop = 0; loop < chain->loops; loop++) {
        const double distance = ik_distance(pose, chain);
        if (distance * distance < CONVERGED_DIST_SQ)
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
