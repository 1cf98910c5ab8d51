// SPDX-License-Identifier: MIT
#include "scene/mocap/clean_feet.h"

#include <stdlib.h>

#include "base/units.h"
#include "math/scalar.h"
#include "scene/mocap/body.h"

enum {
    FEWEST = 5,       /* frames of a stay */
    BLEND = 8,        /* frames before and after it in which the foot comes to it and leaves */
    CENTER_WINDOW = 3 /* frames on both sides over which センター follows the feet, twice */
};

/* In lengths of a leg. */
static const double LANDS = 0.007;  /* per frame: a slower foot is planted */
static const double LEAVES = 0.011; /* a planted foot is as long as it is slower */
static const double LOW = 0.08;     /* above where the feet stand */
static const double HELD = 0.035;   /* a stay is not wider; then it is a slide that is meant */
static const double REACH = 0.9995; /* of the length of a leg */

/* Parts of a tolerance: of bones that move a foot, which would slide; of legs that IK moves. */
static const double EXACT = 0.6, ROUGH = 4;

static const double STANDING = 0.05; /* part of the frames in which the lower ankle is lower */
static const double SWINGING = 0.05; /* weight of a foot in the air for センター */

typedef struct Foot {
    int32_t leg, knee, ankle;
    int32_t ik;    /* bone of the IK of the ankle, or -1 */
    int32_t moved; /* the ankle, or that bone if the IK is on */
    double rest;   /* height of it at rest */
    Vec3 *place;   /* [frames] in the world */
    Vec3 *shift;   /* [frames] by which it is moved */
    bool *planted; /* [frames] */
} Foot;

struct Feet {
    CleanBody *body;
    int32_t bones[BODY_PARTS];
    Foot feet[2];
    int32_t center;  /* センター, or -1 */
    double leg;      /* length */
    double standing; /* height of the lower ankle when it stands, above its height at rest */
    bool *wanted;    /* bones of the poses */
    CleanPose pose;
};

/* ---- bones ---- */

/* False where the keys do not move the foot. */
static bool find_foot(Foot *foot, const Feet *f, const bool *ik_on, bool right)
{
    const PmxModel *model = &f->body->model->pmx;
    const int32_t *bones = f->bones;
    *foot = (Foot){.leg = bones[body_side(BODY_LEG, right)],
                   .knee = bones[body_side(BODY_KNEE, right)],
                   .ankle = bones[body_side(BODY_FOOT, right)]};
    if (foot->leg < 0 || foot->knee < 0 || foot->ankle < 0)
        return false;
    foot->ik = body_find_foot_ik(model, bones, right);
    foot->moved = foot->ik >= 0 && ik_on[foot->ik] ? foot->ik : foot->ankle;
    foot->rest = (double)model->bones[foot->moved].position[1];
    return f->body->tracks[foot->moved == foot->ik ? foot->ik : foot->leg].keys.key_count > 1;
}

static void want(bool *wanted, const PmxModel *pmx, int32_t bone)
{
    for (; bone >= 0 && !wanted[bone]; bone = pmx->bones[bone].parent)
        wanted[bone] = true;
}

static bool find_feet(Feet *f, const bool *ik_on)
{
    const PmxModel *model = &f->body->model->pmx;
    Arena *arena = f->body->arena;
    body_find_bones(f->bones, model);
    f->center = body_find_bone(model, "センター");
    f->wanted = arena_array(arena, bool, model->bone_count);
    f->pose = clean_pose_create(f->body);
    want(f->wanted, model, f->center);
    for (int side = 0; side < 2; side++) {
        Foot *foot = &f->feet[side];
        if (!find_foot(foot, f, ik_on, side))
            return false;
        want(f->wanted, model, foot->ankle);
        want(f->wanted, model, foot->ik);
        foot->place = arena_array(arena, Vec3, f->body->frames);
        foot->shift = arena_array(arena, Vec3, f->body->frames);
        foot->planted = arena_array(arena, bool, f->body->frames);
        f->leg += (body_distance(model, foot->leg, foot->knee) +
                   body_distance(model, foot->knee, foot->ankle)) /
                  2;
    }
    return f->leg > 0;
}

/* ---- stays ---- */

