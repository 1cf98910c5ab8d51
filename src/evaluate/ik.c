#include "evaluate/ik.h"

#include <assert.h>
#include <math.h>

static const double TOLERANCE = 1e-4;         /* units from the goal; nearer is there */
static const double SMALLEST_ANGLE = 1.75e-5; /* 0.001 degrees; a step below it is not made */
static const double SMALLEST_AXIS = 1e-5; /* |a x b| of unit vectors; no axis can be told below */
static const double SMALLEST_ARM = 1e-7;  /* squared length; no direction can be told below */
static const double PARALLEL = 0.999;     /* |cosine| of axes that are the same one */
static const double WITHIN_LIMITS = 1 - 1e-10; /* |dot| of a turn with itself after limiting */

/* ---- making a chain ---- */

static void set_limits(IkLink *link, const PmxIkLink *file)
{
    int open = 0;
    for (int i = 0; i < 3; i++) {
        link->lower[i] = (double)file->lower[i];
        link->upper[i] = (double)file->upper[i];
        if (link->lower[i] != 0 || link->upper[i] != 0) {
            link->axis_index = i;
            open++;
        }
    }
    link->limited = true;
    link->kind = open == 0 ? IK_RIGID : open == 1 ? IK_HINGE : IK_LIMITED;
    if (open == 1)
        link->axis = (Vec3){link->axis_index == 0, link->axis_index == 1, link->axis_index == 2};
}

static IkLink make_link(const PmxIkLink *file, const PmxBone *bone, uint32_t path_index)
{
    IkLink link = {.bone = (uint32_t)file->bone, .path_index = path_index, .kind = IK_FREE};
    if (file->limited)
        set_limits(&link, file);
    const Vec3 fixed = vec3_unit(vec3_of(bone->fixed_axis));
    const bool has_axis = (bone->flags & PMX_BONE_FIXED_AXIS) && vec3_dot(fixed, fixed) > 0;
    const bool same_hinge = link.kind == IK_HINGE && fabs(vec3_dot(fixed, link.axis)) > PARALLEL;
    if (has_axis && !same_hinge && link.kind != IK_RIGID) {
        link.kind = IK_FIXED_AXIS;
        link.axis = fixed;
    }
    return link;
}

/* From the topmost link above the effector down to it; NULL path when no link is above it. */
static void find_path(IkChain *chain, const PmxModel *pmx, const PmxIk *ik, Arena *arena)
{
    uint32_t length = 0, steps = 0;
    for (int32_t at = ik->effector; at >= 0; at = pmx->bones[at].parent) {
        steps++;
        for (uint32_t i = 0; i < ik->link_count; i++)
            if (ik->links[i].bone == at)
                length = steps;
    }
    chain->path = arena_array(arena, uint32_t, length);
    chain->path_count = length;
    int32_t at = ik->effector;
    for (uint32_t i = length; i-- > 0; at = pmx->bones[at].parent)
        chain->path[i] = (uint32_t)at;
}

static int32_t path_find_bone(const IkChain *chain, int32_t bone)
{
    for (uint32_t i = 0; i < chain->path_count; i++)
        if (chain->path[i] == (uint32_t)bone)
            return (int32_t)i;
    return -1;
}

/* Links that are the effector itself or not above it can do nothing, and are left out. */
static void make_links(IkChain *chain, const PmxModel *pmx, const PmxIk *ik, Arena *arena)
{
    chain->links = arena_array(arena, IkLink, ik->link_count);
    for (uint32_t i = 0; i < ik->link_count; i++) {
        const int32_t bone = ik->links[i].bone;
        const int32_t at = bone < 0 ? -1 : path_find_bone(chain, bone);
        if (at >= 0 && bone != ik->effector)
            chain->links[chain->link_count++] =
                make_link(&ik->links[i], &pmx->bones[bone], (uint32_t)at);
    }
}

/* Bones off the path that hang below it and were transformed before the goal was. */
static void find_below(IkChain *chain, const Model *model, const uint32_t *place, Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    bool *hangs = arena_array(arena, bool, pmx->bone_count);
    chain->below = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < chain->path_count; i++)
        hangs[chain->path[i]] = true;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = pmx->bones[bone].parent;
        if (hangs[bone] || parent < 0 || !hangs[parent])
            continue;
        hangs[bone] = true;
        if (place[bone] <= place[chain->goal])
            chain->below[chain->below_count++] = bone;
    }
}

void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone, const uint32_t *place,
                     Arena *arena)
{
    const PmxIk *ik = &model->pmx.bones[ik_bone].ik;
    *chain = (IkChain){.goal = ik_bone,
                       .effector = (uint32_t)ik->effector,
                       .unit_angle = (double)ik->unit_angle,
                       .loops = ik->loops};
    find_path(chain, &model->pmx, ik, arena);
    make_links(chain, &model->pmx, ik, arena);
    find_below(chain, model, place, arena);
}

/* ---- shared by the families ---- */

void ik_update_path(Pose *pose, const IkChain *chain, const IkLink *link)
{
    for (uint32_t i = link->path_index; i < chain->path_count; i++)
        pose_update_bone(pose, chain->path[i]);
}

double ik_distance(const Pose *pose, const IkChain *chain)
{
    return vec3_length(
        vec3_sub(pose->bones[chain->effector].position, pose->bones[chain->goal].position));
}

double ik_signed_angle(Vec3 a, Vec3 b, Vec3 axis)
{
    const Vec3 flat_a = vec3_sub(a, vec3_scale(axis, vec3_dot(a, axis)));
    const Vec3 flat_b = vec3_sub(b, vec3_scale(axis, vec3_dot(b, axis)));
    if (vec3_dot(flat_a, flat_a) < SMALLEST_ARM || vec3_dot(flat_b, flat_b) < SMALLEST_ARM)
        return 0;
    return atan2(vec3_dot(vec3_cross(flat_a, flat_b), axis), vec3_dot(flat_a, flat_b));
}

