// SPDX-License-Identifier: MIT
/* alignment: axes of skeletons that face anywhere, directions and roll of limbs by hand */

#include <math.h>
#include <string.h>

#include "mocap_fixture.h"
#include "scene/mocap/alignment.h"
#include "unit_test.h"

#define DEGREES (M_PI / 180)

typedef struct Case {
    Rig rig;
    PmxModel model;
    int32_t joints[BODY_PARTS], bones[BODY_PARTS];
    Alignment alignment;
    Arena *arena;
} Case;

static void case_begin(Case *c)
{
    *c = (Case){.arena = arena_create()};
}

static void case_align(Case *c)
{
    body_find_joints(c->joints, &c->rig.mocap);
    body_find_bones(c->bones, &c->model);
    alignment_find(&c->alignment, &c->rig.mocap, c->joints, &c->model, c->bones, c->arena);
}

static void expect_vector(Vec3 got, Vec3 wanted)
{
    if (vec3_length(vec3_sub(got, wanted)) > 1e-6)
        fail_msg("%g %g %g instead of %g %g %g", got.x, got.y, got.z, wanted.x, wanted.y, wanted.z);
}

static void expect_rotation(Quat got, Quat wanted)
{
    if (fabs(quat_dot(got, wanted)) < 1 - 1e-9)
        fail_msg("%g %g %g %g instead of %g %g %g %g", got.x, got.y, got.z, got.w, wanted.x,
                 wanted.y, wanted.z, wanted.w);
}

static Quat about(double x, double y, double z, double degrees)
{
    return quat_from_axis_angle((Vec3){x, y, z}, degrees * DEGREES);
}

/* ---- axes ---- */

/* All 24 ways to lay a figure along the axes: the same figure in the axes of MMD. */
static void test_axes(void **state)
{
    (void)state;
    static const int first[6][4] = {/* axis, degrees: where the head points */
                                    {0, 0}, {0, 90}, {0, 180}, {0, 270}, {2, 90}, {2, 270}};
    for (int k = 0; k < 24; k++) {
        Case c;
        case_begin(&c);
        rig_create_standard(&c.rig, 1, c.arena);
        bones_create_standard(&c.model, c.arena);
        const int *f = first[k / 4];
        const Quat q = quat_mul(about(f[0] == 0, 0, f[0] == 2, f[1]), about(0, 1, 0, 90 * (k % 4)));
        Vec3 wanted[20];
        for (uint32_t i = 0; i < c.rig.mocap.joint_count; i++) {
            MocapJoint *joint = &c.rig.mocap.joints[i];
            wanted[i] = (Vec3){joint->rest.x, joint->rest.y, -joint->rest.z};
            joint->rest = quat_rotate(q, joint->rest);
        }
        case_align(&c);
        for (uint32_t i = 0; i < c.rig.mocap.joint_count; i++)
            expect_vector(alignment_vector(&c.alignment.world, c.rig.mocap.joints[i].rest),
                          wanted[i]);
        /* a rotation about up keeps its sense only seen from above: the axes change handedness */
        const Vec3 up = quat_rotate(q, (Vec3){0, 1, 0}), left = quat_rotate(q, (Vec3){1, 0, 0});
        expect_rotation(
            alignment_rotation(&c.alignment.world, quat_from_axis_angle(up, 30 * DEGREES)),
            about(0, 1, 0, -30));
        expect_rotation(
            alignment_rotation(&c.alignment.world, quat_from_axis_angle(left, 30 * DEGREES)),
            about(1, 0, 0, -30));
        expect_rotation(c.alignment.from_body, QUAT_IDENTITY);
        for (int part = 0; part < BODY_PARTS; part++)
            expect_rotation(c.alignment.align[part], QUAT_IDENTITY);
        arena_destroy(c.arena);
    }
}

/* ---- limbs ---- */

static void place_joint(Case *c, const char *name, double x, double y, double z)
{
    c->rig.mocap.joints[rig_find(&c->rig, name)].rest = (Vec3){x, y, z};
}

static void place_bone(Case *c, const char *name, float x, float y, float z)
{
    const float at[] = {x, y, z};
    memcpy(c->model.bones[bones_find(&c->model, name)].position, at, sizeof at);
}

/* The first joint may be any part of the torso; what is above the hips gives the up direction, if
 * legs are not below it: here they lie along x, so the pose is no standing figure. */
