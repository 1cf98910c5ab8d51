// SPDX-License-Identifier: MIT
/* retarget: keys of small figures by hand, IK, what is missing, thinning of equal keys */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "mocap_fixture.h"
#include "scene/mocap/retarget.h"
#include "unit_test.h"

#define DEGREES (M_PI / 180)

typedef struct Case {
    Rig rig;
    PmxModel model;
    VmdMotion motion;
    MocapLegs legs;
    Arena *arena;
    DiagLog log;
} Case;

static void case_begin(Case *c, uint32_t frames)
{
    memset(c, 0, sizeof *c);
    c->arena = arena_create();
    rig_create_standard(&c->rig, frames, c->arena);
    bones_create_standard(&c->model, c->arena);
}

static bool case_retarget(Case *c)
{
    diag_log_init(&c->log);
    return retarget_motion(&c->motion, &c->rig.mocap, &c->model, c->legs, c->arena, &c->log.diag);
}

static void case_run(Case *c)
{
    if (!case_retarget(c))
        fail_msg("%s", c->log.text);
    assert_true(vmd_check(&c->motion, &c->log.diag));
}

/* The number of keys of a bone; `key`: that of a frame, or NULL. */
static int find_key(const VmdBoneKey **key, const Case *c, const char *bone, uint32_t frame)
{
    const VmdName name = vmd_name_from_utf8(bone);
    int count = 0;
    *key = NULL;
    for (uint32_t i = 0; i < c->motion.bone_key_count; i++)
        if (vmd_name_equal(&c->motion.bone_keys[i].name, &name)) {
            count++;
            if (c->motion.bone_keys[i].frame == frame)
                *key = &c->motion.bone_keys[i];
        }
    return count;
}

static void expect_keys(const Case *c, const char *bone, int count)
{
    const VmdBoneKey *key;
    const int found = find_key(&key, c, bone, 0);
    if (found != count)
        fail_msg("%d keys of %s instead of %d", found, bone, count);
}

static const VmdBoneKey *key_at(const Case *c, const char *bone, uint32_t frame)
{
    const VmdBoneKey *key;
    find_key(&key, c, bone, frame);
    if (!key)
        fail_msg("no key of %s at frame %u", bone, frame);
    return key;
}

/* An axis and degrees; only a rotation. */
static void expect_turn(const Case *c, const char *bone, uint32_t frame, Vec3 axis, double degrees)
{
    const VmdBoneKey *key = key_at(c, bone, frame);
    const Quat wanted = quat_from_axis_angle(axis, degrees * DEGREES);
    const Quat got = quat_load(key->rotation);
    const double off = 2 * acos(fmin(1, fabs(quat_dot(got, wanted)))) / DEGREES;
    if (off > 0.05)
        fail_msg("%s is %g degrees off at frame %u", bone, off, frame);
    assert_true(key->translation[0] == 0 && key->translation[1] == 0 && key->translation[2] == 0);
}

static void expect_offset(const Case *c, const char *bone, uint32_t frame, double x, double y,
                          double z, double limit)
{
    const Vec3 at = vec3_load(key_at(c, bone, frame)->translation);
    if (vec3_length(vec3_sub(at, (Vec3){x, y, z})) > limit)
        fail_msg("%s is moved by %g %g %g at frame %u", bone, at.x, at.y, at.z, frame);
}

static const Vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

/* ---- keys ---- */

/* The same figure in the same pose moves nothing; of equal keys the first and the last remain. */
static void test_rest(void **state)
{
    (void)state;
    static const char *const moved[] = {"下半身", "上半身", "首",   "頭",     "左腕",
                                        "右ひじ", "左手首", "左足", "右ひざ", "左足首"};
    Case c;
    case_begin(&c, 10);
    case_run(&c);
    for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) {
        expect_keys(&c, moved[i], 2);
        expect_turn(&c, moved[i], 0, X, 0);
        expect_turn(&c, moved[i], 9, X, 0);
    }
    expect_keys(&c, "センター", 2);
    expect_offset(&c, "センター", 9, 0, 0, 0, 1e-5);
    for (int i = 0; i < 4; i++) /* straight lines */
        assert_true(key_at(&c, "頭", 9)->curves[i].x1 == key_at(&c, "頭", 9)->curves[i].y1 &&
                    key_at(&c, "頭", 9)->curves[i].x2 == key_at(&c, "頭", 9)->curves[i].y2);
    expect_keys(&c, "全ての親", 0);
    expect_keys(&c, "左足ＩＫ", 0);
    expect_keys(&c, "左つま先", 0);
    assert_string_equal(c.motion.model_name, "bones");
    assert_int_equal(c.motion.bone_key_count, 2 * 17);
    arena_destroy(c.arena);
}

