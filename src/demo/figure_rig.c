// SPDX-License-Identifier: MIT
#include "demo/figure_rig.h"

#include <assert.h>
#include <math.h>

typedef struct BoneRow {
    const char *name, *name_en;
    int parent;
    float x, y, z;
} BoneRow;

static const BoneRow MIDDLE[BONE_PAIRS] = {
    [BONE_ROOT] = {"全ての親", "root", PMX_NONE, 0, 0, 0},
    [BONE_CENTER] = {"センター", "center", BONE_ROOT, 0, 6.0f, 0},
    [BONE_GROOVE] = {"グルーブ", "groove", BONE_CENTER, 0, 6.3f, 0},
    [BONE_LOWER] = {"下半身", "lower body", BONE_GROOVE, 0, 7.3f, 0},
    [BONE_UPPER] = {"上半身", "upper body", BONE_GROOVE, 0, 7.3f, 0},
    [BONE_UPPER2] = {"上半身2", "upper body2", BONE_UPPER, 0, 8.4f, 0},
    [BONE_NECK] = {"首", "neck", BONE_UPPER2, 0, 10.1f, 0.05f},
    [BONE_HEAD] = {"頭", "head", BONE_NECK, 0, 10.8f, 0.1f},
    [BONE_EYES] = {"両目", "eyes", BONE_HEAD, 0, 12.6f, -0.3f},
    [BONE_FRINGE] = {"前髪", "fringe", BONE_HEAD, 0, 14.6f, -1.2f},
    [BONE_BOW] = {"リボン", "bow", BONE_UPPER2, 0, 9.35f, -0.95f},
};

/* A-pose: the arms point 38 degrees below the horizontal. */
#define ARM_X 0.788f
#define ARM_Y (-0.616f)
#define ON_ARM(s) 1.15f + ARM_X *(s), 9.62f + ARM_Y *(s), 0.0f

/* The left one of each pair; a parent below BONE_PAIRS is in the middle, others are pairs + 1000.
 */
enum { OF_PAIR = 1000 };

static const BoneRow PAIRS[PAIR_COUNT] = {
    [PAIR_SHOULDER] = {"肩", "shoulder", BONE_UPPER2, 0.35f, 9.7f, 0},
    [PAIR_ARM] = {"腕", "arm", OF_PAIR + PAIR_SHOULDER, ON_ARM(0.0f)},
    [PAIR_ARM_TWIST] = {"腕捩", "arm twist", OF_PAIR + PAIR_ARM, ON_ARM(0.9f)},
    [PAIR_ELBOW] = {"ひじ", "elbow", OF_PAIR + PAIR_ARM_TWIST, ON_ARM(1.75f)},
    [PAIR_HAND_TWIST] = {"手捩", "hand twist", OF_PAIR + PAIR_ELBOW, ON_ARM(2.7f)},
    [PAIR_HALF_TWIST] = {"手捩1", "hand twist1", OF_PAIR + PAIR_ELBOW, ON_ARM(2.3f)},
    [PAIR_WRIST] = {"手首", "wrist", OF_PAIR + PAIR_HAND_TWIST, ON_ARM(3.4f)},
    [PAIR_FINGER] = {"親指１", "thumb1", OF_PAIR + PAIR_WRIST, 1.15f + 2.82f, 9.62f - 2.28f, -0.2f},
    {"親指２", "thumb2", OF_PAIR + PAIR_FINGER, 1.15f + 2.98f, 9.62f - 2.40f, -0.36f},
    {"人指１", "index1", OF_PAIR + PAIR_WRIST, 1.15f + 3.16f, 9.62f - 2.44f, -0.2f},
    {"人指２", "index2", OF_PAIR + PAIR_FINGER + 2, 1.15f + 3.36f, 9.62f - 2.60f, -0.22f},
    {"中指１", "middle1", OF_PAIR + PAIR_WRIST, 1.15f + 3.18f, 9.62f - 2.46f, -0.065f},
    {"中指２", "middle2", OF_PAIR + PAIR_FINGER + 4, 1.15f + 3.39f, 9.62f - 2.63f, -0.07f},
    {"薬指１", "ring1", OF_PAIR + PAIR_WRIST, 1.15f + 3.16f, 9.62f - 2.45f, 0.07f},
    {"薬指２", "ring2", OF_PAIR + PAIR_FINGER + 6, 1.15f + 3.36f, 9.62f - 2.61f, 0.075f},
    {"小指１", "little1", OF_PAIR + PAIR_WRIST, 1.15f + 3.12f, 9.62f - 2.42f, 0.2f},
    {"小指２", "little2", OF_PAIR + PAIR_FINGER + 8, 1.15f + 3.28f, 9.62f - 2.55f, 0.215f},
    [PAIR_LEG] = {"足", "leg", BONE_LOWER, 0.62f, 6.5f, 0},
    [PAIR_KNEE] = {"ひざ", "knee", OF_PAIR + PAIR_LEG, 0.64f, 3.75f, -0.08f},
    [PAIR_ANKLE] = {"足首", "ankle", OF_PAIR + PAIR_KNEE, 0.66f, 0.95f, 0.12f},
    [PAIR_TOE] = {"つま先", "toe", OF_PAIR + PAIR_ANKLE, 0.66f, 0.15f, -0.75f},
    [PAIR_LEG_IK] = {"足ＩＫ", "leg IK", BONE_ROOT, 0.66f, 0.95f, 0.12f},
    [PAIR_TOE_IK] = {"つま先ＩＫ", "toe IK", OF_PAIR + PAIR_LEG_IK, 0.66f, 0.15f, -0.75f},
    [PAIR_EYE] = {"目", "eye", BONE_HEAD, 0.9f, 12.6f, -0.3f},
    [PAIR_LOCK] = {"横髪１", "lock1", BONE_HEAD, 1.85f, 12.9f, -1.0f},
    {"横髪２", "lock2", OF_PAIR + PAIR_LOCK, 2.0f, 11.4f, -1.0f},
    [PAIR_TAIL] = {"髪１", "tail1", BONE_HEAD, 2.05f, 14.1f, 0.75f},
    {"髪２", "tail2", OF_PAIR + PAIR_TAIL, 3.35f, 13.3f, 1.1f},
    {"髪３", "tail3", OF_PAIR + PAIR_TAIL + 1, 3.95f, 11.6f, 1.25f},
    {"髪４", "tail4", OF_PAIR + PAIR_TAIL + 2, 4.05f, 9.8f, 1.2f},
    {"髪５", "tail5", OF_PAIR + PAIR_TAIL + 3, 3.75f, 8.0f, 1.05f},
};