static void test_first_joint(void **state)
{
    (void)state;
    static const char *const first[] = {"Spine", "Neck", "Head"};
    for (int i = 0; i < 3; i++) {
        const RigJoint joints[] = {
            {first[i], -1, {0, 5, 0}},  {"Hips", 0, {0, -5, 0}},     {"LeftUpLeg", 1, {0, 0, 1}},
            {"LeftLeg", 2, {4, 0, 0}},  {"LeftFoot", 3, {4, 0, 0}},  {"RightUpLeg", 1, {0, 0, -1}},
            {"RightLeg", 5, {4, 0, 0}}, {"RightFoot", 6, {4, 0, 0}},
        };
        Case c;
        case_begin(&c);
        rig_create(&c.rig, joints, sizeof joints / sizeof *joints, 2, c.arena);
        bones_create_standard(&c.model, c.arena);
        case_align(&c);
        expect_vector(alignment_vector(&c.alignment.world, (Vec3){0, 1, 0}), (Vec3){0, 1, 0});
        arena_destroy(c.arena);
    }
}

/* The left arm of the source points down and its forearm points forwards; the model has a T-pose.
 * The arm turns about z, then the forearm from down to forwards, which is -z in MMD. */
static void test_arms(void **state)
{
    (void)state;
    Case c;
    case_begin(&c);
    rig_create_standard(&c.rig, 1, c.arena);
    bones_create_standard(&c.model, c.arena);
    place_joint(&c, "LeftArm", 1.5, 5, 0);
    place_joint(&c, "LeftForeArm", 1.5, 2, 0);
    place_joint(&c, "LeftHand", 1.5, 2, 2);
    place_joint(&c, "RightForeArm", -1.5, 8, 0);
    place_joint(&c, "RightHand", -1.5, 10, 0);
    case_align(&c);
    const Quat *align = c.alignment.align;
    const Quat down = about(0, 0, 1, -90), forwards = quat_mul(about(1, 0, 0, 90), down);
    expect_rotation(align[BODY_ARM], down);
    expect_rotation(align[BODY_ELBOW], forwards);
    expect_rotation(align[BODY_HAND], forwards);
    expect_rotation(align[body_finger(2, 2, false)], forwards);
    const Quat up = about(0, 0, 1, -90); /* of the right arm, which points to -x */
    expect_rotation(align[body_side(BODY_ARM, true)], up);
    expect_rotation(align[body_side(BODY_HAND, true)], up);
    expect_rotation(align[BODY_SHOULDER], QUAT_IDENTITY);
    expect_rotation(align[BODY_LEG], QUAT_IDENTITY);
    arena_destroy(c.arena);
}

/* Legs apart by 45 degrees in the model; the source stands on a straight left leg and a right one
 * whose shin points backwards, which is +z in MMD. */
static void test_legs(void **state)
{
    (void)state;
    Case c;
    case_begin(&c);
    rig_create_standard(&c.rig, 1, c.arena);
    bones_create_standard(&c.model, c.arena);
    place_bone(&c, "左ひざ", 5, 5, 0);
    place_bone(&c, "左足首", 9, 1, 0);
    place_joint(&c, "RightFoot", -1, -5, -4);
    case_align(&c);
    const Quat *align = c.alignment.align;
    expect_rotation(align[BODY_LEG], about(0, 0, 1, -45));
    expect_rotation(align[BODY_KNEE], about(0, 0, 1, -45));
    expect_rotation(align[BODY_FOOT], QUAT_IDENTITY);
    expect_rotation(align[BODY_TOE], QUAT_IDENTITY);
    expect_rotation(align[body_side(BODY_LEG, true)], QUAT_IDENTITY);
    expect_rotation(align[body_side(BODY_KNEE, true)], about(1, 0, 0, -90));
    expect_rotation(align[body_side(BODY_FOOT, true)], QUAT_IDENTITY);
    arena_destroy(c.arena);
}

/* Opposite directions have no shortest rotation; any half turn will do. */
static void test_opposite(void **state)
{
    (void)state;
    Case c;
    case_begin(&c);
    rig_create_standard(&c.rig, 1, c.arena);
    bones_create_standard(&c.model, c.arena);
    place_bone(&c, "左ひじ", -1.5f, 15, 0);
    case_align(&c);
    expect_vector(quat_rotate(c.alignment.align[BODY_ARM], (Vec3){-1, 0, 0}), (Vec3){1, 0, 0});
    arena_destroy(c.arena);
}

/* A hand points to its middle finger, joints of fingers to the next one, the last one to its child;
 * the bone to its tail, another bone or an offset. */
