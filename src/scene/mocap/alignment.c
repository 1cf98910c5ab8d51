// SPDX-License-Identifier: MIT
#include "scene/mocap/alignment.h"

#include <math.h>

#include "math/axes.h"

enum { SAMPLES = 240 }; /* frames in which the bends of joints are measured */

static const double UPRIGHT = 0.5;   /* cosine: rest poses within 60 degrees of standing */
static const double LOW = 0.05;      /* shins: an ankle that is so much higher counts 1/e */
static const double MIN_BEND = 0.02; /* mean sine, below which a bend has no known axis */

typedef struct Aligner {
    const Mocap *source;
    const PmxModel *model;
    const int32_t *joints, *bones;
    AxisMap body; /* from the rest pose of the file to that of a model */
    bool folded;  /* the rest pose is no standing figure: limbs lie along any axes */
    Alignment *out;
    Vec3 *positions; /* [joint_count] of the last call of sample */
    Quat *rotations;
} Aligner;

/* ---- axes ---- */

Vec3 alignment_vector(const AxisMap *a, Vec3 v)
{
    return (Vec3){a->sign[0] * vec3_component(v, a->axis[0]),
                  a->sign[1] * vec3_component(v, a->axis[1]),
                  a->sign[2] * vec3_component(v, a->axis[2])};
}

/* The axes have opposite handedness, so the axis of a rotation is negated. */
Quat alignment_rotation(const AxisMap *a, Quat q)
{
    const Vec3 v = alignment_vector(a, (Vec3){q.x, q.y, q.z});
    return (Quat){-v.x, -v.y, -v.z, q.w};
}

/* The vector of the file that has this image. */
static Vec3 original(const AxisMap *a, Vec3 v)
{
    double out[3];
    for (int i = 0; i < 3; i++)
        out[a->axis[i]] = a->sign[i] * vec3_component(v, i);
    return (Vec3){out[0], out[1], out[2]};
}

static int longest_axis(Vec3 v, int except)
{
    int best = -1;
    for (int i = 0; i < 3; i++)
        if (i != except && (best < 0 || fabs(vec3_component(v, i)) > fabs(vec3_component(v, best))))
            best = i;
    return best;
}

/* Up and left, each snapped to an axis of the file, become MMD's +y and +x. */
static AxisMap snapped(Vec3 up, Vec3 left)
{
    const int y = longest_axis(up, -1), x = longest_axis(left, y), z = 3 - x - y;
    const double sx = vec3_component(left, x) < 0 ? -1 : 1, sy = vec3_component(up, y) < 0 ? -1 : 1;
    /* the third axis of a right-handed system is left x up, which is forward: MMD's -z */
    const double parity = (y - x + 3) % 3 == 1 ? 1 : -1;
    return (AxisMap){{x, y, z}, {sx, sy, -sx * sy * parity}};
}

static Vec3 rest_of(const Aligner *a, BodyPart part)
{
    return a->source->joints[a->joints[part]].rest;
}

/* From one part to another in the rest pose, of length 1; in the axes of the file. */
static Vec3 rest_direction(const Aligner *a, BodyPart from, BodyPart to)
{
    return vec3_normalize(vec3_sub(rest_of(a, to), rest_of(a, from)));
}

/* The lowest part of the torso above the hips that is not at their place; or the hips. */
static BodyPart above_hips(const Aligner *a)
{
    for (BodyPart part = BODY_SPINE; part <= BODY_HEAD; part++)
        if (a->joints[part] >= 0 &&
            vec3_length(vec3_sub(rest_of(a, part), rest_of(a, BODY_HIPS))) > 1e-6)
            return part;
    return BODY_HIPS;
}

/* Positions and rotations of all joints at one of SAMPLES times of the movement. */
static void sample(const Aligner *a, int index)
{
    mocap_pose(a->positions, a->rotations, a->source, a->source->duration_s * index / SAMPLES);
}

/* The mean direction from the hips upwards while the source moves. */
static Vec3 mean_up(const Aligner *a, BodyPart above)
{
    Vec3 sum = {0, 0, 0};
    for (int i = 0; i < SAMPLES; i++) {
        sample(a, i);
        sum = vec3_add(sum, vec3_normalize(vec3_sub(a->positions[a->joints[above]],
                                                    a->positions[a->joints[BODY_HIPS]])));
    }
    return sum;
}

