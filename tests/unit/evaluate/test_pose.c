// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const float X[3] = {1, 0, 0}, Z[3] = {0, 0, 1};

/* Evaluates one frame of a model with some keys; the state is in the arena. */
static const BonePose *pose_of(PmxModel pmx, VmdBoneKey *keys, uint32_t count, Compat compat,
                               Arena *arena)
{
    const VmdMotion vmd = fixture_motion_of(keys, count);
    const Scene *scene = fixture_scene(pmx, &vmd, compat, arena);
    FrameState *state = frame_state_create(scene, arena);
    Evaluator *evaluator = evaluator_create(scene);
    evaluate_frame(state, evaluator, scene, 0);
    evaluator_destroy(evaluator);
    return state->models[0].bones;
}

static void check_place(const char *what, const BonePose *bone, float x, float y, float z)
{
    if (fabsf(bone->position[0] - x) > 1e-5f || fabsf(bone->position[1] - y) > 1e-5f ||
        fabsf(bone->position[2] - z) > 1e-5f)
        fail_msg("%s: at (%g %g %g), not (%g %g %g)", what, (double)bone->position[0],
                 (double)bone->position[1], (double)bone->position[2], (double)x, (double)y,
                 (double)z);
}

/* The turn about z, for poses that turn about nothing else. */
static void check_turn(const char *what, const BonePose *bone, double degrees)
{
    const double got = atan2((double)bone->rotation[2], (double)bone->rotation[3]) * 360 / M_PI;
    const double apart = remainder(got - degrees, 360);
    if (fabs(apart) > 1e-4 || fabsf(bone->rotation[0]) + fabsf(bone->rotation[1]) > 1e-6f)
        fail_msg("%s: turned by %g about z, not %g", what, got, degrees);
}

static PmxModel bones_of(const PmxBone *bones, uint32_t count, Arena *arena)
{
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_copy(arena, bones, count * sizeof *bones);
    pmx.bone_count = count;
    return pmx;
}

/* root at the origin, child 2 above it, tip 1 further; the file has them tip first */
static PmxModel chain(Arena *arena)
{
    const PmxBone bones[] = {fixture_bone("tip", 1, 0, 3, 0), fixture_bone("child", 2, 0, 2, 0),
                             fixture_bone("root", -1, 0, 0, 0)};
    PmxModel pmx = bones_of(bones, 3, arena);
    pmx.bones[1].layer = 1;
    pmx.bones[0].layer = 2;
    return pmx;
}

static void rest_pose_without_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const BonePose *bones = pose_of(chain(arena), NULL, 0, COMPAT_DEFAULT, arena);
    check_place("tip", &bones[0], 0, 3, 0);
    check_place("child", &bones[1], 0, 2, 0);
    check_turn("tip", &bones[0], 0);
    arena_destroy(arena);
}

/*
 * root turned 90 about z: +y goes to -x; it also moves to (5, 0, 0).  child turned 90 more: its +y
 * goes to -y; its own move by (0, 0, 1) is along z.
 */
static void chain_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("root", 0, Z, 90), fixture_turn_key("child", 0, Z, 90)};
    keys[0].translation[0] = 5;
    keys[1].translation[2] = 1;
    const BonePose *bones = pose_of(chain(arena), keys, 2, COMPAT_DEFAULT, arena);
    check_place("root", &bones[2], 5, 0, 0);
    check_place("child", &bones[1], 3, 0, 1);
    check_place("tip", &bones[0], 3, -1, 1);
    check_turn("tip", &bones[0], 180);
    arena_destroy(arena);
}

/* A bone that the order puts before its parent sees the parent's keys alone, not its
 * append. */
static void early_bones_follow_keys_only(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmxBone bones[] = {fixture_bone("source", -1, 0, 0, 0), fixture_bone("early", 2, 0, 2, 0),
                             fixture_bone("parent", -1, 0, 1, 0)};
    PmxModel pmx = bones_of(bones, 3, arena);
    pmx.bones[2].layer = 1;
    pmx.bones[2].flags |= PMX_BONE_APPEND_ROTATION;
    pmx.bones[2].append_source = 0;
    pmx.bones[2].append_ratio = 1;
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 90), fixture_key("parent", 0, 1, 0, 0)};
    const BonePose *got = pose_of(pmx, keys, 2, COMPAT_DEFAULT, arena);
    check_turn("parent", &got[2], 90);
    check_place("early", &got[1], 1, 2, 0);
    check_turn("early", &got[1], 0);
    arena_destroy(arena);
}

/* 0 "source", 1 "half" of 0, 2 "minus" of 1, 3 "local" of 0; ratios are changed by the rows. */
static void append_by_hand(void **state)
{
    (void)state;
    const struct {
        const char *what;
        float ratio;        /* of bone 1 */
        double source, own; /* degrees that 0 and 1 are keyed */
        bool chain_own;
        double half, minus, local; /* degrees wanted of 1, 2, 3 */
        float half_x;              /* where bone 1 goes; the source moves by 2 */
    } rows[] = {
        {"half", 0.5f, 60, 0, false, 30, -30, 60, 2},
        {"minus half", -0.5f, 60, 0, false, -30, 30, 60, 0},
        {"whole", 1, 60, 0, false, 60, -60, 60, 3},
        {"minus", -1, 60, 0, false, -60, 60, 60, -1},
        {"double", 2, 60, 0, false, 120, -120, 60, 5},
        {"only the appended part is handed on", 0.5f, 60, 10, false, 40, -30, 60, 2},
        {"with the bone's own motion", 0.5f, 60, 10, true, 40, -40, 60, 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel pmx = fixture_append_chain(arena);
        pmx.bones[1].append_ratio = rows[i].ratio;
        Compat compat = COMPAT_DEFAULT;
        compat.append_chain = rows[i].chain_own ? APPEND_OWN : APPEND_APPENDED;
        VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, (float)rows[i].source),
                             fixture_turn_key("half", 0, Z, (float)rows[i].own)};
        keys[0].translation[0] = 2;
        const BonePose *bones = pose_of(pmx, keys, 2, compat, arena);
        check_turn(rows[i].what, &bones[1], rows[i].half);
        check_turn(rows[i].what, &bones[2], rows[i].minus);
        check_turn(rows[i].what, &bones[3], rows[i].local);
        check_place(rows[i].what, &bones[1], rows[i].half_x, 0, 0);
        arena_destroy(arena);
    }
}