static void test_fingers(void **state)
{
    (void)state;
    static const RigJoint joints[] = {
        {"hips", -1, {0, 0, 0}},     {"lthigh", 0, {1, 0, 0}},    {"lcalf", 1, {0, -4, 0}},
        {"lfoot", 2, {0, -4, 0}},    {"rthigh", 0, {-1, 0, 0}},   {"rcalf", 4, {0, -4, 0}},
        {"rfoot", 5, {0, -4, 0}},    {"lupperarm", 0, {1, 5, 0}}, {"lforearm", 7, {3, 0, 0}},
        {"lhand", 8, {3, 0, 0}},     {"lmiddle1", 9, {0, -1, 0}}, {"lmiddle2", 10, {0, -1, 0}},
        {"lmiddle3", 11, {0, 0, 1}}, {"", 12, {0, 0, 1}},         {"lindex1", 9, {0, -1, 0.5}},
        {"lindex2", 14, {1, 0, 0}},  {"lindex3", 15, {1, 0, 0}},
    };
    static const ModelBone bones[] = {
        {"下半身", -1, {0, 8, 0}},     {"左足", 0, {1, 8, 0}},       {"左ひざ", 1, {1, 4, 0}},
        {"左足首", 2, {1, 0, 0}},      {"右足", 0, {-1, 8, 0}},      {"右ひざ", 4, {-1, 4, 0}},
        {"右足首", 5, {-1, 0, 0}},     {"左腕", 0, {1, 13, 0}},      {"左ひじ", 7, {4, 13, 0}},
        {"左手首", 8, {7, 13, 0}},     {"左中指１", 9, {8, 13, 0}},  {"左中指２", 10, {9, 13, 0}},
        {"左中指３", 11, {10, 13, 0}}, {"左人指３", 9, {10, 13, 1}}, {"tip", 13, {10, 14, 1}},
    };
    Case c;
    case_begin(&c);
    rig_create(&c.rig, joints, sizeof joints / sizeof *joints, 1, c.arena);
    bones_create(&c.model, bones, sizeof bones / sizeof *bones, c.arena);
    c.model.bones[12].tail_offset[1] = 2; /* upwards */
    c.model.bones[13].tail_bone = 14;
    case_align(&c);
    const Quat *align = c.alignment.align, down = about(0, 0, 1, -90);
    expect_rotation(align[BODY_ELBOW], QUAT_IDENTITY);
    expect_rotation(align[BODY_HAND], down);
    expect_rotation(align[body_finger(2, 0, false)], down);
    expect_rotation(align[body_finger(2, 1, false)], quat_mul(about(1, 0, 0, 90), down));
    /* its tail points up, after `before` to the right and then still; its joint ends forwards */
    const Quat before = quat_mul(about(1, 0, 0, 90), down);
    const Vec3 tail = quat_rotate(before, (Vec3){0, 1, 0});
    const Quat last = align[body_finger(2, 2, false)];
    expect_vector(quat_rotate(last, (Vec3){0, 1, 0}), (Vec3){0, 0, -1});
    expect_rotation(last, quat_mul(about(0, 1, 0, tail.x > 0 ? 90 : -90), before));
    c.model.bones[12].tail_bone = 0; /* of the hips, at 0, 8, 0 */
    case_align(&c);
    expect_vector(quat_rotate(align[body_finger(2, 2, false)], vec3_normalize((Vec3){-10, -5, 0})),
                  (Vec3){0, 0, -1});
    /* the joint of the index finger has no child, so its end is not known */
    expect_rotation(align[body_finger(1, 2, false)], down);
    arena_destroy(c.arena);
}

/* ---- rest poses that do not stand ---- */

static const RigJoint folded[] = {
    {"Hips", -1, {0, 0, 0}},         {"Spine", 0, {1, 0, 0}},     {"Neck", 1, {5, 0, 0}},
    {"Head", 2, {1, 0, 0}},          {"", 3, {2, 0, 0}},          {"LeftArm", 1, {4, 0, 1.5}},
    {"LeftForeArm", 5, {3, 0, 0}},   {"LeftHand", 6, {3, 0, 0}},  {"RightArm", 1, {4, 0, -1.5}},
    {"RightForeArm", 8, {3, 0, 0}},  {"RightHand", 9, {3, 0, 0}}, {"LeftUpLeg", 0, {0, 0, 1}},
    {"LeftLeg", 11, {4, 0, 0}},      {"LeftFoot", 12, {4, 0, 0}}, {"LeftToeBase", 13, {1, 0, 0}},
    {"RightUpLeg", 0, {0, 0, -1}},   {"RightLeg", 15, {4, 0, 0}}, {"RightFoot", 16, {4, 0, 0}},
    {"RightToeBase", 17, {1, 0, 0}}, {"Spine2", 1, {1, 0, 0}},
};

/* The hips turn x to up, so the left side is +z and forwards is -x.  Legs turn back down and toes
 * forwards; knees bend backwards and arms, which hang, bend forwards, in every second frame. */