int bone_of(Pair pair, Side side)
{
    return BONE_PAIRS + 2 * (int)pair + (int)side;
}

int bone_of_skirt(int column, int row)
{
    const int around = (column % SKIRT_COLUMNS + SKIRT_COLUMNS) % SKIRT_COLUMNS;
    return BONE_SKIRT + SKIRT_ROWS * around + row;
}

float side_sign(Side side)
{
    return side == LEFT ? 1.0f : -1.0f;
}

static vec3s skirt_position(int index)
{
    const int column = index / SKIRT_ROWS;
    const float angle = 2.0f * GLM_PIf * (float)column / SKIRT_COLUMNS;
    const float radius = index % SKIRT_ROWS == 0 ? 1.0f : 1.65f;

    return vec(radius * sinf(angle), index % SKIRT_ROWS == 0 ? 7.15f : 6.0f, -radius * cosf(angle));
}

vec3s bone_position(int bone)
{
    assert(bone >= 0 && bone < BONE_COUNT);
    if (bone >= BONE_SKIRT)
        return skirt_position(bone - BONE_SKIRT);
    const BoneRow *row = bone < BONE_PAIRS ? &MIDDLE[bone] : &PAIRS[(bone - BONE_PAIRS) / 2];
    const bool right = bone >= BONE_PAIRS && (bone - BONE_PAIRS) % 2 == RIGHT;
    return vec(right ? -row->x : row->x, row->y, row->z);
}

const char *bone_name(int bone, Arena *arena)
{
    if (bone >= BONE_SKIRT)
        return arena_printf(arena, "スカート_%d_%d", (bone - BONE_SKIRT) % SKIRT_ROWS,
                            (bone - BONE_SKIRT) / SKIRT_ROWS);
    if (bone < BONE_PAIRS)
        return MIDDLE[bone].name;
    return arena_printf(arena, "%s%s", (bone - BONE_PAIRS) % 2 == LEFT ? "左" : "右",
                        PAIRS[(bone - BONE_PAIRS) / 2].name);
}

static const char *english_name(int bone, Arena *arena)
{
    if (bone >= BONE_SKIRT)
        return arena_printf(arena, "skirt_%d_%d", (bone - BONE_SKIRT) % SKIRT_ROWS,
                            (bone - BONE_SKIRT) / SKIRT_ROWS);
    if (bone < BONE_PAIRS)
        return MIDDLE[bone].name_en;
    return arena_printf(arena, "%s_%c", PAIRS[(bone - BONE_PAIRS) / 2].name_en,
                        (bone - BONE_PAIRS) % 2 == LEFT ? 'L' : 'R');
}