static void place_feet(Feet *f)
{
    const uint32_t frames = f->body->frames;
    double *lower = arena_array(f->body->arena, double, frames);
    for (uint32_t i = 0; i < frames; i++) {
        clean_pose_at(&f->pose, f->body, f->wanted, i);
        for (int side = 0; side < 2; side++)
            f->feet[side].place[i] = f->pose.place[f->feet[side].moved];
        lower[i] =
            fmin(f->feet[0].place[i].y - f->feet[0].rest, f->feet[1].place[i].y - f->feet[1].rest);
    }
    qsort(lower, frames, sizeof *lower, scalar_compare);
    f->standing = lower[(uint32_t)(STANDING * (frames - 1))];
}

/* The way in a frame, from two frames on both sides. */
static double speed(const Foot *foot, uint32_t at, uint32_t frames)
{
    const uint32_t from = at > 2 ? at - 2 : 0, to = at + 2 < frames ? at + 2 : frames - 1;
    return vec3_length(vec3_sub(foot->place[to], foot->place[from])) / fmax(1, to - from);
}

static bool is_slow(const Feet *f, const Foot *foot, uint32_t at, double limit)
{
    return speed(foot, at, f->body->frames) < limit * f->leg &&
           foot->place[at].y - foot->rest < f->standing + LOW * f->leg;
}

static double floor_distance(Vec3 a, Vec3 b)
{
    return hypot(a.x - b.x, a.z - b.z);
}

/* The frame after a stay that begins at `from`, and the place that changes it least: the mean. */
static uint32_t end_of_stay(const Feet *f, const Foot *foot, uint32_t from, Vec3 *place)
{
    Vec3 sum = {0, 0, 0};
    uint32_t at = from;
    for (; at < f->body->frames && is_slow(f, foot, at, LEAVES); at++) {
        const Vec3 mean = vec3_scale(sum, 1.0 / fmax(1, at - from));
        if (at > from && floor_distance(mean, foot->place[at]) > HELD * f->leg)
            break;
        sum = vec3_add(sum, foot->place[at]);
    }
    *place = vec3_scale(sum, 1.0 / fmax(1, at - from));
    place->y = fmax(place->y, foot->rest);
    return at;
}

static void find_stays(Feet *f, Foot *foot, FeetReport *report)
{
    const uint32_t frames = f->body->frames;
    for (uint32_t i = 0; i < frames; i++) {
        Vec3 place;
        if (!is_slow(f, foot, i, LANDS))
            continue;
        const uint32_t end = end_of_stay(f, foot, i, &place);
        for (uint32_t k = i; k < end && end - i >= FEWEST; k++) {
            foot->planted[k] = true;
            foot->shift[k] = vec3_sub(place, foot->place[k]);
            report->slide += k > i ? floor_distance(foot->place[k], foot->place[k - 1]) : 0;
            report->planted++;
        }
        i = end > i ? end - 1 : i;
    }
}

static double ease(double t)
{
    t = fmin(1, fmax(0, t));
    return t * t * (3 - 2 * t);
}

/* Between stays: from one shift to the next, or to none if there is time. */
static void join_stays(Foot *foot, uint32_t frames)
{
    for (uint32_t i = 0; i < frames;) {
        uint32_t end = i;
        if (foot->planted[i]) {
            i++;
            continue;
        }
        while (end < frames && !foot->planted[end])
            end++;
        const Vec3 before = i ? foot->shift[i - 1] : (Vec3){0, 0, 0};
        const Vec3 after = end < frames ? foot->shift[end] : (Vec3){0, 0, 0};
        const double gap = end - i + 1, time = fmin(gap, BLEND);
        for (uint32_t k = i; k < end; k++) {
            const double left = k - i + 1, right = end - k;
            if (i && end < frames && gap <= 2 * BLEND)
                foot->shift[k] = vec3_lerp(before, after, ease(left / gap));
            else
                foot->shift[k] = vec3_add(vec3_scale(before, 1 - ease(left / time)),
                                          vec3_scale(after, 1 - ease(right / time)));
            foot->shift[k].y =
                fmax(foot->shift[k].y, foot->rest - foot->place[k].y); /* the floor */
        }
        i = end;
    }
}

/* ---- the center ---- */

static void sample(const Feet *f, int32_t bone)
{
    clean_track_sample(&f->body->tracks[bone], f->body->frames - 1, f->body->arena);
    f->body->tracks[bone].changed = true;
}

static void average(Vec3 *out, const Vec3 *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        Vec3 sum = {0, 0, 0};
        for (uint32_t k = 0; k <= 2 * CENTER_WINDOW; k++) {
            const uint32_t at = i + k > CENTER_WINDOW ? i + k - CENTER_WINDOW : 0;
            sum = vec3_add(sum, values[at < count ? at : count - 1]);
        }
        out[i] = vec3_scale(sum, 1.0 / (2 * CENTER_WINDOW + 1));
    }
}