static void find_axes(Aligner *a)
{
    const Vec3 left = rest_direction(a, body_side(BODY_LEG, true), BODY_LEG);
    const Vec3 legs =
        vec3_add(rest_direction(a, BODY_FOOT, BODY_LEG),
                 rest_direction(a, body_side(BODY_FOOT, true), body_side(BODY_LEG, true)));
    const BodyPart above = above_hips(a);
    const BodyPart top = a->joints[BODY_NECK] >= 0 ? BODY_NECK : above;
    Vec3 up = legs, torso = legs;
    if (above != BODY_HIPS) {
        up = rest_direction(a, BODY_HIPS, above);
        torso = rest_direction(a, BODY_HIPS, top);
    }
    a->folded = vec3_dot(vec3_normalize(legs), torso) < UPRIGHT || vec3_dot(up, torso) < UPRIGHT ||
                fabs(vec3_dot(left, torso)) > UPRIGHT;
    a->body = snapped(a->folded ? up : legs, left);
    a->out->world = a->body;
    if (a->folded && above != BODY_HIPS) {
        const Vec3 upright = mean_up(a, above);
        a->out->world =
            snapped(upright, longest_axis(upright, -1) == 0 ? (Vec3){0, 1, 0} : (Vec3){1, 0, 0});
    }
    const Axes turned = {alignment_vector(&a->out->world, original(&a->body, (Vec3){1, 0, 0})),
                         alignment_vector(&a->out->world, original(&a->body, (Vec3){0, 1, 0})),
                         alignment_vector(&a->out->world, original(&a->body, (Vec3){0, 0, 1}))};
    a->out->from_body = axes_to_quat(&turned);
}

/* ---- directions at rest, in the axes of MMD ---- */

static bool has_both(const Aligner *a, BodyPart part)
{
    return a->joints[part] >= 0 && a->bones[part] >= 0;
}

static Vec3 bone_rest(const Aligner *a, int32_t bone)
{
    return vec3_load(a->model->bones[bone].position);
}

/* From the joint to the first of its children, or 0. */
static Vec3 direction_to_child(const Aligner *a, int32_t joint)
{
    const Mocap *s = a->source;
    for (uint32_t i = (uint32_t)joint + 1; i < s->joint_count; i++)
        if (s->joints[i].parent == joint)
            return vec3_normalize(
                alignment_vector(&a->body, vec3_sub(s->joints[i].rest, s->joints[joint].rest)));
    return (Vec3){0, 0, 0};
}

static Vec3 direction_to_tail(const Aligner *a, int32_t index)
{
    const PmxBone *bone = &a->model->bones[index];
    return vec3_normalize(bone->tail_bone >= 0
                              ? vec3_sub(bone_rest(a, bone->tail_bone), bone_rest(a, index))
                              : vec3_load(bone->tail_offset));
}

/* The directions of a part in both rest poses; `next` is where it ends, or the same part: its end
 * is a child of the joint and the tail of the bone.  False if either is not known. */
static bool find_directions(Vec3 *of_bone, Vec3 *of_joint, const Aligner *a, BodyPart part,
                            BodyPart next)
{
    if (!has_both(a, part) || !has_both(a, next))
        return false;
    if (part == next) {
        *of_bone = direction_to_tail(a, a->bones[part]);
        *of_joint = direction_to_child(a, a->joints[part]);
    } else {
        *of_bone =
            vec3_normalize(vec3_sub(bone_rest(a, a->bones[next]), bone_rest(a, a->bones[part])));
        *of_joint = alignment_vector(&a->body, rest_direction(a, part, next));
    }
    return vec3_length(*of_bone) > 0 && vec3_length(*of_joint) > 0;
}

/* The shortest rotation between two directions; of opposite ones, half a turn. */
static Quat between(Vec3 from, Vec3 to)
{
    const Vec3 axis = vec3_cross(from, to);
    const double w = 1 + vec3_dot(from, to);
    if (w < 1e-9) {
        const Vec3 other = fabs(from.x) < 0.9 ? (Vec3){1, 0, 0} : (Vec3){0, 1, 0};
        const Vec3 normal = vec3_normalize(vec3_cross(from, other));
        return (Quat){normal.x, normal.y, normal.z, 0};
    }
    return quat_normalize((Quat){axis.x, axis.y, axis.z, w});
}

