// SPDX-License-Identifier: MIT
/* body: names of joints of common skeletons, and of bones */

#include <string.h>

#include "mocap_fixture.h"
#include "scene/mocap/body.h"
#include "unit_test.h"

enum { MAX_JOINTS = 80 };

/* Parts of a skeleton with these names, which are separated by spaces; '+' means a space. */
static uint32_t find(int32_t joints[BODY_PARTS], const char *names, Arena *arena)
{
    RigJoint list[MAX_JOINTS] = {0};
    Rig rig;
    uint32_t count = 0;
    char *copy = arena_strdup(arena, names);
    for (char *at = strtok(copy, " "); at; at = strtok(NULL, " ")) {
        for (char *c = at; *c; c++)
            *c = *c == '+' ? ' ' : *c;
        list[count++] = (RigJoint){.name = at, .parent = (int)count - 1};
    }
    rig_create(&rig, list, count, 1, arena);
    body_find_joints(joints, &rig.mocap);
    return count;
}

/* The parts of the joints in their order; all other parts have none. */
static void expect_parts(const char *names, const int *parts)
{
    Arena *arena = arena_create();
    int32_t joints[BODY_PARTS], expected[BODY_PARTS];
    const uint32_t count = find(joints, names, arena);
    for (int part = 0; part < BODY_PARTS; part++)
        expected[part] = -1;
    for (uint32_t i = 0; i < count; i++)
        if (parts[i] >= 0)
            expected[parts[i]] = (int32_t)i;
    for (int part = 0; part < BODY_PARTS; part++)
        if (joints[part] != expected[part])
            fail_msg("%s: part %d is joint %d instead of %d", names, part, joints[part],
                     expected[part]);
    arena_destroy(arena);
}

#define EXPECT(names, ...) expect_parts(names, (const int[]){__VA_ARGS__})
#define R(part) ((part) + BODY_SIDE)