/* What both feet have in common, slowly, is done by センター. */
static void move_center(Feet *f)
{
    const uint32_t frames = f->body->frames;
    Vec3 *shift = arena_array(f->body->arena, Vec3, frames);
    Vec3 *mean = arena_array(f->body->arena, Vec3, frames);
    if (f->center < 0)
        return;
    for (uint32_t i = 0; i < frames; i++) {
        Vec3 sum = {0, 0, 0};
        double weights = 0;
        for (int side = 0; side < 2; side++) {
            const double weight = f->feet[side].planted[i] ? 1 : SWINGING;
            sum = vec3_add(sum, vec3_scale(f->feet[side].shift[i], weight));
            weights += weight;
        }
        shift[i] = vec3_scale(sum, 1 / weights);
    }
    average(mean, shift, frames);
    average(shift, mean, frames);
    CleanTrack *track = &f->body->tracks[f->center];
    sample(f, f->center);
    for (uint32_t i = 0; i < frames; i++) {
        clean_pose_at(&f->pose, f->body, f->wanted, i);
        const Quat base = clean_parent_rotation(&f->pose, f->body, (uint32_t)f->center);
        track->offset[i] = vec3_add(track->offset[i], quat_rotate(quat_inverse(base), shift[i]));
    }
}

/* ---- the legs ---- */

static void move_target(Feet *f, const Foot *foot, uint32_t frame)
{
    CleanTrack *track = &f->body->tracks[foot->ik];
    const Quat base = clean_parent_rotation(&f->pose, f->body, (uint32_t)foot->ik);
    const Vec3 wanted = vec3_add(foot->place[frame], foot->shift[frame]);
    const Vec3 missed = vec3_sub(wanted, f->pose.place[foot->ik]);
    track->offset[frame] = vec3_add(track->offset[frame], quat_rotate(quat_inverse(base), missed));
}

/* The angle of the knee between thigh and shin for a distance of the ankle from the hip. */
static double knee_angle(double thigh, double shin, double distance)
{
    const double cosine = (thigh * thigh + shin * shin - distance * distance) / (2 * thigh * shin);
    return acos(fmin(1, fmax(-1, cosine)));
}

static Quat turn_from(Quat before, Quat after)
{
    return quat_mul(after, quat_inverse(before));
}

/* Gives a bone a rotation in the world.  turned: how its parent was turned since the pose */
static void turn_bone(Feet *f, int32_t bone, uint32_t frame, Quat turned, Quat rotation)
{
    const Quat base = quat_mul(turned, clean_parent_rotation(&f->pose, f->body, (uint32_t)bone));
    f->body->tracks[bone].rotation[frame] = quat_normalize(quat_mul(quat_inverse(base), rotation));
}

/* Bends the knee until the ankle is far enough from the hip, then turns the leg by the shortest
 * rotation; the foot keeps its direction.  A bent knee stays in its plane, a straight one bends
 * backwards. */
static void turn_leg(Feet *f, const Foot *foot, uint32_t frame)
{
    const CleanPose *pose = &f->pose;
    const Vec3 hip = pose->place[foot->leg];
    const Vec3 thigh = vec3_sub(pose->place[foot->knee], hip);
    const Vec3 shin = vec3_sub(pose->place[foot->ankle], pose->place[foot->knee]);
    const Vec3 down = vec3_normalize(thigh), along = vec3_normalize(shin);
    const Vec3 wanted = vec3_sub(vec3_add(foot->place[frame], foot->shift[frame]), hip);
    const double reach = REACH * (vec3_length(thigh) + vec3_length(shin));
    const double angle =
        knee_angle(vec3_length(thigh), vec3_length(shin), fmin(reach, vec3_length(wanted)));
    const Vec3 bent_about = vec3_cross(down, along);
    const double change = fabs(PI - angle - asin(fmin(1, vec3_length(bent_about))));
    Vec3 axis = quat_rotate(pose->rotation[foot->leg], (Vec3){-change, 0, 0});
    axis = vec3_add(axis, bent_about);
    axis = vec3_normalize(vec3_sub(axis, vec3_scale(down, vec3_dot(axis, down))));
    const Quat bend =
        quat_between(along, quat_rotate(quat_from_axis_angle(axis, PI - angle), down));
    const Vec3 bent = vec3_add(thigh, quat_rotate(bend, shin));
    const Quat turn = quat_between(vec3_normalize(bent), vec3_normalize(wanted));
    const Quat leg = quat_mul(turn, pose->rotation[foot->leg]);
    const Quat knee = quat_mul(turn, quat_mul(bend, pose->rotation[foot->knee]));
    const Quat ankle = pose->rotation[foot->ankle];
    turn_bone(f, foot->leg, frame, QUAT_IDENTITY, leg);
    turn_bone(f, foot->knee, frame, turn_from(pose->rotation[foot->leg], leg), knee);
    turn_bone(f, foot->ankle, frame, turn_from(pose->rotation[foot->knee], knee), ankle);
}