/* One frame has one key. */
static void test_one_frame(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 1);
    case_run(&c);
    expect_keys(&c, "頭", 1);
    assert_int_equal(c.motion.bone_key_count, 17);
    arena_destroy(c.arena);
}

/* A change in the middle: the last key before it remains, too. */
static void test_thinning(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 9);
    rig_turn(&c.rig, 5, "Neck", 1, 20);
    case_run(&c);
    expect_keys(&c, "首", 5); /* 0, 4, 5, 6, 8 */
    expect_turn(&c, "首", 4, X, 0);
    expect_turn(&c, "首", 5, Y, -20);
    expect_turn(&c, "首", 6, X, 0);
    expect_turn(&c, "首", 8, X, 0);
    expect_keys(&c, "頭", 2); /* turned with the neck */
    arena_destroy(c.arena);
}

/* Keys are relative to the parent.  About x and y the sense changes with the direction of z. */
static void test_rotations(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 2);
    for (uint32_t k = 0; k < 2; k++) {
        rig_turn(&c.rig, k, "Spine", 1, 40);
        rig_turn(&c.rig, k, "LeftArm", 2, -50);
        rig_turn(&c.rig, k, "LeftForeArm", 1, -30);
        rig_turn(&c.rig, k, "LeftUpLeg", 0, -60);
        rig_turn(&c.rig, k, "LeftLeg", 0, 80);
        rig_turn(&c.rig, k, "LeftFoot", 0, -20);
    }
    case_run(&c);
    expect_turn(&c, "下半身", 0, X, 0);
    expect_turn(&c, "上半身", 0, Y, -40);
    expect_turn(&c, "左腕", 0, Z, -50);
    expect_turn(&c, "左ひじ", 0, Y, 30);
    expect_turn(&c, "左足", 0, X, 60);
    expect_turn(&c, "左ひざ", 0, X, -80);
    expect_turn(&c, "左足首", 0, X, 20);
    expect_turn(&c, "右腕", 0, X, 0);
    arena_destroy(c.arena);
}

/* 下半身 and 上半身 are not each other's parents, but the hips are the parent of the spine: what
 * the hips turn, the spine turns, too. */
static void test_hips(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 2);
    for (uint32_t k = 0; k < 2; k++)
        rig_turn(&c.rig, k, "Hips", 1, 25);
    case_run(&c);
    expect_turn(&c, "下半身", 0, Y, -25);
    expect_turn(&c, "上半身", 0, Y, -25);
    expect_turn(&c, "首", 0, X, 0);
    expect_turn(&c, "左足", 0, X, 0);
    arena_destroy(c.arena);
}

/* Without a spine, the torso follows the hips; so does a spine that is the first joint. */
static void test_spine(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 2);
    c.rig.mocap.joints[rig_find(&c.rig, "Spine")].name = "unknown";
    for (uint32_t k = 0; k < 2; k++)
        rig_turn(&c.rig, k, "Hips", 1, 25);
    case_run(&c);
    expect_turn(&c, "上半身", 0, Y, -25);
    expect_turn(&c, "首", 0, X, 0);
    arena_destroy(c.arena);

    case_begin(&c, 2);
    c.rig.mocap.joints[0].name = "Spine";
    c.rig.mocap.joints[1].name = "Hips"; /* at the same place */
    c.rig.mocap.joints[1].rest = (Vec3){0, 0, 0};
    c.rig.bvh.joints[1].offset[1] = 0;
    for (uint32_t k = 0; k < 2; k++) {
        rig_turn(&c.rig, k, "Spine", 1, 25);
        c.rig.bvh.values[k * c.rig.bvh.value_count + 8] = -10; /* of the joint after it, about y */
    }
    case_run(&c);
    expect_turn(&c, "上半身", 0, Y, -25);
    expect_turn(&c, "下半身", 0, Y, -15);
    arena_destroy(c.arena);
}

