#include "import/retarget.h"

#include <math.h>
#include <string.h>

#include "import/retarget_names.h"

#define LINEAR                                                      \
    {                                                               \
        {20, 20, 107, 107}, {20, 20, 107, 107}, {20, 20, 107, 107}, \
        {                                                           \
            20, 20, 107, 107                                        \
        }                                                           \
    }

enum { MAX_FRAMES = 10 * 3600 * 30 };

static const double STANCE =
    0.05; /* legs: a foot that is so much higher than the other counts 1/e */

/* A signed permutation of axes: row i of the result is sign[i] * in[axis[i]]. */
typedef struct Axes {
    int axis[3];
    double sign[3];
} Axes;

typedef struct Retarget {
    const BvhMotion *source;
    const PmxModel *model;
    Axes axes;                  /* from the file's axes to those of MMD */
    int32_t joints[BODY_PARTS]; /* -1: none */
    int32_t bones[BODY_PARTS];
    Quat align[BODY_PARTS]; /* from the rest direction of the bone to that of the joint */
    int32_t *part_of;       /* [bone_count] BodyPart, or -1 */
    uint32_t *order;        /* [bone_count] parents first */
    int32_t center;         /* センター */
    double leg, sole;       /* length of a leg of the source; its lowest joint at rest */
    double scale;           /* MMD units per unit of the file */
    Vec3 *rest, *position;  /* [joint_count] in MMD's axes, units of the file */
    Quat *rotation;         /* [joint_count] */
    Quat *turned;           /* [bone_count] world rotation */
    Vec3 *placed;           /* [bone_count] position without an offset of the center */
    Arena *arena;
} Retarget;

/* ---- axes ---- */

static double component(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static Vec3 to_mmd(const Axes *a, Vec3 v)
{
    return (Vec3){a->sign[0] * component(v, a->axis[0]), a->sign[1] * component(v, a->axis[1]),
                  a->sign[2] * component(v, a->axis[2])};
}

/* The axes have opposite handedness, so the axis of a rotation is negated. */
static Quat rotation_to_mmd(const Axes *a, Quat q)
{
    const Vec3 v = to_mmd(a, (Vec3){q.x, q.y, q.z});
    return (Quat){-v.x, -v.y, -v.z, q.w};
}

static int longest_axis(Vec3 v, int except)
{
    int best = -1;
    for (int i = 0; i < 3; i++)
        if (i != except && (best < 0 || fabs(component(v, i)) > fabs(component(v, best))))
            best = i;
    return best;
}

/* Sum of offsets from the root; the root itself is at 0. */
static Vec3 rest_position(const BvhMotion *source, int32_t joint)
{
    Vec3 sum = {0, 0, 0};
    for (; joint >= 0 && source->joints[joint].parent >= 0; joint = source->joints[joint].parent) {
        const double *o = source->joints[joint].offset;
        sum = vec3_add(sum, (Vec3){o[0], o[1], o[2]});
    }
    return sum;
}

/* Up is from the feet to the hips, left from the right leg to the left one: MMD's +y and +x. */
static void find_axes(Retarget *r)
{
    const BvhMotion *s = r->source;
    const Vec3 hips = rest_position(s, r->joints[BODY_LEG_L]);
    const Vec3 up = vec3_sub(hips, rest_position(s, r->joints[BODY_FOOT_L]));
    const Vec3 left = vec3_sub(hips, rest_position(s, r->joints[BODY_LEG_R]));
    const int y = longest_axis(up, -1), x = longest_axis(left, y), z = 3 - x - y;
    const double sx = component(left, x) < 0 ? -1 : 1, sy = component(up, y) < 0 ? -1 : 1;
    /* the third axis of a right-handed system is left x up, which is forward: MMD's -z */
    const double parity = (y - x + 3) % 3 == 1 ? 1 : -1;
    r->axes = (Axes){{x, y, z}, {sx, sy, -sx * sy * parity}};
}

/* ---- the rest pose ---- */

static Vec3 bone_rest(const Retarget *r, BodyPart part)
{
    return vec3_load(r->model->bones[r->bones[part]].position);
}

/* The shortest rotation between two directions. */
static Quat between(Vec3 from, Vec3 to)
{
    const Vec3 a = vec3_normalize(from), b = vec3_normalize(to);
    const Vec3 axis = vec3_cross(a, b);
    const double w = 1 + vec3_dot(a, b);
    if (w < 1e-9) /* opposite: about any axis; limbs never are */
        return (Quat){0, 0, 1, 0};
    return quat_normalize((Quat){axis.x, axis.y, axis.z, w});
}

/* Limbs are aligned by the direction to their next part; hands and feet as the limb before. */
static void find_alignment(Retarget *r)
{
    static const struct {
        BodyPart part, next;
    } limbs[] = {
        {BODY_SHOULDER_L, BODY_ARM_L}, {BODY_ARM_L, BODY_ELBOW_L}, {BODY_ELBOW_L, BODY_HAND_L},
        {BODY_SHOULDER_R, BODY_ARM_R}, {BODY_ARM_R, BODY_ELBOW_R}, {BODY_ELBOW_R, BODY_HAND_R},
        {BODY_LEG_L, BODY_KNEE_L},     {BODY_KNEE_L, BODY_FOOT_L}, {BODY_LEG_R, BODY_KNEE_R},
        {BODY_KNEE_R, BODY_FOOT_R},
    };
    for (int i = 0; i < BODY_PARTS; i++)
        r->align[i] = QUAT_IDENTITY;
    for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
        const BodyPart part = limbs[i].part, next = limbs[i].next;
        if (r->bones[part] < 0 || r->bones[next] < 0 || r->joints[part] < 0 || r->joints[next] < 0)
            continue;
        const Vec3 to = vec3_sub(r->rest[r->joints[next]], r->rest[r->joints[part]]);
        r->align[part] = between(vec3_sub(bone_rest(r, next), bone_rest(r, part)), to);
    }
    r->align[BODY_HAND_L] = r->align[BODY_ELBOW_L];
    r->align[BODY_HAND_R] = r->align[BODY_ELBOW_R];
    r->align[BODY_FOOT_L] = r->align[BODY_KNEE_L];
    r->align[BODY_FOOT_R] = r->align[BODY_KNEE_R];
}