Feet *clean_feet_find(FeetReport *report, CleanBody *body, const bool *ik_on)
{
    Feet *feet = arena_alloc(body->arena, sizeof *feet);
    feet->body = body;
    *report = (FeetReport){0};
    if (body->frames < 2 || !find_feet(feet, ik_on))
        return NULL;
    place_feet(feet);
    for (int side = 0; side < 2; side++)
        find_stays(feet, &feet->feet[side], report);
    return feet;
}

void clean_feet_hold(Feet *feet)
{
    const CleanBody *body = feet->body;
    for (int side = 0; side < 2; side++) {
        const Foot *foot = &feet->feet[side];
        const int32_t bones[] = {foot->leg, foot->knee, foot->ankle};
        join_stays(&feet->feet[side], body->frames);
        for (int i = 0; i < 3; i++)
            sample(feet, foot->moved == foot->ankle ? bones[i] : foot->moved);
    }
    move_center(feet);
    for (uint32_t i = 0; i < body->frames; i++) {
        clean_pose_at(&feet->pose, body, feet->wanted, i);
        for (int side = 0; side < 2; side++) {
            const Foot *foot = &feet->feet[side];
            if (foot->moved == foot->ankle)
                turn_leg(feet, foot, i);
            else
                move_target(feet, foot, i);
        }
    }
}

/* ---- IK ---- */

double *clean_feet_use_ik(Feet *feet)
{
    const CleanBody *body = feet->body;
    const uint32_t count = body->model->pmx.bone_count;
    bool *moving = arena_array(body->arena, bool, count);
    double *shares = arena_array(body->arena, double, count);
    for (int side = 0; side < 2; side++) {
        const Foot *foot = &feet->feet[side];
        want(moving, &body->model->pmx, foot->ik >= 0 ? foot->ik : foot->ankle);
    }
    for (uint32_t i = 0; i < count; i++)
        shares[i] = moving[i] ? EXACT : 1;
    for (int side = 0; side < 2; side++) {
        Foot *foot = &feet->feet[side];
        if (foot->ik >= 0)
            shares[foot->leg] = shares[foot->knee] = shares[foot->ankle] = ROUGH;
        if (foot->ik < 0 || foot->moved == foot->ik)
            continue;
        sample(feet, foot->ik);
        for (uint32_t i = 0; i < body->frames; i++) {
            clean_pose_at(&feet->pose, body, feet->wanted, i);
            foot->place[i] = feet->pose.place[foot->ankle];
            foot->shift[i] = (Vec3){0, 0, 0};
            move_target(feet, foot, i);
            turn_bone(feet, foot->ik, i, QUAT_IDENTITY, feet->pose.rotation[foot->ankle]);
        }
    }
    return shares;
}

void clean_feet_switch(VmdMotion *motion, const Feet *feet, Arena *arena)
{
    const Model *model = feet->body->model;
    const uint32_t keys = motion->property_key_count;
    motion->property_keys =
        arena_copy(arena, motion->property_keys, keys * sizeof *motion->property_keys);
    for (uint32_t k = 0; k < keys; k++) {
        VmdPropertyKey *key = &motion->property_keys[k];
        key->ik = arena_copy(arena, key->ik, key->ik_count * sizeof *key->ik);
        for (uint32_t i = 0; i < key->ik_count; i++)
            for (uint32_t b = 0; b < model->pmx.bone_count; b++)
                key->ik[i].enabled |= model->pmx.bones[b].flags & PMX_BONE_IK &&
                                      body_is_foot_ik(&model->pmx.bones[b].ik, feet->bones) &&
                                      vmd_name_equal(&key->ik[i].bone, &model->bone_names[b]);
    }
}