/* The first bone may be a parent that turns, and bones may come before their parents. */
static void test_order_of_bones(void **state)
{
    (void)state;
    static const ModelBone bones[] = {
        {"下半身", 7, {0, 10, 0}}, {"左足首", 2, {1, 1, 0}},    {"左ひざ", 3, {1, 5, 0}},
        {"左足", 0, {1, 9, 0}},    {"右足首", 5, {-1, 1, 0}},   {"右ひざ", 6, {-1, 5, 0}},
        {"右足", 0, {-1, 9, 0}},   {"センター", -1, {0, 8, 0}},
    };
    Case c;
    case_begin(&c, 2);
    bones_create(&c.model, bones, sizeof bones / sizeof *bones, c.arena);
    for (uint32_t k = 0; k < 2; k++) {
        rig_turn(&c.rig, k, "Hips", 1, 25);
        rig_turn(&c.rig, k, "RightLeg", 0, 70);
    }
    case_run(&c);
    expect_turn(&c, "下半身", 0, Y, -25);
    expect_turn(&c, "左足", 0, X, 0);
    expect_turn(&c, "右足", 0, X, 0);
    expect_turn(&c, "右ひざ", 0, X, -70);
    expect_turn(&c, "右足首", 0, X, 0);
    expect_offset(&c, "センター", 0, 0, 0, 0, 0.01);
    arena_destroy(c.arena);
}

/* The model is half as large: its center moves half as far.  Both feet move with it. */
static void test_scale(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 40);
    for (uint32_t i = 0; i < c.model.bone_count; i++)
        for (int axis = 0; axis < 3; axis++)
            c.model.bones[i].position[axis] *= 0.5f;
    for (uint32_t k = 3; k < 40; k++)
        rig_move(&c.rig, k, 4, 16, -2);
    case_run(&c);
    expect_offset(&c, "センター", 0, 0, 0, 0, 0.01);
    expect_offset(&c, "センター", 3, 2, 3, 1, 0.01);
    expect_offset(&c, "センター", 39, 2, 3, 1, 0.01);
    arena_destroy(c.arena);
}

/* A capture at 60 frames a second has keys at 30; frames beyond its end are not written. */
static void test_rate(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 8);
    c.rig.mocap.fps = 60;
    c.rig.mocap.duration_s = 7 / 60.0;
    for (uint32_t k = 0; k < 8; k++)
        rig_turn(&c.rig, k, "Head", 0, 5 * (double)k);
    case_run(&c);
    expect_keys(&c, "頭", 4);
    expect_turn(&c, "頭", 3, X, -30);
    assert_int_equal(vmd_last_frame(&c.motion), 3);
    arena_destroy(c.arena);
}

/* Normalizing again, as a loader of the file does, changes nothing. */
static void test_normalized(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 200);
    for (uint32_t k = 0; k < 200; k++)
        for (int axis = 0; axis < 3; axis++) {
            rig_turn(&c.rig, k, "Head", axis, 17.3 * k + 31 * axis);
            rig_turn(&c.rig, k, "LeftArm", axis, 7.1 * k + 51 * axis);
        }
    case_run(&c);
    for (uint32_t i = 0; i < c.motion.bone_key_count; i++) {
        float q[4];
        memcpy(q, c.motion.bone_keys[i].rotation, sizeof q);
        vmd_normalize(q);
        assert_memory_equal(q, c.motion.bone_keys[i].rotation, sizeof q);
    }
    arena_destroy(c.arena);
}

/* ---- IK ---- */

static bool find_switch(bool *on, const Case *c, const char *bone)
{
    const VmdName name = vmd_name_from_utf8(bone);
    const VmdPropertyKey *key = c->motion.property_keys;
    for (uint32_t i = 0; i < key->ik_count; i++)
        if (vmd_name_equal(&key->ik[i].bone, &name)) {
            *on = key->ik[i].enabled;
            return true;
        }
    return false;
}

static void expect_switch(const Case *c, const char *bone, bool wanted)
{
    bool on = false;
    assert_int_equal(c->motion.property_key_count, 1);
    assert_int_equal(c->motion.property_keys->frame, 0);
    assert_true(c->motion.property_keys->visible);
    if (!find_switch(&on, c, bone) || on != wanted)
        fail_msg("IK of %s is not %s", bone, wanted ? "on" : "off");
}

/* IK of an arm moves bones with keys; IK of another bone does not. */
static void add_other_ik(Case *c)
{
    bones_add_ik(&c->model, "右つま先", "左手首", "左ひじ", "左腕", c->arena);
    bones_add_ik(&c->model, "左つま先", "左手首", "左ひじ", NULL, c->arena);
    bones_add_ik(&c->model, "全ての親", "センター", "全ての親", NULL, c->arena);
}