static double distance(Vec3 a, Vec3 b)
{
    return vec3_length(vec3_sub(a, b));
}

static double leg_of_model(const Retarget *r)
{
    return distance(bone_rest(r, BODY_LEG_L), bone_rest(r, BODY_KNEE_L)) +
           distance(bone_rest(r, BODY_KNEE_L), bone_rest(r, BODY_FOOT_L));
}

static double leg_of_source(const Retarget *r)
{
    const Vec3 *rest = r->rest;
    return distance(rest[r->joints[BODY_LEG_L]], rest[r->joints[BODY_KNEE_L]]) +
           distance(rest[r->joints[BODY_KNEE_L]], rest[r->joints[BODY_FOOT_L]]);
}

/* ---- a frame ---- */

/* Positions and rotations of all joints at a time, between two frames of the file. */
static void evaluate_source(Retarget *r, double time_s)
{
    const BvhMotion *s = r->source;
    const double at = time_s / s->frame_s;
    const uint32_t last = s->frame_count - 1;
    const uint32_t first = at >= last ? last : (uint32_t)at;
    const uint32_t second = first < last ? first + 1 : last;
    const double part = at >= last ? 0 : at - first;
    for (uint32_t i = 0; i < s->joint_count; i++) {
        Vec3 p[2];
        Quat q[2];
        bvh_local(&p[0], &q[0], s, first, i);
        bvh_local(&p[1], &q[1], s, second, i);
        Vec3 position = to_mmd(&r->axes, vec3_add(p[0], vec3_scale(vec3_sub(p[1], p[0]), part)));
        Quat rotation = rotation_to_mmd(&r->axes, quat_slerp(q[0], q[1], part));
        const int32_t parent = s->joints[i].parent;
        if (parent >= 0) {
            position = vec3_add(r->position[parent], quat_rotate(r->rotation[parent], position));
            rotation = quat_mul(r->rotation[parent], rotation);
        }
        r->position[i] = position;
        r->rotation[i] = quat_normalize(rotation);
    }
}