/* After the rotation of the part before it, the shortest one to the direction of the source. */
static void align_after(Aligner *a, BodyPart part, BodyPart next, Quat before)
{
    Vec3 of_bone, of_joint;
    Quat *out = &a->out->align[part];
    *out = before;
    if (find_directions(&of_bone, &of_joint, a, part, next))
        *out = quat_normalize(quat_mul(between(quat_rotate(before, of_bone), of_joint), before));
}

/* By two directions: the second one is met as close as the first one allows. */
static Quat align_axes(Vec3 bone, Vec3 bone_side, Vec3 joint, Vec3 joint_side)
{
    const Axes from = axes_from_view(bone, bone_side), to = axes_from_view(joint, joint_side);
    return quat_normalize(quat_mul(axes_to_quat(&to), quat_inverse(axes_to_quat(&from))));
}

/* ---- rest poses that do not stand ---- */

/* The rotation of a joint in the last sample since the rest pose, in the axes of the file. */
static Quat since_rest(const Aligner *a, int32_t joint)
{
    return quat_mul(a->rotations[joint], quat_inverse(a->source->joints[joint].rest_rotation));
}

/* The mean axis about which the second of two parts bends against the first one, in the rest pose;
 * its length is the mean sine of the bend. */
static Vec3 bend_axis(const Aligner *a, BodyPart part, BodyPart next, BodyPart end)
{
    Vec3 sum = {0, 0, 0};
    const Vec3 along = rest_direction(a, part, next), after = rest_direction(a, next, end);
    for (int i = 0; i < SAMPLES; i++) {
        sample(a, i);
        const Quat since = since_rest(a, a->joints[next]);
        const Quat upper = since_rest(a, a->joints[part]);
        const Vec3 bent = quat_rotate(quat_mul(quat_inverse(upper), since), after);
        sum = vec3_add(sum, vec3_cross(along, bent));
    }
    /* a cross product changes its sign with the handedness */
    return vec3_scale(alignment_vector(&a->body, sum), -1.0 / SAMPLES);
}

/* Knees bend backwards and elbows forwards, which determines the roll of a limb. */
static void align_by_bend(Aligner *a, BodyPart part, Vec3 bends_to)
{
    Vec3 of_bone, of_joint;
    const BodyPart next = (BodyPart)(part + 1), end = (BodyPart)(part + 2);
    if (!find_directions(&of_bone, &of_joint, a, part, next) || !has_both(a, end))
        return;
    const Vec3 axis = bend_axis(a, part, next, end);
    a->out->align[part] = vec3_length(axis) < MIN_BEND
                              ? between(of_bone, of_joint)
                              : align_axes(of_bone, vec3_cross(of_bone, bends_to), of_joint, axis);
}

/* The torso by the direction upwards and that to the left shoulder. */
static void align_torso(Aligner *a)
{
    static const BodyPart nexts[] = {[BODY_SPINE] = BODY_CHEST,
                                     [BODY_CHEST] = BODY_NECK,
                                     [BODY_NECK] = BODY_HEAD,
                                     [BODY_HEAD] = BODY_HEAD};
    const BodyPart right = body_side(BODY_ARM, true);
    if (!has_both(a, BODY_ARM) || !has_both(a, right))
        return;
    const Vec3 left = alignment_vector(&a->body, rest_direction(a, right, BODY_ARM));
    Vec3 of_bone, of_joint;
    for (BodyPart part = BODY_SPINE; part <= BODY_HEAD; part++)
        if (find_directions(&of_bone, &of_joint, a, part, nexts[part]))
            a->out->align[part] = align_axes((Vec3){0, 1, 0}, (Vec3){1, 0, 0}, of_joint, left);
        else if (part != BODY_SPINE)
            a->out->align[part] = a->out->align[part - 1];
}

/* Upwards, in the rest pose of a foot, by its mean rotation while its ankle is low. */
static Vec3 up_of_foot(const Aligner *a, BodyPart part)
{
    const int32_t foot = a->joints[part];
    const Vec3 up = original(&a->out->world, (Vec3){0, 1, 0});
    Vec3 ups[SAMPLES], sum = {0, 0, 0};
    double heights[SAMPLES], lowest = HUGE_VAL;
    for (int i = 0; i < SAMPLES; i++) {
        sample(a, i);
        ups[i] = quat_rotate(quat_inverse(since_rest(a, foot)), up);
        heights[i] = vec3_dot(a->positions[foot], up);
        lowest = fmin(lowest, heights[i]);
    }
    const double shin = vec3_length(vec3_sub(rest_of(a, part - 1), rest_of(a, part)));
    for (int i = 0; i < SAMPLES; i++)
        sum = vec3_add(sum, vec3_scale(ups[i], exp((lowest - heights[i]) / (LOW * shin))));
    return alignment_vector(&a->body, sum);
}