static int parent_of(int bone)
{
    if (bone >= BONE_SKIRT)
        return (bone - BONE_SKIRT) % SKIRT_ROWS == 0 ? BONE_LOWER : bone - 1;
    if (bone < BONE_PAIRS)
        return MIDDLE[bone].parent;
    const int parent = PAIRS[(bone - BONE_PAIRS) / 2].parent;
    return parent < OF_PAIR ? parent
                            : bone_of((Pair)(parent - OF_PAIR), (Side)((bone - BONE_PAIRS) % 2));
}

static bool is_pair(int bone, Pair pair)
{
    return bone >= BONE_PAIRS && bone < BONE_SKIRT && (bone - BONE_PAIRS) / 2 == (int)pair;
}

static bool is_movable(int bone)
{
    return bone <= BONE_GROOVE || is_pair(bone, PAIR_LEG_IK) || is_pair(bone, PAIR_TOE_IK);
}

static void follow(PmxBone *bone, int source, float ratio)
{
    bone->flags |= PMX_BONE_APPEND_ROTATION;
    bone->append_source = source;
    bone->append_ratio = ratio;
}

static void set_axis(PmxBone *bone, vec3s axis)
{
    bone->flags |= PMX_BONE_FIXED_AXIS;
    for (int i = 0; i < 3; i++)
        bone->fixed_axis[i] = glms_vec3_normalize(axis).raw[i];
}

static PmxBone make_bone(int index, Arena *arena)
{
    const vec3s at = bone_position(index);
    PmxBone bone = {.name = bone_name(index, arena),
                    .name_en = english_name(index, arena),
                    .position = {at.x, at.y, at.z},
                    .parent = parent_of(index),
                    .flags = PMX_BONE_ROTATABLE | PMX_BONE_VISIBLE | PMX_BONE_OPERABLE,
                    .tail_bone = PMX_NONE,
                    .tail_offset = {0.0f, 0.5f, 0.0f},
                    .append_source = PMX_NONE};

    if (is_movable(index))
        bone.flags |= PMX_BONE_MOVABLE;
    return bone;
}

static PmxIkLink *new_links(int count, Arena *arena)
{
    return arena_array(arena, PmxIkLink, (size_t)count);
}

static void add_leg_ik(PmxBone *bones, Side side, Arena *arena)
{
    PmxBone *leg = &bones[bone_of(PAIR_LEG_IK, side)], *toe = &bones[bone_of(PAIR_TOE_IK, side)];
    PmxIkLink *links = new_links(2, arena);

    links[0] = (PmxIkLink){.bone = bone_of(PAIR_KNEE, side),
                           .limited = true,
                           .lower = {-GLM_PIf, 0, 0},
                           .upper = {-0.0087266f, 0, 0}};
    links[1] = (PmxIkLink){.bone = bone_of(PAIR_LEG, side)};
    leg->ik = (PmxIk){bone_of(PAIR_ANKLE, side), 40, 2.0f, links, 2};
    links = new_links(1, arena);
    links[0] = (PmxIkLink){.bone = bone_of(PAIR_ANKLE, side)};
    toe->ik = (PmxIk){bone_of(PAIR_TOE, side), 3, 4.0f, links, 1};
    leg->flags |= PMX_BONE_IK;
    toe->flags |= PMX_BONE_IK;
    leg->layer = toe->layer = 1;
}

static void add_side(PmxBone *bones, Side side, Arena *arena)
{
    const vec3s along = glms_vec3_sub(bone_position(bone_of(PAIR_WRIST, side)),
                                      bone_position(bone_of(PAIR_ARM, side)));

    add_leg_ik(bones, side, arena);
    set_axis(&bones[bone_of(PAIR_ARM_TWIST, side)], along);
    set_axis(&bones[bone_of(PAIR_HAND_TWIST, side)], along);
    follow(&bones[bone_of(PAIR_HALF_TWIST, side)], bone_of(PAIR_HAND_TWIST, side), 0.5f);
    follow(&bones[bone_of(PAIR_EYE, side)], BONE_EYES, 1.0f);
}

/*
 * Without physics the skirt follows the thighs: the front by enough to clear a lifted
 * knee, the sides less.  On layer 2, after the legs' IK.
 */