void ik_turn_link(PoseBone *bone, Quat delta)
{
    const Quat whole = quat_mul(quat_mul(bone->ik, bone->turn), delta);
    bone->ik = quat_unit(quat_mul(whole, quat_inverse(bone->turn)));
}

double ik_clamp_angle(double angle, double most)
{
    return most > 0 ? fmax(-most, fmin(most, angle)) : angle;
}

/* Directions from a link to effector and goal, in the link's own space; false when one has none. */
bool ik_link_directions(const Pose *pose, const IkChain *chain, const IkLink *link, Vec3 *effector,
                        Vec3 *goal)
{
    const PoseBone *bone = &pose->bones[link->bone];
    const Quat back = quat_inverse(bone->rotation);
    *effector = vec3_sub(pose->bones[chain->effector].position, bone->position);
    *goal = vec3_sub(pose->bones[chain->goal].position, bone->position);
    if (vec3_dot(*effector, *effector) < SMALLEST_ARM || vec3_dot(*goal, *goal) < SMALLEST_ARM)
        return false;
    *effector = vec3_unit(quat_rotate(back, *effector));
    *goal = vec3_unit(quat_rotate(back, *goal));
    return true;
}

void ik_step_fixed_axis(Pose *pose, const IkChain *chain, IkLink *link)
{
    Vec3 effector, goal;
    if (!ik_link_directions(pose, chain, link, &effector, &goal))
        return;
    const double angle = ik_signed_angle(effector, goal, link->axis);
    if (fabs(angle) < SMALLEST_ANGLE)
        return;

    PoseBone *bone = &pose->bones[link->bone];
    const Quat before = bone->ik;
    ik_turn_link(bone, quat_from_axis_angle(link->axis, ik_clamp_angle(angle, chain->unit_angle)));
    if (!link->limited)
        return;
    /* Limits that do not follow the axis cannot be clamped to without leaving it: the step is
     * undone. */
    const Quat whole = quat_mul(bone->ik, bone->turn);
    if (fabs(quat_dot(whole, ik_limit_turn(link, whole, false))) < WITHIN_LIMITS)
        bone->ik = before;
}

/* ---- the plane family (reference 2.8, B) ---- */

static double angle_between(Vec3 a, Vec3 b)
{
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

static void step_free(PoseBone *bone, const IkChain *chain, Vec3 effector, Vec3 goal)
{
    const double angle = angle_between(effector, goal);
    const Vec3 axis = vec3_cross(effector, goal);
    if (angle < SMALLEST_ANGLE || vec3_length(axis) < SMALLEST_AXIS)
        return;
    ik_turn_link(bone,
                 quat_from_axis_angle(vec3_unit(axis), ik_clamp_angle(angle, chain->unit_angle)));
}

/* The first step decides to which side a hinge bends: it turns a wrong choice round. */
static double choose_side(double angle, double lower, double upper)
{
    if (angle >= lower && angle <= upper)
        return angle;
    if (-angle > lower && -angle < upper)
        return -angle;
    const double middle = (lower + upper) / 2;
    return fabs(middle - angle) > fabs(middle + angle) ? -angle : angle;
}

/*
 * A hinge keeps its whole turn as one angle; what its own keys say is replaced.  So the first step
 * measures from the hinge's zero: the goal is seen from the parent, not from the keyed link.
 */
static void step_hinge(PoseBone *bone, const IkChain *chain, IkLink *link, int loop, Vec3 effector,
                       Vec3 goal)
{
    if (loop == 0)
        goal = quat_rotate(bone->turn, goal);
    const double size = ik_clamp_angle(angle_between(effector, goal), chain->unit_angle);
    const Vec3 forth = quat_rotate(quat_from_axis_angle(link->axis, size), effector);
    const Vec3 back = quat_rotate(quat_from_axis_angle(link->axis, -size), effector);
    const double lower = link->lower[link->axis_index], upper = link->upper[link->axis_index];

    double angle = link->angle + (vec3_dot(forth, goal) > vec3_dot(back, goal) ? size : -size);
    if (loop == 0)
        angle = choose_side(angle, lower, upper);
    link->angle = fmax(lower, fmin(upper, angle));
    bone->ik = quat_unit(
        quat_mul(quat_from_axis_angle(link->axis, link->angle), quat_inverse(bone->turn)));
}

/* Several limited axes: a free step, then the limits, as the other family has them (ik_pmxe.c). */
static void step_limited(PoseBone *bone, const IkChain *chain, const IkLink *link, int loop,
                         Vec3 effector, Vec3 goal)
{
    step_free(bone, chain, effector, goal);
    const Quat whole = ik_limit_turn(link, quat_mul(bone->ik, bone->turn), loop < chain->loops / 2);
    bone->ik = quat_unit(quat_mul(whole, quat_inverse(bone->turn)));
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

/* The authored pose is the first best: IK never makes things worse. */
static void solve_plane(Pose *pose, IkChain *chain)
{
    double best = ik_distance(pose, chain);
    keep_best(pose, chain);
    for (int loop = 0; loop < chain->loops && best > TOLERANCE; loop++) {
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

/* ---- both families ---- */

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
        ik_solve_pmxe(pose, chain);
    else
        solve_plane(pose, chain);
    update_path(pose, chain);
    for (uint32_t i = 0; i < chain->below_count; i++)
        pose_update_bone(pose, chain->below[i]);
}