static void test_skeletons(void **state)
{
    (void)state;
    EXPECT("mixamorig:Hips mixamorig:Spine mixamorig:Spine1 mixamorig:Spine2 mixamorig:Neck "
           "mixamorig:Head mixamorig:HeadTop_End mixamorig:LeftShoulder mixamorig:LeftArm "
           "mixamorig:LeftForeArm mixamorig:LeftHand mixamorig:RightShoulder mixamorig:RightArm "
           "mixamorig:RightForeArm mixamorig:RightHand mixamorig:LeftUpLeg mixamorig:LeftLeg "
           "mixamorig:LeftFoot mixamorig:LeftToeBase mixamorig:RightUpLeg mixamorig:RightLeg "
           "mixamorig:RightFoot mixamorig:RightToeBase",
           BODY_HIPS, BODY_SPINE, -1, BODY_CHEST, BODY_NECK, BODY_HEAD, -1, BODY_SHOULDER, BODY_ARM,
           BODY_ELBOW, BODY_HAND, R(BODY_SHOULDER), R(BODY_ARM), R(BODY_ELBOW), R(BODY_HAND),
           BODY_LEG, BODY_KNEE, BODY_FOOT, BODY_TOE, R(BODY_LEG), R(BODY_KNEE), R(BODY_FOOT),
           R(BODY_TOE));
    /* VRM: "leftShoulder" is the collar bone */
    EXPECT("hips spine chest upperChest neck head leftShoulder leftUpperArm leftLowerArm leftHand "
           "rightUpperLeg rightLowerLeg rightFoot rightToes",
           BODY_HIPS, BODY_SPINE, -1, BODY_CHEST, BODY_NECK, BODY_HEAD, BODY_SHOULDER, BODY_ARM,
           BODY_ELBOW, BODY_HAND, R(BODY_LEG), R(BODY_KNEE), R(BODY_FOOT), R(BODY_TOE));
    /* SMPL: "L_Shoulder" is the upper arm, "L_Foot" the toes, "L_Hip" the leg */
    EXPECT("Pelvis L_Hip R_Hip Spine1 L_Knee R_Knee Spine2 L_Ankle R_Ankle Spine3 L_Foot R_Foot "
           "Neck L_Collar R_Collar Head L_Shoulder R_Shoulder L_Elbow R_Elbow L_Wrist R_Wrist",
           BODY_HIPS, BODY_LEG, R(BODY_LEG), BODY_SPINE, BODY_KNEE, R(BODY_KNEE), -1, BODY_FOOT,
           R(BODY_FOOT), BODY_CHEST, BODY_TOE, R(BODY_TOE), BODY_NECK, BODY_SHOULDER,
           R(BODY_SHOULDER), BODY_HEAD, BODY_ARM, R(BODY_ARM), BODY_ELBOW, R(BODY_ELBOW), BODY_HAND,
           R(BODY_HAND));
    /* 3ds Max, Blender, CMU, MotionBuilder's own */
    EXPECT("Bip01 Bip01+Pelvis Bip01+Spine Bip01+L+Thigh Bip01+L+Calf Bip01+L+Foot "
           "Bip01+R+UpperArm Bip01+R+Forearm Bip01+R+Hand Bip01+L+Clavicle",
           -1, BODY_HIPS, BODY_SPINE, BODY_LEG, BODY_KNEE, BODY_FOOT, R(BODY_ARM), R(BODY_ELBOW),
           R(BODY_HAND), BODY_SHOULDER);
    EXPECT("hips thigh.L shin_l foot-l toe.L thigh.R shin.R upper_arm.R forearm+r hand.R",
           BODY_HIPS, BODY_LEG, BODY_KNEE, BODY_FOOT, BODY_TOE, R(BODY_LEG), R(BODY_KNEE),
           R(BODY_ARM), R(BODY_ELBOW), R(BODY_HAND));
    /* prefixes: Maya's HumanIK, 3ds Max, Reallusion; of Rigify only bones that deform a mesh */
    EXPECT("ns:Character1_Reference ns:Character1_Hips ns:Character1_LeftUpLeg "
           "ns:Character1_Spine2 ns:Character1_RightForeArm Character1_LeftHandIndex1",
           -1, BODY_HIPS, BODY_LEG, BODY_CHEST, R(BODY_ELBOW), (int)body_finger(1, 0, false));
    EXPECT("Bip001 Bip001+Pelvis Bip001+L+Thigh Bip001+R+Calf", -1, BODY_HIPS, BODY_LEG,
           R(BODY_KNEE));
    EXPECT("CC_Base_BoneRoot CC_Base_Hip CC_Base_L_Thigh CC_Base_R_Upperarm", -1, BODY_HIPS,
           BODY_LEG, R(BODY_ARM));
    EXPECT("Hips Ctrl_Hips LeftLeg", BODY_HIPS, -1, BODY_KNEE);
    EXPECT("Left_Hip Right_Hip", BODY_LEG, R(BODY_LEG));
    EXPECT("hips thigh.L DEF-spine DEF-thigh.L DEF-shin.L DEF-spine.001 DEF-spine.003 "
           "DEF-spine.004 DEF-spine.006 DEF-f_index.02.R DEF-thumb.01.L",
           -1, -1, BODY_HIPS, BODY_LEG, BODY_KNEE, BODY_SPINE, BODY_CHEST, BODY_NECK, BODY_HEAD,
           (int)body_finger(1, 1, true), (int)body_finger(0, 0, false));
    EXPECT("下半身 上半身 上半身2 首 頭 左肩 左腕 左ひじ 左手首 右足 右ひざ 右足首 右つま先",
           BODY_HIPS, BODY_SPINE, BODY_CHEST, BODY_NECK, BODY_HEAD, BODY_SHOULDER, BODY_ARM,
           BODY_ELBOW, BODY_HAND, R(BODY_LEG), R(BODY_KNEE), R(BODY_FOOT), R(BODY_TOE));
}

/* The first name of the list is used, wherever it is; no joint has two parts. */
static void test_priorities(void **state)
{
    (void)state;
    EXPECT("pelvis hips", -1, BODY_HIPS);
    EXPECT("hips hips", BODY_HIPS, -1);
    EXPECT("spine1 chest", BODY_SPINE, BODY_CHEST);
    EXPECT("chest", BODY_SPINE);
    EXPECT("lhand lwrist", -1, BODY_HAND);
    EXPECT("lfoot", BODY_FOOT);
    EXPECT("lankle lfoot", BODY_FOOT, BODY_TOE);
    EXPECT("lshoulder", BODY_ARM);
    EXPECT("lshoulder larm", BODY_SHOULDER, BODY_ARM);
    EXPECT("rshoulder rarm", R(BODY_SHOULDER), R(BODY_ARM));
    EXPECT("lleg", BODY_KNEE);
    EXPECT("Left Right .l l a.l", -1, -1, -1, -1, -1);
    EXPECT("a:b:HIPS L", BODY_HIPS, -1);
}