static void add_skirt(PmxBone *bones)
{
    static const float ratio[SKIRT_COLUMNS] = {0.35f, 0.72f, 0.62f, 0.3f, 0.2f, 0.3f, 0.62f, 0.72f};

    for (int c = 0; c < SKIRT_COLUMNS; c++) {
        const Side side = c <= SKIRT_COLUMNS / 2 ? LEFT : RIGHT;
        follow(&bones[bone_of_skirt(c, 0)], bone_of(PAIR_LEG, side), ratio[c]);
        for (int r = 0; r < SKIRT_ROWS; r++)
            bones[bone_of_skirt(c, r)].layer = 2;
    }
}

/* ---- rigid bodies ---- */

enum { GROUP_BODY, GROUP_LEGS, GROUP_HAIR, GROUP_SKIRT };

typedef struct Bodies {
    Arena *arena;
    ARENA_LIST(PmxBody) bodies;
    ARENA_LIST(PmxJoint) joints;
} Bodies;

/* Groups that each group collides with. */
static uint16_t mask_of(int group)
{
    static const uint16_t masks[] = {
        [GROUP_BODY] = 1 << GROUP_HAIR,
        [GROUP_LEGS] = 1 << GROUP_SKIRT | 1 << GROUP_HAIR,
        [GROUP_HAIR] = 1 << GROUP_BODY,
        [GROUP_SKIRT] = 1 << GROUP_LEGS,
    };
    return masks[group];
}

/* A capsule from a to b, ends included; a ball when they are the same point. */
static int add_body(Bodies *out, int bone, int group, vec3s a, vec3s b, float radius)
{
    const vec3s along = glms_vec3_sub(b, a), middle = glms_vec3_lerp(a, b, 0.5f);
    const float length = glms_vec3_norm(along);
    const bool moves = group == GROUP_HAIR || group == GROUP_SKIRT;
    PmxBody *body = arena_push(out->arena, &out->bodies);

    *body = (PmxBody){.name = bone_name(bone, out->arena),
                      .name_en = english_name(bone, out->arena),
                      .bone = bone,
                      .group = (uint8_t)group,
                      .mask = mask_of(group),
                      .shape = length > 0.0f ? PMX_CAPSULE : PMX_SPHERE,
                      .size = {radius, glm_max(length - 2.0f * radius, 0.0f), 0.0f},
                      .position = {middle.x, middle.y, middle.z},
                      .mass = moves ? 0.5f : 1.0f,
                      .linear_damping = group == GROUP_SKIRT ? 0.4f : 0.6f,
                      .angular_damping = group == GROUP_SKIRT ? 0.6f : 0.75f,
                      .friction = 0.3f,
                      .mode = moves ? PMX_PHYSICS : PMX_FOLLOW_BONE};
    if (length > 0.0f) { /* Ry(yaw) Rx(pitch) rotates +y to the axis of the capsule */
        body->rotation[0] = acosf(glm_clamp(along.y / length, -1.0f, 1.0f));
        body->rotation[1] = atan2f(along.x, along.z);
    }
    return (int)out->bodies.count - 1;
}

/* Rotates by at most `angle` around each axis; both bodies stay within `slack` of each other. */
static void add_joint(Bodies *out, int a, int b, vec3s at, float angle, float slack)
{
    PmxJoint *joint = arena_push(out->arena, &out->joints);

    *joint = (PmxJoint){.name = out->bodies.items[b].name,
                        .name_en = out->bodies.items[b].name_en,
                        .body_a = a,
                        .body_b = b,
                        .position = {at.x, at.y, at.z}};
    for (int i = 0; i < 3; i++) {
        joint->linear_lower[i] = -slack;
        joint->linear_upper[i] = slack;
        joint->angular_lower[i] = -angle;
        joint->angular_upper[i] = angle;
        joint->angular_spring[i] = 8.0f;
    }
}

static void add_limb(Bodies *out, int from, int to, int group, float radius)
{
    add_body(out, from, group, bone_position(from), bone_position(to), radius);
}