static void stand_up(Rig *rig, uint32_t frames, Arena *arena)
{
    rig_create(rig, folded, sizeof folded / sizeof *folded, frames, arena);
    for (uint32_t k = 0; k < frames; k++) {
        const double bend = k % 2 ? 90 : 0;
        rig_turn(rig, k, "Hips", 2, 90);
        for (int side = 0; side < 2; side++) {
            rig_turn(rig, k, side ? "RightUpLeg" : "LeftUpLeg", 2, 180);
            rig_turn(rig, k, side ? "RightLeg" : "LeftLeg", 2, bend);
            rig_turn(rig, k, side ? "RightFoot" : "LeftFoot", 2, -90 - bend);
            rig_turn(rig, k, side ? "RightArm" : "LeftArm", 2, 180);
            rig_turn(rig, k, side ? "RightForeArm" : "LeftForeArm", 2, -bend);
        }
    }
}

/* The world rotation of a bone at a time. */
static Quat bone_rotation(const Case *c, int part, double time_s)
{
    Vec3 positions[24];
    Quat rotations[24];
    mocap_pose(positions, rotations, &c->rig.mocap, time_s);
    const Quat since = rotations[c->joints[part]];
    return quat_mul(
        quat_mul(alignment_rotation(&c->alignment.world, since), c->alignment.from_body),
        c->alignment.align[part]);
}

/* The source stands upright and faces -x of the file.  A model whose arms point down, too, then
 * only turns about y as a whole, from -z to where -x of the file is. */
static void test_folded(void **state)
{
    (void)state;
    Case c;
    case_begin(&c);
    stand_up(&c.rig, 240, c.arena);
    for (uint32_t k = 0; k < 240; k++) /* the head has another roll at rest than the chest */
        rig_turn(&c.rig, k, "Head", 0, 30);
    bones_create_standard(&c.model, c.arena);
    for (int side = 0; side < 2; side++) {
        const float x = side ? -1.5f : 1.5f;
        place_bone(&c, side ? "右ひじ" : "左ひじ", x, 12, 0);
        place_bone(&c, side ? "右手首" : "左手首", x, 9, 0);
        c.model.bones[bones_find(&c.model, side ? "右足首" : "左足首")].tail_offset[2] = -1;
    }
    case_align(&c);
    const Vec3 up = alignment_vector(&c.alignment.world, (Vec3){0, 1, 0});
    const Vec3 forward = alignment_vector(&c.alignment.world, (Vec3){-1, 0, 0});
    const Vec3 left = alignment_vector(&c.alignment.world, (Vec3){0, 0, 1});
    expect_vector(up, (Vec3){0, 1, 0});
    expect_vector(vec3_cross(left, up), vec3_scale(forward, -1)); /* left-handed */
    static const BodyPart parts[] = {BODY_SPINE, BODY_NECK, BODY_HEAD, BODY_ARM,
                                     BODY_ELBOW, BODY_LEG,  BODY_KNEE, BODY_FOOT};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int side = 0; side < (parts[i] >= BODY_ARM ? 2 : 1); side++) {
            const Quat q = bone_rotation(&c, (int)body_side(parts[i], side), 0);
            expect_vector(quat_rotate(q, (Vec3){0, 1, 0}), up);
            expect_vector(quat_rotate(q, (Vec3){0, 0, -1}), forward);
        }
    const Quat hips = bone_rotation(&c, BODY_HIPS, 0);
    expect_vector(quat_rotate(hips, (Vec3){0, 1, 0}), up);
    expect_vector(quat_rotate(hips, (Vec3){0, 0, -1}), forward);
    /* a knee that is bent by 90 degrees: the shin points backwards */
    const Quat shin = bone_rotation(&c, BODY_KNEE, 1 / 30.0);
    expect_vector(quat_rotate(shin, (Vec3){0, -1, 0}), vec3_scale(forward, -1));
    arena_destroy(c.arena);
}

/* Arms without known hands stay as they are at rest. */
static void test_folded_without_hands(void **state)
{
    (void)state;
    Case c;
    case_begin(&c);
    stand_up(&c.rig, 2, c.arena);
    bones_create_standard(&c.model, c.arena);
    c.rig.mocap.joints[rig_find(&c.rig, "LeftHand")].name = "unknown";
    case_align(&c);
    expect_rotation(c.alignment.align[BODY_ARM], QUAT_IDENTITY);
    assert_true(fabs(c.alignment.align[body_side(BODY_ARM, true)].w) < 0.99);
    arena_destroy(c.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_axes),     cmocka_unit_test(test_first_joint),
        cmocka_unit_test(test_arms),     cmocka_unit_test(test_legs),
        cmocka_unit_test(test_opposite), cmocka_unit_test(test_fingers),
        cmocka_unit_test(test_folded),   cmocka_unit_test(test_folded_without_hands),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