static void test_switches(void **state)
{
    (void)state;
    for (int legs = MOCAP_LEGS_FK; legs <= MOCAP_LEGS_IK; legs++) {
        Case c;
        bool on;
        case_begin(&c, 2);
        c.legs = (MocapLegs)legs;
        add_other_ik(&c);
        case_run(&c);
        expect_switch(&c, "左足ＩＫ", legs == MOCAP_LEGS_IK);
        expect_switch(&c, "右足ＩＫ", legs == MOCAP_LEGS_IK);
        expect_switch(&c, "左つま先ＩＫ", legs == MOCAP_LEGS_IK);
        expect_switch(&c, "右つま先ＩＫ", legs == MOCAP_LEGS_IK);
        expect_switch(&c, "右つま先", false);
        expect_switch(&c, "左つま先", false);
        assert_false(find_switch(&on, &c, "全ての親"));
        assert_int_equal(c.motion.property_keys->ik_count, 6);
        arena_destroy(c.arena);
    }
}

/* The left foot is lifted by a leg that points forwards and a knee that bends by 90 degrees: the
 * ankle is 4 before the hip and 4 below it. */
static void lift_foot(Case *c)
{
    for (uint32_t k = 0; k < c->rig.bvh.frame_count; k++) {
        rig_turn(&c->rig, k, "LeftUpLeg", 0, -90);
        rig_turn(&c->rig, k, "LeftLeg", 0, 90);
        rig_turn(&c->rig, k, "LeftFoot", 0, 30);
    }
}

static void test_targets(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 30);
    c.legs = MOCAP_LEGS_IK;
    lift_foot(&c);
    case_run(&c);
    expect_keys(&c, "右足ＩＫ", 2);
    expect_offset(&c, "右足ＩＫ", 29, 0, 0, 0, 0.02);
    expect_offset(&c, "左足ＩＫ", 0, 0, 4, -4, 0.05); /* from 1, 1, 0 to 1, 5, -4 */
    expect_offset(&c, "左足ＩＫ", 29, 0, 4, -4, 0.05);
    const Quat turned = quat_load(key_at(&c, "左足ＩＫ", 0)->rotation);
    assert_true(fabs(quat_dot(turned, quat_from_axis_angle(X, -30 * DEGREES))) > 1 - 1e-5);
    expect_keys(&c, "左つま先ＩＫ", 0);
    arena_destroy(c.arena);
}

/* Where the left ankle is by the keys of the bones before it. */
static Vec3 ankle_by_keys(const Case *c, uint32_t frame, double hip_x)
{
    static const char *const bones[] = {"左ひざ", "左足", "下半身"};
    const Vec3 offsets[] = {{0, -4, 0}, {0, -4, 0}, {hip_x, -1, 0}};
    Vec3 at = {0, 0, 0};
    for (int i = 0; i < 3; i++)
        at = quat_rotate(quat_load(key_at(c, bones[i], frame)->rotation), vec3_add(at, offsets[i]));
    at.y += 10;
    return vec3_add(at, vec3_load(key_at(c, "センター", frame)->translation));
}

/* Legs are turned by as much as the target says: IK has nothing to do, also where hips are wider
 * than those of the source, and turn. */
static void test_targets_are_reached(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 30);
    c.legs = MOCAP_LEGS_IK;
    for (uint32_t i = 12; i < 22; i++) /* legs and their IK */
        c.model.bones[i].position[0] *= 1.5f;
    for (uint32_t k = 0; k < 30; k++) {
        rig_turn(&c.rig, k, "Hips", 1, 8 * sin(0.3 * k));
        rig_turn(&c.rig, k, "LeftLeg", 0, 1 + 0.1 * k);
    }
    case_run(&c);
    double differs = 0;
    for (uint32_t k = 0; k < 30; k++) {
        const Vec3 target =
            vec3_add((Vec3){1.5, 1, 0}, vec3_load(key_at(&c, "左足ＩＫ", k)->translation));
        const double off = vec3_length(vec3_sub(ankle_by_keys(&c, k, 1.5), target));
        if (off > 1e-4)
            fail_msg("the ankle is %g beside its target at frame %u", off, k);
        differs = fmax(differs, fabs((double)key_at(&c, "左足", k)->rotation[0]));
    }
    assert_true(differs > 0.0005 && differs <= sin(0.151 * DEGREES));
    arena_destroy(c.arena);
}