static void turn_bones(Retarget *r)
{
    for (uint32_t k = 0; k < r->model->bone_count; k++) {
        const uint32_t i = r->order[k];
        const PmxBone *bone = &r->model->bones[i];
        const int32_t part = r->part_of[i], parent = bone->parent;
        const Vec3 own = vec3_load(bone->position);
        r->turned[i] = parent >= 0 ? r->turned[parent] : QUAT_IDENTITY;
        r->placed[i] = own;
        if (parent >= 0) {
            const Vec3 rest = vec3_sub(own, vec3_load(r->model->bones[parent].position));
            r->placed[i] = vec3_add(r->placed[parent], quat_rotate(r->turned[parent], rest));
        }
        if (part >= 0)
            r->turned[i] = quat_normalize(quat_mul(r->rotation[r->joints[part]], r->align[part]));
    }
}

static Vec3 middle(Vec3 a, Vec3 b)
{
    return vec3_scale(vec3_add(a, b), 0.5);
}

/* The height of an ankle above where it is when the source stands, in units of the file.  In its
 * rest pose the source stands on its lowest joint. */
static double ankle_height(const Retarget *r, BodyPart foot)
{
    const int32_t joint = r->joints[foot];
    return r->position[joint].y - (r->rest[joint].y - r->sole);
}

/*
 * The middle of the legs moves as in the source, scaled by the length of the legs.  Its height is
 * such that the ankles have the scaled heights of the source; where both differ, because the legs
 * have other proportions, the lower foot counts more.
 */
static Vec3 center_offset(const Retarget *r)
{
    static const BodyPart feet[] = {BODY_FOOT_L, BODY_FOOT_R};
    const Vec3 hips =
        middle(r->position[r->joints[BODY_LEG_L]], r->position[r->joints[BODY_LEG_R]]);
    const Vec3 own = middle(r->placed[r->bones[BODY_LEG_L]], r->placed[r->bones[BODY_LEG_R]]);
    Vec3 offset = vec3_sub(vec3_scale(hips, r->scale), own);
    double sum = 0, weights = 0;
    const double lower = fmin(ankle_height(r, BODY_FOOT_L), ankle_height(r, BODY_FOOT_R));
    for (size_t i = 0; i < 2; i++) {
        const double height = ankle_height(r, feet[i]);
        const double weight = exp((lower - height) / (STANCE * r->leg));
        const double wanted = bone_rest(r, feet[i]).y + r->scale * height;
        sum += weight * (wanted - r->placed[r->bones[feet[i]]].y);
        weights += weight;
    }
    offset.y = sum / weights;
    return offset;
}

/* ---- keys ---- */

typedef struct Keys {
    VmdBoneKey *items;
    size_t count, capacity;
} Keys;

static void add_key(Keys *keys, const Retarget *r, int32_t bone, uint32_t frame, Vec3 offset,
                    Quat rotation)
{
    VmdBoneKey *key = arena_push(r->arena, keys);
    *key = (VmdBoneKey){
        .name = vmd_name_from_utf8(r->model->bones[bone].name), .frame = frame, .curves = LINEAR};
    vec3_store(key->translation, offset);
    quat_store(key->rotation, quat_normalize(rotation));
}

static void add_frame(Keys *keys, Retarget *r, uint32_t frame)
{
    evaluate_source(r, frame / 30.0);
    turn_bones(r);
    add_key(keys, r, r->center, frame, center_offset(r), QUAT_IDENTITY);
    for (int part = 0; part < BODY_PARTS; part++) {
        const int32_t bone = r->bones[part];
        if (bone < 0 || r->part_of[bone] != part)
            continue;
        const int32_t parent = r->model->bones[bone].parent;
        const Quat base = parent >= 0 ? r->turned[parent] : QUAT_IDENTITY;
        add_key(keys, r, bone, frame, (Vec3){0, 0, 0},
                quat_mul(quat_inverse(base), r->turned[bone]));
    }
}

static void switch_ik_off(VmdMotion *out, const Retarget *r)
{
    VmdPropertyKey *key = arena_array(r->arena, VmdPropertyKey, 1);
    VmdIkSwitch *off = arena_array(r->arena, VmdIkSwitch, r->model->bone_count);
    *key = (VmdPropertyKey){.visible = true, .ik = off};
    for (uint32_t i = 0; i < r->model->bone_count; i++)
        if (r->model->bones[i].flags & PMX_BONE_IK)
            off[key->ik_count++].bone = vmd_name_from_utf8(r->model->bones[i].name);
    out->property_keys = key;
    out->property_key_count = 1;
}

