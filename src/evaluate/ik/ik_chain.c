#include "evaluate/ik/ik_chain.h"

#include <math.h>

static const double MIN_DIRECTION_SQ = 1e-7; /* squared length; shorter vectors have no direction */
static const double SAME_AXIS_COS = 0.999;   /* |cosine| of axes that are the same one */
static const double WITHIN_LIMITS_DOT = 1 - 1e-10; /* |dot| of a rotation and its limited version */

static const double MAX_MIDDLE_ANGLE = 88 * M_PI / 180; /* radians; stays away from +-90 degrees */

/* ---- creating a chain ---- */

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
    const Vec3 fixed = vec3_normalize(vec3_load(bone->fixed_axis));
    const bool has_axis = (bone->flags & PMX_BONE_FIXED_AXIS) && vec3_dot(fixed, fixed) > 0;
    const bool same_hinge =
        link.kind == IK_HINGE && fabs(vec3_dot(fixed, link.axis)) > SAME_AXIS_COS;
    if (has_axis && !same_hinge && link.kind != IK_RIGID) {
        link.kind = IK_FIXED_AXIS;
        link.axis = fixed;
    }
    return link;
}

/* The bones from the topmost link down to the effector; empty if no link is an ancestor of it. */
static void find_path(IkChain *chain, const PmxModel *pmx, const PmxIk *ik, Arena *arena)
{
    uint32_t length = 0, depth = 0;
    for (int32_t at = ik->effector; at >= 0; at = pmx->bones[at].parent) {
        depth++;
        for (uint32_t i = 0; i < ik->link_count; i++)
            if (ik->links[i].bone == at)
                length = depth;
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

/* Links that are the effector or not its ancestors have no effect and are ignored. */
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

/* Descendants of the path that are not on it and precede the goal in the order. */
static void find_below(IkChain *chain, const Model *model, const uint32_t *order_index,
                       Arena *arena)
{
    const PmxModel *pmx = &model->pmx;
    bool *is_below = arena_array(arena, bool, pmx->bone_count);
    chain->below = arena_array(arena, uint32_t, pmx->bone_count);
    for (uint32_t i = 0; i < chain->path_count; i++)
        is_below[chain->path[i]] = true;
    for (uint32_t i = 0; i < pmx->bone_count; i++) {
        const uint32_t bone = model->parents_first[i];
        const int32_t parent = pmx->bones[bone].parent;
        if (is_below[bone] || parent < 0 || !is_below[parent])
            continue;
        is_below[bone] = true;
        if (order_index[bone] <= order_index[chain->goal])
            chain->below[chain->below_count++] = bone;
    }
}

void ik_chain_create(IkChain *chain, const Model *model, uint32_t ik_bone,
                     const uint32_t *order_index, Arena *arena)
{
    const PmxIk *ik = &model->pmx.bones[ik_bone].ik;
    *chain = (IkChain){.goal = ik_bone,
                       .effector = (uint32_t)ik->effector,
                       .unit_angle = (double)ik->unit_angle,
                       .loops = ik->loops};
    find_path(chain, &model->pmx, ik, arena);
    make_links(chain, &model->pmx, ik, arena);
    find_below(chain, model, order_index, arena);
}

/* ---- shared by the families ---- */

void ik_update_path(Pose *pose, const IkChain *chain, const IkLink *link)
{
    for (uint32_t i = link->path_index; i + 1 < chain->path_count; i++)
        pose_update_bone(pose, chain->path[i]);
    pose_update_position(pose, chain->effector);
}

double ik_distance(const Pose *pose, const IkChain *chain)
{
    return vec3_length(
        vec3_sub(pose->bones[chain->effector].position, pose->bones[chain->goal].position));
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

void ik_rotate_link(PoseBone *bone, Quat delta)
{
    const Quat whole = quat_mul(quat_mul(bone->ik, bone->local_rotation), delta);
    bone->ik = quat_normalize(quat_mul(whole, quat_inverse(bone->local_rotation)));
}

double ik_clamp_angle(double angle, double max)
{
    return max > 0 ? fmax(-max, fmin(max, angle)) : angle;
}

/* Unit directions to effector and goal in the link's space; false if one is too short. */
bool ik_link_directions(const Pose *pose, const IkChain *chain, const IkLink *link, Vec3 *effector,
                        Vec3 *goal)
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

static bool within_quarter_turn(const IkLink *link, int axis)
{
    return link->lower[axis] > -M_PI / 2 && link->upper[axis] < M_PI / 2;
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
        const double angle = limit(a[k], link->lower[k], link->upper[k], reflect);
        turn = quat_mul(turn, quat_from_axis_angle(axis, angle));
    }
    return turn;
}

void ik_step_fixed_axis(Pose *pose, const IkChain *chain, IkLink *link)
{
    Vec3 effector, goal;
    if (!ik_link_directions(pose, chain, link, &effector, &goal))
        return;
    const double angle = signed_angle(effector, goal, link->axis);
    if (fabs(angle) < IK_MIN_ANGLE)
        return;

    PoseBone *bone = &pose->bones[link->bone];
    const Quat before = bone->ik;
    ik_rotate_link(bone,
                   quat_from_axis_angle(link->axis, ik_clamp_angle(angle, chain->unit_angle)));
    if (!link->limited)
        return;
    /* Clamping to limits of other axes would leave the fixed axis, so the step is undone. */
    const Quat whole = quat_mul(bone->ik, bone->local_rotation);
    if (fabs(quat_dot(whole, ik_limit_rotation(link, whole, false))) < WITHIN_LIMITS_DOT)
        bone->ik = before;
}