/* Targets that the center carries, or a bone that turns, are relative to it. */
static void test_carried_targets(void **state)
{
    (void)state;
    Case c;
    case_begin(&c, 40);
    c.legs = MOCAP_LEGS_IK;
    for (uint32_t k = 3; k < 40; k++)
        rig_move(&c.rig, k, 3, 15, 0);
    c.model.bones[bones_find(&c.model, "左足ＩＫ")].parent = bones_find(&c.model, "センター");
    case_run(&c);
    expect_offset(&c, "センター", 39, 3, 5, 0, 0.02);
    expect_offset(&c, "左足ＩＫ", 39, 0, 0, 0, 0.02);
    expect_offset(&c, "右足ＩＫ", 39, 3, 5, 0, 0.02);
    arena_destroy(c.arena);

    case_begin(&c, 2);
    c.legs = MOCAP_LEGS_IK;
    for (uint32_t k = 0; k < 2; k++)
        rig_turn(&c.rig, k, "Hips", 1, 90);
    c.model.bones[bones_find(&c.model, "左足ＩＫ")].parent = bones_find(&c.model, "下半身");
    case_run(&c);
    expect_offset(&c, "左足ＩＫ", 0, 0, 0, 0, 0.02);
    expect_offset(&c, "右足ＩＫ", 0, 1, 0, -1, 0.02); /* from -1, 1, 0 to 0, 1, -1 */
    arena_destroy(c.arena);

    /* the same with a parent that is the first bone */
    case_begin(&c, 2);
    c.legs = MOCAP_LEGS_IK;
    for (uint32_t k = 0; k < 2; k++)
        rig_turn(&c.rig, k, "Hips", 1, 90);
    c.model.bones[0].name = "下半身";
    c.model.bones[2].name = "other";
    bones_add_ik(&c.model, "左つま先", "左手首", "下半身", NULL, c.arena);
    case_run(&c);
    expect_switch(&c, "左つま先", false);
    expect_offset(&c, "右足ＩＫ", 0, 0, 0, 0, 0.02);
    expect_offset(&c, "左足ＩＫ", 0, 0, 0, 0, 0.02);
    assert_true(fabs((double)key_at(&c, "右足ＩＫ", 0)->rotation[3]) > 0.9999);
    arena_destroy(c.arena);
}

/* ---- what is missing ---- */

static void expect_error(Case *c, const char *message)
{
    assert_false(case_retarget(c));
    if (!strstr(c->log.text, message))
        fail_msg("'%s' instead of '%s'", c->log.text, message);
    arena_destroy(c->arena);
}

static void test_missing(void **state)
{
    (void)state;
    static const struct {
        const char *joint, *bone, *part;
    } needed[] = {{"Hips", "下半身", "hips"},           {"LeftUpLeg", "左足", "left leg"},
                  {"LeftLeg", "左ひざ", "left knee"},   {"LeftFoot", "左足首", "left foot"},
                  {"RightUpLeg", "右足", "right leg"},  {"RightLeg", "右ひざ", "right knee"},
                  {"RightFoot", "右足首", "right foot"}};
    Case c;
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        char message[80];
        case_begin(&c, 2);
        c.rig.mocap.joints[rig_find(&c.rig, needed[i].joint)].name = "other";
        snprintf(message, sizeof message, "no joint is known as the %s,", needed[i].part);
        expect_error(&c, message);
        case_begin(&c, 2);
        c.model.bones[bones_find(&c.model, needed[i].bone)].name = "other";
        snprintf(message, sizeof message, "no standard bone for the %s\n", needed[i].part);
        expect_error(&c, message);
    }
    case_begin(&c, 2);
    c.model.bones[bones_find(&c.model, "センター")].name = "other";
    expect_error(&c, "no bone 'センター'");
    for (int side = 0; side < 2; side++) {
        case_begin(&c, 2);
        c.legs = MOCAP_LEGS_IK;
        c.model.bones[bones_find(&c.model, side ? "右足ＩＫ" : "左足ＩＫ")].flags = 0;
        expect_error(&c, side ? "no IK of the right foot" : "no IK of the left foot");
    }
    case_begin(&c, 2);
    c.rig.mocap.duration_s = 36000;
    expect_error(&c, "1080001 frames are too many (at most 1080000)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest),
        cmocka_unit_test(test_normalized),
        cmocka_unit_test(test_one_frame),
        cmocka_unit_test(test_thinning),
        cmocka_unit_test(test_rotations),
        cmocka_unit_test(test_hips),
        cmocka_unit_test(test_spine),
        cmocka_unit_test(test_order_of_bones),
        cmocka_unit_test(test_scale),
        cmocka_unit_test(test_rate),
        cmocka_unit_test(test_switches),
        cmocka_unit_test(test_targets),
        cmocka_unit_test(test_targets_are_reached),
        cmocka_unit_test(test_carried_targets),
        cmocka_unit_test(test_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