/* ---- preparation ---- */

static bool check_parts(const Retarget *r, Diag *diag)
{
    static const BodyPart needed[] = {BODY_HIPS,  BODY_LEG_L,  BODY_KNEE_L, BODY_FOOT_L,
                                      BODY_LEG_R, BODY_KNEE_R, BODY_FOOT_R};
    static const char *const names[] = {"hips",      "left leg",   "left knee", "left foot",
                                        "right leg", "right knee", "right foot"};
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        if (r->joints[needed[i]] < 0)
            return diag_error(diag, "no joint is known as the %s, such as Hips or LeftUpLeg",
                              names[i]);
        if (r->bones[needed[i]] < 0)
            return diag_error(diag, "the model has no standard bone for the %s", names[i]);
    }
    return r->center >= 0 || diag_error(diag, "the model has no bone 'センター'");
}

static int32_t find_bone(const PmxModel *model, const char *name)
{
    for (uint32_t i = 0; i < model->bone_count; i++)
        if (!strcmp(model->bones[i].name, name))
            return (int32_t)i;
    return -1;
}

/* Each bone after its ancestors, which a chain collects; parents form no cycle. */
static void sort_bones(Retarget *r)
{
    const uint32_t count = r->model->bone_count;
    bool *done = arena_array(r->arena, bool, count);
    uint32_t *chain = arena_array(r->arena, uint32_t, count);
    uint32_t placed = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 0;
        for (int32_t at = (int32_t)i; at >= 0 && !done[at]; at = r->model->bones[at].parent) {
            done[at] = true;
            chain[size++] = (uint32_t)at;
        }
        while (size)
            r->order[placed++] = chain[--size];
    }
}

static void prepare(Retarget *r)
{
    const uint32_t joints = r->source->joint_count, bones = r->model->bone_count;
    r->rest = arena_array(r->arena, Vec3, joints);
    r->position = arena_array(r->arena, Vec3, joints);
    r->rotation = arena_array(r->arena, Quat, joints);
    r->turned = arena_array(r->arena, Quat, bones);
    r->placed = arena_array(r->arena, Vec3, bones);
    r->order = arena_array(r->arena, uint32_t, bones);
    r->part_of = arena_array(r->arena, int32_t, bones);
    sort_bones(r);
    for (uint32_t i = 0; i < bones; i++)
        r->part_of[i] = -1;
    for (int part = 0; part < BODY_PARTS; part++)
        if (r->bones[part] >= 0 && r->joints[part] >= 0)
            r->part_of[r->bones[part]] = part;
    find_axes(r);
    for (uint32_t i = 0; i < joints; i++)
        r->rest[i] = to_mmd(&r->axes, rest_position(r->source, (int32_t)i));
    find_alignment(r);
    r->sole = HUGE_VAL;
    for (uint32_t i = 0; i < joints; i++)
        r->sole = fmin(r->sole, r->rest[i].y);
    r->leg = fmax(leg_of_source(r), 1e-6);
    r->scale = leg_of_model(r) / r->leg;
}

bool retarget_bvh(VmdMotion *out, const BvhMotion *source, const PmxModel *model, Arena *arena,
                  Diag *diag)
{
    Retarget r = {.source = source, .model = model, .arena = arena};
    Keys keys = {0};
    *out = (VmdMotion){.model_name = model->name};
    retarget_find_joints(r.joints, source);
    retarget_find_bones(r.bones, model);
    r.center = find_bone(model, "センター");
    if (!check_parts(&r, diag))
        return false;
    const double frames = floor((source->frame_count - 1) * source->frame_s * 30 + 1e-3) + 1;
    if (frames > MAX_FRAMES)
        return diag_error(diag, "%.0f frames are too many (at most %d)", frames, MAX_FRAMES);
    prepare(&r);
    for (uint32_t k = 0; k < (uint32_t)frames; k++)
        add_frame(&keys, &r, k);
    switch_ik_off(out, &r);
    out->bone_keys = keys.items;
    out->bone_key_count = (uint32_t)keys.count;
    return true;
}