static void late_sources_pass_on_their_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_append_chain(arena);
    pmx.bones[1].layer =
        5; /* "minus" now comes before its source, whose append is not computed yet */
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 60), fixture_turn_key("half", 0, Z, 10)};
    const BonePose *bones = pose_of(pmx, keys, 2, COMPAT_DEFAULT, arena);
    check_turn("half", &bones[1], 40);
    check_turn("minus", &bones[2], 0);
    arena_destroy(arena);
}

static void local_ignores_the_chain(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_append_chain(arena);
    pmx.bones[3].append_source = 1;
    pmx.bones[3].flags |= PMX_BONE_APPEND_TRANSLATION;
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 60), fixture_turn_key("half", 0, Z, 10)};
    keys[0].translation[0] = 2; /* bone 1 appends 1 of it */
    keys[1].translation[1] = 7;
    const BonePose *bones = pose_of(pmx, keys, 2, COMPAT_DEFAULT, arena);
    check_turn("local", &bones[3], 10);
    check_place("half", &bones[1], 2, 7, 0);
    check_place("local", &bones[3], 3, 7, 0);
    arena_destroy(arena);
}

/* A source whose append has no source itself passes on its keys. */
static void sources_without_a_source_pass_on_their_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_append_chain(arena);
    pmx.bones[0].flags |= PMX_BONE_APPEND_ROTATION | PMX_BONE_APPEND_TRANSLATION;
    pmx.bones[0].append_source = -1;
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 60)};
    keys[0].translation[0] = 2;
    const BonePose *bones = pose_of(pmx, keys, 1, COMPAT_DEFAULT, arena);
    check_turn("half", &bones[1], 30);
    check_place("half", &bones[1], 2, 0, 0);
    arena_destroy(arena);
}

/* own = keys * append: x by 90 after z by 90 takes +x to +z (Rz: x -> y, Rx: y -> z) */
static void append_is_the_right_factor_of_the_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const PmxBone bones[] = {fixture_bone("source", -1, 0, 0, 0),
                             fixture_bone("follower", -1, 0, 0, 0),
                             fixture_bone("tip", 1, 1, 0, 0)};
    PmxModel pmx = bones_of(bones, 3, arena);
    pmx.bones[1].flags |= PMX_BONE_APPEND_ROTATION;
    pmx.bones[1].append_source = 0;
    pmx.bones[1].append_ratio = 1;
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 90),
                         fixture_turn_key("follower", 0, X, 90)};
    check_place("tip", &pose_of(pmx, keys, 2, COMPAT_DEFAULT, arena)[2], 0, 0, 1);
    arena_destroy(arena);
}

static void after_physics_comes_last(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel pmx = fixture_append_chain(arena);
    pmx.bones[1].flags |= PMX_BONE_AFTER_PHYSICS; /* so "minus" sees it before its append is made */
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, Z, 60)};
    const BonePose *bones = pose_of(pmx, keys, 1, COMPAT_DEFAULT, arena);
    check_turn("half", &bones[1], 30);
    check_turn("minus", &bones[2], 0);
    arena_destroy(arena);
}

/* 50,000 bones, each a child of the one before and appended to it: no recursion, and no work that
 * grows with the square of their number.  Each follows the rotation of its source. */
static void long_chains(void **state)
{
    (void)state;
    enum { COUNT = 50000 };
    Arena *arena = arena_create();
    PmxModel pmx = fixture_empty();
    pmx.bones = arena_array(arena, PmxBone, COUNT);
    pmx.bone_count = COUNT;
    for (int32_t i = 0; i < COUNT; i++) {
        pmx.bones[i] = fixture_bone(i ? "bone" : "root", i - 1, 0, 0, (float)i);
        if (i) {
            pmx.bones[i].flags |= PMX_BONE_APPEND_ROTATION;
            pmx.bones[i].append_source = i - 1;
            pmx.bones[i].append_ratio = 1;
        }
    }
    VmdBoneKey keys[] = {fixture_turn_key("root", 0, Z, 90)};
    const BonePose *bones = pose_of(pmx, keys, 1, COMPAT_DEFAULT, arena);
    check_turn("first", &bones[0], 90);
    check_turn("second", &bones[1], 180); /* the parent's and the appended rotation */
    check_turn("fourth", &bones[3], 360);
    check_turn("last", &bones[COUNT - 1], COUNT % 4 * 90);
    check_place("last", &bones[COUNT - 1], 0, 0, COUNT - 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rest_pose_without_keys),
        cmocka_unit_test(chain_by_hand),
        cmocka_unit_test(early_bones_follow_keys_only),
        cmocka_unit_test(append_by_hand),
        cmocka_unit_test(late_sources_pass_on_their_keys),
        cmocka_unit_test(local_ignores_the_chain),
        cmocka_unit_test(sources_without_a_source_pass_on_their_keys),
        cmocka_unit_test(append_is_the_right_factor_of_the_keys),
        cmocka_unit_test(after_physics_comes_last),
        cmocka_unit_test(long_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
