// SPDX-License-Identifier: MIT
#include "scene/mocap/retarget.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "format/file_kind.h"
#include "format/motion/motion_file.h"
#include "scene/mocap/alignment.h"
#include "scene/mocap/floor.h"
#include "scene/model.h"

enum { MAX_FRAMES = 10 * 3600 * MOTION_FPS };

typedef struct Retarget {
    const Mocap *source;
    const PmxModel *model;
    MocapLegs legs;
    Alignment alignment;
    Floor floor;
    int32_t joints[BODY_PARTS]; /* -1: none */
    int32_t bones[BODY_PARTS];
    int32_t foot_ik[2];    /* bones with IK of the left and right ankle; -1: none */
    int32_t *part_of;      /* [bone_count] BodyPart, or -1 */
    const uint32_t *order; /* [bone_count] parents first */
    int32_t center;        /* センター */
    uint32_t frames;
    double scale;        /* MMD units per unit of the file */
    Vec3 *position;      /* [joint_count] in MMD's axes and units */
    Quat *rotation;      /* [joint_count] since the rest pose */
    Quat corrections[2]; /* FloorPlan.corrections of the frame */
    Quat *turned;        /* [bone_count] world rotation */
    Vec3 *placed;        /* [bone_count] position without an offset of the center */
    struct Keys *tracks; /* [bone_count] */
    Arena *scratch;
} Retarget;

static Vec3 bone_rest(const Retarget *r, int32_t bone)
{
    return vec3_load(r->model->bones[bone].position);
}

/* ---- a frame ---- */

/* The rotation of a part in the world. */
static Quat part_rotation(const Retarget *r, int part)
{
    const Quat q = quat_mul(r->rotation[r->joints[part]], r->alignment.align[part]);
    for (int side = 0; side < 2; side++)
        if (part == (int)body_side(BODY_LEG, side) || part == (int)body_side(BODY_KNEE, side))
            return quat_normalize(quat_mul(r->corrections[side], q));
    return quat_normalize(q);
}

static void turn_bones(Retarget *r)
{
    for (uint32_t k = 0; k < r->model->bone_count; k++) {
        const uint32_t i = r->order[k];
        const PmxBone *bone = &r->model->bones[i];
        const int32_t part = r->part_of[i], parent = bone->parent;
        r->turned[i] = parent >= 0 ? r->turned[parent] : QUAT_IDENTITY;
        r->placed[i] = bone_rest(r, (int32_t)i);
        if (parent >= 0) {
            const Vec3 rest = vec3_sub(r->placed[i], bone_rest(r, parent));
            r->placed[i] = vec3_add(r->placed[parent], quat_rotate(r->turned[parent], rest));
        }
        if (part >= 0)
            r->turned[i] = part_rotation(r, part);
    }
}

static void evaluate_source_frame(FloorFrame *out, Retarget *r, uint32_t frame)
{
    /* Positions and rotations of all joints at a time. */
    const Mocap *s = r->source;
    const Alignment *a = &r->alignment;
    mocap_pose(r->position, r->rotation, s, frame / (double)MOTION_FPS);
    for (uint32_t i = 0; i < s->joint_count; i++) {
        const Quat since = quat_mul(r->rotation[i], quat_inverse(s->joints[i].rest_rotation));
        r->position[i] = vec3_scale(alignment_vector(&a->world, r->position[i]), r->scale);
        r->rotation[i] = quat_mul(alignment_rotation(&a->world, since), a->from_body);
    }
    r->corrections[0] = r->corrections[1] = QUAT_IDENTITY;
    turn_bones(r);
    const int32_t *j = r->joints, *b = r->bones;
    for (int side = 0; side < 2; side++) {
        out->hips[side] = r->position[j[body_side(BODY_LEG, side)]];
        out->ankles[side] = r->position[j[body_side(BODY_FOOT, side)]];
        out->placed_hips[side] = r->placed[b[body_side(BODY_LEG, side)]];
        out->placed_ankles[side] = r->placed[b[body_side(BODY_FOOT, side)]];
    }
    out->forward = quat_rotate(r->rotation[j[BODY_HIPS]], (Vec3){0, 0, -1});
}