static void add_still_bodies(Bodies *out)
{
    add_body(out, BONE_LOWER, GROUP_BODY, vec(0, 6.6f, 0.05f), vec(0, 6.6f, 0.05f), 0.95f);
    add_body(out, BONE_HEAD, GROUP_BODY, vec(0, 13.1f, 0), vec(0, 13.1f, 0), 2.2f);
    add_body(out, BONE_UPPER2, GROUP_BODY, vec(0, 7.6f, 0), vec(0, 9.9f, 0), 0.85f);
    for (Side side = LEFT; side <= RIGHT; side++) {
        add_limb(out, bone_of(PAIR_ARM, side), bone_of(PAIR_ELBOW, side), GROUP_BODY, 0.36f);
        add_limb(out, bone_of(PAIR_ELBOW, side), bone_of(PAIR_WRIST, side), GROUP_BODY, 0.32f);
        add_limb(out, bone_of(PAIR_LEG, side), bone_of(PAIR_KNEE, side), GROUP_LEGS, 0.72f);
        add_limb(out, bone_of(PAIR_KNEE, side), bone_of(PAIR_ANKLE, side), GROUP_LEGS, 0.48f);
    }
}

enum { BODY_LOWER, BODY_HEAD }; /* as add_still_bodies adds them */

static void add_hair_bodies(Bodies *out, Side side)
{
    const vec3s tip = vec(side_sign(side) * 3.3f, 6.4f, 0.9f);
    int last = BODY_HEAD;

    for (int i = 0; i < TAIL_BONES; i++) {
        const int bone = bone_of((Pair)(PAIR_TAIL + i), side);
        const vec3s to = i + 1 < TAIL_BONES ? bone_position(bone + 2) : tip;
        const int body = add_body(out, bone, GROUP_HAIR, bone_position(bone), to, 0.4f);
        add_joint(out, last, body, bone_position(bone), i == 0 ? 0.35f : 0.6f, 0.0f);
        last = body;
    }
}

/* A hinge along the waist: freely outwards, hardly inwards, and stiff enough to keep its shape. */
static void make_hinge(PmxJoint *joint, int column, float outwards, float stiffness)
{
    joint->rotation[1] = -2.0f * GLM_PIf * (float)column / SKIRT_COLUMNS;
    joint->angular_lower[0] = -outwards;
    joint->angular_upper[0] = 0.05f;
    for (int i = 1; i < 3; i++) {
        joint->angular_lower[i] = -0.15f;
        joint->angular_upper[i] = 0.15f;
    }
    for (int i = 0; i < 3; i++)
        joint->angular_spring[i] = stiffness;
}

static void add_skirt_column(Bodies *out, int column)
{
    for (int row = 0; row < SKIRT_ROWS; row++) {
        const vec3s at = bone_position(bone_of_skirt(column, row));
        const vec3s outwards = glms_vec3_scale(vec(at.x, 0, at.z), row == 0 ? 0.65f : 0.4f);
        const vec3s to = glms_vec3_add(at, vec(outwards.x, row == 0 ? -1.15f : -1.2f, outwards.z));
        const int body = add_body(out, bone_of_skirt(column, row), GROUP_SKIRT, at, to, 0.1f);
        /* The body of a skirt bone is a box, wide enough to meet its neighbours. */
        PmxBody *board = &out->bodies.items[body];
        board->shape = PMX_BOX;
        board->size[1] = 0.5f * board->size[1] + board->size[0];
        board->size[0] = row == 0 ? 0.6f : 0.9f;
        board->size[2] = 0.09f;
        add_joint(out, row == 0 ? BODY_LOWER : body - 1, body, at, 0.0f, 0.0f);
        make_hinge(&out->joints.items[out->joints.count - 1], column, row == 0 ? 1.4f : 0.7f,
                   row == 0 ? 60.0f : 30.0f);
    }
}

void rig_build(PmxModel *model, Arena *arena)
{
    PmxBone *bones = arena_array(arena, PmxBone, BONE_COUNT);
    Bodies physics = {.arena = arena};

    for (int i = 0; i < BONE_COUNT; i++)
        bones[i] = make_bone(i, arena);
    /* Every bone points at its first child. */
    for (int i = BONE_COUNT - 1; i > 0; i--) {
        PmxBone *parent = &bones[bones[i].parent < 0 ? 0 : bones[i].parent];
        parent->tail_bone = i;
        parent->flags |= PMX_BONE_TAIL_IS_BONE;
    }
    add_side(bones, LEFT, arena);
    add_side(bones, RIGHT, arena);
    add_skirt(bones);
    add_still_bodies(&physics);
    add_hair_bodies(&physics, LEFT);
    add_hair_bodies(&physics, RIGHT);
    for (int c = 0; c < SKIRT_COLUMNS; c++)
        add_skirt_column(&physics, c);

    model->bones = bones;
    model->bone_count = BONE_COUNT;
    model->bodies = physics.bodies.items;
    model->body_count = (uint32_t)physics.bodies.count;
    model->joints = physics.joints.items;
    model->joint_count = (uint32_t)physics.joints.count;
}