/* Names are compared in 63 bytes at most. */
static void test_long_names(void **state)
{
    (void)state;
    static const char hips[] = "____________________________________________________________"
                               "______________________________Hips";
    EXPECT("hipsssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssssss",
           -1);
    EXPECT(hips, BODY_HIPS);
}

#define FINGER(f, j) ((int)body_finger(f, j, false))
#define RIGHT_FINGER(f, j) ((int)body_finger(f, j, true))

static void test_fingers(void **state)
{
    (void)state;
    EXPECT("leftThumbMetacarpal leftThumbProximal leftThumbDistal leftIndexProximal "
           "leftIndexIntermediate leftIndexDistal rightLittleDistal",
           FINGER(0, 0), FINGER(0, 1), FINGER(0, 2), FINGER(1, 0), FINGER(1, 1), FINGER(1, 2),
           RIGHT_FINGER(4, 2));
    EXPECT("LeftHandThumb1 LeftHandThumb2 LeftHandThumb3 LeftHandThumb4 RightHandRing1 "
           "RightHandPinky1 RightHandPinky3 LeftHandMiddle2",
           FINGER(0, 0), FINGER(0, 1), FINGER(0, 2), -1, RIGHT_FINGER(3, 0), RIGHT_FINGER(4, 0),
           RIGHT_FINGER(4, 2), FINGER(2, 1));
    EXPECT("L_Index1 L_Index2 L_Index3 R_Thumb1 thumb_01_l index_03_r pinky_02_l", FINGER(1, 0),
           FINGER(1, 1), FINGER(1, 2), RIGHT_FINGER(0, 0), FINGER(0, 0), RIGHT_FINGER(1, 2),
           FINGER(4, 1));
    EXPECT("Bip01+L+Finger0 Bip01+L+Finger01 Bip01+L+Finger02 Bip01+R+Finger4 Bip01+R+Finger42",
           FINGER(0, 0), FINGER(0, 1), FINGER(0, 2), RIGHT_FINGER(4, 0), RIGHT_FINGER(4, 2));
    EXPECT("左親指０ 左親指１ 左親指２ 左人指１ 左人指３ 右小指３ 右小指４", FINGER(0, 0),
           FINGER(0, 1), FINGER(0, 2), FINGER(1, 0), FINGER(1, 2), RIGHT_FINGER(4, 2), -1);
}

static void expect_bone(const int32_t *bones, const PmxModel *model, int part, const char *name)
{
    if (bones[part] < 0 || strcmp(model->bones[bones[part]].name, name) != 0)
        fail_msg("part %d is bone %d instead of %s", part, bones[part], name);
}

static void test_bones(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel model;
    int32_t bones[BODY_PARTS];
    bones_create_standard(&model, arena);
    body_find_bones(bones, &model);
    expect_bone(bones, &model, BODY_HIPS, "下半身");
    expect_bone(bones, &model, BODY_SPINE, "上半身");
    assert_int_equal(bones[BODY_CHEST], -1);
    expect_bone(bones, &model, BODY_HEAD, "頭");
    expect_bone(bones, &model, BODY_ARM, "左腕");
    expect_bone(bones, &model, R(BODY_HAND), "右手首");
    expect_bone(bones, &model, R(BODY_FOOT), "右足首");
    expect_bone(bones, &model, BODY_KNEE, "左ひざ");
    assert_int_equal(bones[BODY_TOE], -1); /* 左足先EX; つま先 is the end of IK */
    assert_int_equal(bones[FINGER(0, 0)], -1);

    static const ModelBone hands[] = {
        {"左親指０", -1, {0}}, {"左親指２", -1, {0}}, {"右人指１", -1, {0}}, {"右小指３", -1, {0}}};
    bones_create(&model, hands, 4, arena);
    body_find_bones(bones, &model);
    assert_int_equal(bones[FINGER(0, 0)], 0);
    assert_int_equal(bones[FINGER(0, 1)], -1);
    assert_int_equal(bones[FINGER(0, 2)], 1);
    assert_int_equal(bones[RIGHT_FINGER(1, 0)], 2);
    assert_int_equal(bones[RIGHT_FINGER(4, 2)], 3);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_skeletons),  cmocka_unit_test(test_priorities),
        cmocka_unit_test(test_long_names), cmocka_unit_test(test_fingers),
        cmocka_unit_test(test_bones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