static bool equal_rotations(const float a[4], const float b[4])
{
    for (int i = 0; i < 4; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

/* ---- keys ---- */

typedef struct Keys {
    VmdBoneKey *items;
    size_t count, capacity;
    VmdBoneKey pending; /* the last key, if it equals the one before it and was not written */
    bool has_pending;
} Keys;

static bool equal_keys(const VmdBoneKey *a, const VmdBoneKey *b)
{
    for (int i = 0; i < 3; i++)
        if (a->translation[i] != b->translation[i])
            return false;
    return equal_rotations(a->rotation, b->rotation);
}

/* As a loader leaves it, so that the file of a motion moves a model as the motion itself. */
static void store_rotation(float out[4], Quat q)
{
    float before[4];
    int rounds = 0;
    quat_store(out, quat_normalize(q));
    do {
        memcpy(before, out, sizeof before);
        vmd_normalize(out);
    } while (!equal_rotations(before, out) && ++rounds < 8);
}

/* Writes only the first and the last of equal keys in sequence. */
static void add_key(Retarget *r, int32_t bone, uint32_t frame, Vec3 offset, Quat rotation)
{
    Keys *keys = &r->tracks[bone];
    VmdBoneKey key = {.name = vmd_name_from_utf8(r->model->bones[bone].name),
                      .frame = frame,
                      .curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
    vec3_store(key.translation, offset);
    store_rotation(key.rotation, rotation);
    const bool same = keys->count && equal_keys(&keys->items[keys->count - 1], &key);
    if (!same) {
        if (keys->has_pending)
            *arena_push(r->scratch, keys) = keys->pending;
        *arena_push(r->scratch, keys) = key;
    }
    keys->pending = key;
    keys->has_pending = same;
}

/* The rotation of a bone's parent in the world. */
static Quat parent_rotation(const Retarget *r, int32_t bone)
{
    const int32_t parent = r->model->bones[bone].parent;
    return parent >= 0 ? r->turned[parent] : QUAT_IDENTITY;
}

static bool is_below(const PmxModel *model, int32_t bone, int32_t ancestor)
{
    for (; bone >= 0; bone = model->bones[bone].parent)
        if (bone == ancestor)
            return true;
    return false;
}

/* The bone of the IK takes the place and the rotation of the foot. */
static void add_foot_target(Retarget *r, int side, uint32_t frame, Vec3 ankle, Vec3 center)
{
    const int32_t ik = r->foot_ik[side], foot = r->bones[body_side(BODY_FOOT, side)];
    const int32_t parent = r->model->bones[ik].parent;
    const Quat base = parent_rotation(r, ik);
    const Vec3 moved = is_below(r->model, parent, r->center) ? center : (Vec3){0, 0, 0};
    const Vec3 offset = vec3_sub(vec3_sub(ankle, r->placed[ik]), moved);
    add_key(r, ik, frame, quat_rotate(quat_inverse(base), offset),
            quat_mul(quat_inverse(base), r->turned[foot]));
}

static void add_frame(Retarget *r, uint32_t frame)
{
    FloorFrame now;
    FloorPlan plan;
    evaluate_source_frame(&now, r, frame);
    floor_plan(&plan, &r->floor, &now);
    memcpy(r->corrections, plan.corrections, sizeof r->corrections);
    turn_bones(r);
    add_key(r, r->center, frame, plan.center, QUAT_IDENTITY);
    for (int part = 0; part < BODY_PARTS; part++) {
        const int32_t bone = r->bones[part];
        if (bone >= 0 && r->part_of[bone] == part)
            add_key(r, bone, frame, (Vec3){0, 0, 0},
                    quat_mul(quat_inverse(parent_rotation(r, bone)), r->turned[bone]));
    }
    if (r->legs == MOCAP_LEGS_IK)
        for (int side = 0; side < 2; side++)
            add_foot_target(r, side, frame, plan.ankles[side], plan.center);
}

/* ---- IK ---- */

/* Whether the IK moves a bone that has keys. */
static bool moves_parts(const Retarget *r, const PmxIk *ik)
{
    for (int part = 0; part < BODY_PARTS; part++)
        if (r->bones[part] >= 0 && r->part_of[r->bones[part]] == part &&
            body_has_link(ik, r->bones[part]))
            return true;
    return false;
}

static void switch_ik(VmdMotion *out, const Retarget *r, Arena *arena)
{
    VmdPropertyKey *key = arena_array(arena, VmdPropertyKey, 1);
    VmdIkSwitch *states = arena_array(arena, VmdIkSwitch, r->model->bone_count);
    *key = (VmdPropertyKey){.visible = true, .ik = states};
    for (uint32_t i = 0; i < r->model->bone_count; i++) {
        const PmxBone *bone = &r->model->bones[i];
        if (!(bone->flags & PMX_BONE_IK) || !moves_parts(r, &bone->ik))
            continue;
        states[key->ik_count++] =
            (VmdIkSwitch){vmd_name_from_utf8(bone->name),
                          r->legs == MOCAP_LEGS_IK && body_is_foot_ik(&bone->ik, r->bones)};
    }
    out->property_keys = key;
    out->property_key_count = 1;
}

/* ---- preparation ---- */

static bool check_parts(const Retarget *r, Diag *diag)
{
    const char *missing = body_missing(r->joints);
    if (missing)
        return diag_error(diag, "no joint is known as the %s, such as Hips or LeftUpLeg", missing);
    missing = body_missing(r->bones);
    if (missing)
        return diag_error(diag, "the model has no standard bone for the %s", missing);
    if (r->legs == MOCAP_LEGS_IK && (r->foot_ik[0] < 0 || r->foot_ik[1] < 0))
        return diag_error(diag, "the model has no IK of the %s foot, which 'legs: ik' needs",
                          r->foot_ik[0] < 0 ? "left" : "right");
    return r->center >= 0 || diag_error(diag, "the model has no bone 'センター'");
}

/* The mean length of both legs at rest, of the source or of the model. */
static double leg_length(const Retarget *r, bool of_source)
{
    const MocapJoint *joints = r->source->joints;
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (BodyPart part = BODY_LEG; part < BODY_FOOT; part++) {
            const BodyPart from = body_side(part, side), to = body_side(part + 1, side);
            sum += of_source ? vec3_length(vec3_sub(joints[r->joints[to]].rest,
                                                    joints[r->joints[from]].rest))
                             : body_distance(r->model, r->bones[to], r->bones[from]);
        }
    return sum / 2;
}

static void prepare(Retarget *r)
{
    const uint32_t joints = r->source->joint_count, bones = r->model->bone_count;
    r->position = arena_array(r->scratch, Vec3, joints);
    r->rotation = arena_array(r->scratch, Quat, joints);
    r->turned = arena_array(r->scratch, Quat, bones);
    r->placed = arena_array(r->scratch, Vec3, bones);
    r->order = model_order_parents_first(r->model, r->scratch);
    r->part_of = arena_array(r->scratch, int32_t, bones);
    r->tracks = arena_array(r->scratch, Keys, bones);
    if (r->joints[BODY_SPINE] < 0)
        r->joints[BODY_SPINE] = r->joints[BODY_HIPS];
    for (uint32_t i = 0; i < r->model->bone_count; i++)
        r->part_of[i] = -1;
    for (int part = 0; part < BODY_PARTS; part++)
        if (r->bones[part] >= 0 && r->joints[part] >= 0)
            r->part_of[r->bones[part]] = part;
    alignment_find(&r->alignment, r->source, r->joints, r->model, r->bones, r->scratch);
    r->scale = leg_length(r, false) / fmax(leg_length(r, true), 1e-6);
    const double heights[2] = {bone_rest(r, r->bones[BODY_FOOT]).y,
                               bone_rest(r, r->bones[body_side(BODY_FOOT, true)]).y};
    FloorFrame frame;
    floor_begin(&r->floor, heights, leg_length(r, false), r->frames, r->scratch);
    for (uint32_t k = 0; k < r->frames; k++) {
        evaluate_source_frame(&frame, r, k);
        floor_add(&r->floor, &frame);
    }
    floor_end(&r->floor);
}

bool retarget_motion(VmdMotion *out, const Mocap *source, const PmxModel *model, MocapLegs legs,
                     Arena *arena, Diag *diag)
{
    Retarget r = {.source = source, .model = model, .legs = legs, .scratch = arena_create()};
    *out = (VmdMotion){.model_name = model->name};
    body_find_joints(r.joints, source);
    body_find_bones(r.bones, model);
    r.center = body_find_bone(model, "センター");
    for (int side = 0; side < 2; side++)
        r.foot_ik[side] = body_find_foot_ik(model, r.bones, side);
    const double frames = floor(source->duration_s * MOTION_FPS + 1e-3) + 1;
    bool good = check_parts(&r, diag);
    if (good && frames > MAX_FRAMES)
        good = diag_error(diag, "%.0f frames are too many (at most %d)", frames, MAX_FRAMES);
    if (good) {
        r.frames = (uint32_t)frames;
        prepare(&r);
        for (uint32_t k = 0; k < r.frames; k++)
            add_frame(&r, k);
        const uint32_t bones = r.model->bone_count;
        uint32_t count = 0;
        for (uint32_t i = 0; i < bones; i++) {
            if (r.tracks[i].has_pending)
                *arena_push(r.scratch, &r.tracks[i]) = r.tracks[i].pending;
            count += (uint32_t)r.tracks[i].count;
        }
        out->bone_keys = arena_array(arena, VmdBoneKey, count);
        for (uint32_t i = 0; i < bones; i++) {
            if (r.tracks[i].count)
                memcpy(out->bone_keys + out->bone_key_count, r.tracks[i].items,
                       r.tracks[i].count * sizeof(VmdBoneKey));
            out->bone_key_count += (uint32_t)r.tracks[i].count;
        }
        switch_ik(out, &r, arena);
    }
    arena_destroy(r.scratch);
    return good;
}

/* The skeleton and its frames are needed no longer when the keys are copied to the arena. */
bool retarget_file(VmdMotion *out, Bytes bytes, const MocapOptions *options, const PmxModel *model,
                   Arena *arena, Diag *diag)
{
    Arena *own = arena_create();
    Mocap mocap;
    const bool good = mocap_load(&mocap, bytes, options, own, diag) &&
                      retarget_motion(out, &mocap, model, options->legs, arena, diag);
    arena_destroy(own);
    return good;
}

bool retarget_any_motion(VmdMotion *out, bool *converted, Bytes bytes, const MocapOptions *options,
                         const PmxModel *model, Arena *arena, Diag *diag)
{
    *converted = mocap_kind(bytes) != FILE_UNKNOWN;
    if (!*converted && options->take)
        return diag_error(diag, "the file has no takes: take '%s' is for .fbx and .glb",
                          options->take);
    if (!*converted && options->up != MOCAP_UP_AUTO)
        return diag_error(diag, "the file is no motion capture: 'up' is for .npz");
    if (!*converted)
        return motion_file_load(out, bytes, arena, diag);
    if (model)
        return retarget_file(out, bytes, options, model, arena, diag);
    return !diag->errors &&
           diag_error(diag, "motion capture moves models; it has no camera and no light");
}