/* On average a head looks where the chest faces. */
static void align_head(Aligner *a)
{
    Quat sum = {0, 0, 0, 0};
    if (!has_both(a, BODY_HEAD) || a->joints[BODY_CHEST] < 0)
        return;
    for (int i = 0; i < SAMPLES; i++) {
        sample(a, i);
        const Quat head = since_rest(a, a->joints[BODY_HEAD]);
        const Quat chest = since_rest(a, a->joints[BODY_CHEST]);
        const Quat q = quat_mul(quat_inverse(head), chest);
        const double sign = quat_dot(q, sum) < 0 ? -1 : 1;
        sum =
            (Quat){sum.x + sign * q.x, sum.y + sign * q.y, sum.z + sign * q.z, sum.w + sign * q.w};
    }
    a->out->align[BODY_HEAD] =
        quat_mul(alignment_rotation(&a->body, quat_normalize(sum)), a->out->align[BODY_CHEST]);
}

/* ---- all parts ---- */

static void align_side(Aligner *a, bool right)
{
    const BodyPart hand = body_side(BODY_HAND, right), foot = body_side(BODY_FOOT, right);
    const BodyPart elbow = body_side(BODY_ELBOW, right), knee = body_side(BODY_KNEE, right);
    Quat *align = a->out->align;
    if (a->folded) {
        const Vec3 forward = {0, 0, -1}, back = {0, 0, 1};
        align_by_bend(a, body_side(BODY_ARM, right), forward);
        align_after(a, body_side(BODY_SHOULDER, right), body_side(BODY_ARM, right),
                    a->out->align[body_side(BODY_ARM, right)]);
        align_by_bend(a, body_side(BODY_LEG, right), back);
    } else {
        align_after(a, body_side(BODY_SHOULDER, right), body_side(BODY_ARM, right), QUAT_IDENTITY);
        align_after(a, body_side(BODY_ARM, right), elbow, QUAT_IDENTITY);
        align_after(a, body_side(BODY_LEG, right), knee, QUAT_IDENTITY);
    }
    align_after(a, elbow, hand, align[body_side(BODY_ARM, right)]);
    align_after(a, hand, body_finger(BODY_MIDDLE, 0, right), align[elbow]);
    for (int finger = 0; finger < 5; finger++) {
        Quat before = align[hand];
        for (int joint = 0; joint < 3; joint++) {
            const BodyPart part = body_finger(finger, joint, right);
            const BodyPart next = joint < 2 ? body_finger(finger, joint + 1, right) : part;
            align_after(a, part, next, before);
            before = a->out->align[part];
        }
    }
    align_after(a, knee, foot, align[body_side(BODY_LEG, right)]);
    if (a->folded) { /* a foot that stands flat in both rest poses needs nothing */
        Vec3 of_bone, of_joint;
        if (find_directions(&of_bone, &of_joint, a, foot, body_side(BODY_TOE, right)) ||
            find_directions(&of_bone, &of_joint, a, foot, foot))
            align[foot] = align_axes((Vec3){0, 1, 0}, of_bone, up_of_foot(a, foot), of_joint);
    }
    align[body_side(BODY_TOE, right)] = align[foot];
}

void alignment_find(Alignment *out, const Mocap *source, const int32_t joints[BODY_PARTS],
                    const PmxModel *model, const int32_t bones[BODY_PARTS], Arena *arena)
{
    Aligner a = {.source = source,
                 .model = model,
                 .joints = joints,
                 .bones = bones,
                 .out = out,
                 .positions = arena_array(arena, Vec3, source->joint_count),
                 .rotations = arena_array(arena, Quat, source->joint_count)};
    for (int i = 0; i < BODY_PARTS; i++)
        out->align[i] = QUAT_IDENTITY;
    find_axes(&a);
    if (a.folded) {
        align_torso(&a);
        align_head(&a);
    }
    align_side(&a, false);
    align_side(&a, true);
}
