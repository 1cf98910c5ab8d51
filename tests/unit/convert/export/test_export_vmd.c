// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convert/export/export_formats.h"
#include "diag_log.h"
#include "evaluate/frame.h"
#include "model_fixture.h"
#include "scene_fixture.h"
#include "unit_test.h"

enum { FRAMES = 31 };

static const Compat compat = {.curve_halvings = 12};
static const float X[3] = {1, 0, 0}, Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1};

static Capture capture_scene(const Scene *scene, Arena *arena)
{
    static const Job job = {0};
    const size_t model = 0;
    Capture capture;
    DiagLog log;
    diag_log_init(&log);
    if (!capture_run(&capture, scene, &job, &model, 1, 0, FRAMES, arena, &log.diag))
        fail_msg("%s", log.text);
    return capture;
}

static VmdMotion export_motion(const Scene *scene, Arena *arena)
{
    const Capture capture = capture_scene(scene, arena);
    VmdMotion motion;
    DiagLog log;
    diag_log_init(&log);
    if (!vmd_load(&motion, export_vmd(&capture, &capture.models[0], arena, &log.diag), arena,
                  &log.diag) ||
        log.diag.warnings)
        fail_msg("%s", log.text);
    return motion;
}

/* The exported motion gives the poses and morphs of the first one at whole frames. */
static void expect_same(const Scene *first, const Scene *second, Arena *arena)
{
    const PmxModel *pmx = &first->models[0].model->pmx;
    FrameState *a = frame_state_create(first, arena), *b = frame_state_create(second, arena);
    Evaluator *one = evaluator_create(first), *two = evaluator_create(second);
    for (int k = 0; k < FRAMES; k++) {
        assert_true(evaluate_frame(a, one, first, k) && evaluate_frame(b, two, second, k));
        for (uint32_t i = 0; i < pmx->bone_count; i++) {
            const BonePose *x = &a->models[0].bones[i], *y = &b->models[0].bones[i];
            double dot = 0;
            for (size_t c = 0; c < 3; c++)
                if (fabsf(x->position[c] - y->position[c]) > 1e-4f)
                    fail_msg("frame %d: position of bone %u", k, i);
            for (size_t c = 0; c < 4; c++)
                dot += (double)x->rotation[c] * (double)y->rotation[c];
            if (fabs(dot) < 1 - 1e-6)
                fail_msg("frame %d: rotation of bone %u", k, i);
        }
        for (uint32_t i = 0; i < pmx->morph_count; i++)
            assert_true(a->models[0].key_weights[i] == b->models[0].key_weights[i]);
    }
    evaluator_destroy(one);
    evaluator_destroy(two);
}

static void test_append(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("source", 0, X, 0), fixture_turn_key("source", 30, X, 80),
                         fixture_turn_key("half", 0, Y, -30), fixture_turn_key("half", 30, Z, 50),
                         fixture_key("minus", 10, 1, 2, 3),   fixture_turn_key("local", 20, Z, 70),
                         fixture_key("half", 15, -3, 0.5f, 1)};
    const VmdMotion motion = fixture_motion_of(keys, sizeof keys / sizeof *keys);
    const Scene *scene = fixture_scene(fixture_append_chain(arena), &motion, compat, arena);
    const VmdMotion exported = export_motion(scene, arena);
    expect_same(scene, fixture_scene(fixture_append_chain(arena), &exported, compat, arena), arena);
    arena_destroy(arena);
}

static void test_ik(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("左足ＩＫ", 0, 0, 0, 0), fixture_key("左足ＩＫ", 30, 1, 4, -2),
                         fixture_key("センター", 15, 0, -2, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 3);
    const Scene *scene = fixture_scene(fixture_leg(arena), &motion, compat, arena);
    const VmdMotion exported = export_motion(scene, arena);
    assert_int_equal(exported.property_key_count, 1);
    assert_int_equal(exported.property_keys[0].ik_count, 1);
    assert_false(exported.property_keys[0].ik[0].enabled);
    expect_same(scene, fixture_scene(fixture_leg(arena), &exported, compat, arena), arena);
    arena_destroy(arena);
}

/* A bone morph turns "upper", whose key is added to it. */
static void test_morphs(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel strip = fixture_strip(arena);
    PmxBoneOffset offset = {.bone = 1, .translation = {0, 1, 0}, .rotation = {0.6f, 0, 0, 0.8f}};
    PmxMorph morph = {.name = "bend", .name_en = "", .type = PMX_MORPH_BONE, .count = 1};
    morph.offsets.bone = &offset;
    strip.morphs = &morph;
    strip.morph_count = 1;
    VmdBoneKey keys[] = {fixture_turn_key("upper", 0, Y, 10), fixture_turn_key("upper", 30, Z, 60)};
    VmdMorphKey weights[] = {{vmd_name_from_utf8("bend"), 0, 0},
                             {vmd_name_from_utf8("bend"), 10, 0},
                             {vmd_name_from_utf8("bend"), 20, 1}};
    VmdMotion motion = fixture_motion_of(keys, 2);
    motion.morph_keys = weights;
    motion.morph_key_count = 3;
    const Scene *scene = fixture_scene(strip, &motion, compat, arena);
    const VmdMotion exported = export_motion(scene, arena);
    assert_int_equal(exported.morph_key_count, 12); /* 0, and 10 to 20 */
    expect_same(scene, fixture_scene(strip, &exported, compat, arena), arena);
    arena_destroy(arena);
}

/* Bones that do not move have no keys; inside a rest there are none either. */
static void test_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("upper", 0, 0, 0, 0), fixture_key("upper", 10, 0, 0, 0),
                         fixture_key("upper", 12, 0, 2, 0)};
    const VmdMotion motion = fixture_motion_of(keys, 3);
    const Scene *scene = fixture_scene(fixture_strip(arena), &motion, compat, arena);
    const VmdMotion exported = export_motion(scene, arena);
    static const uint32_t frames[] = {0, 10, 11, 12};
    static const float heights[] = {0, 0, 1, 2};
    assert_int_equal(exported.bone_key_count, 4);
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(exported.bone_keys[i].name.bytes, "upper");
        assert_int_equal(exported.bone_keys[i].frame, frames[i]);
        assert_true(fabsf(exported.bone_keys[i].translation[1] - heights[i]) < 1e-5f);
    }
    arena_destroy(arena);
}

static void test_names(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    PmxModel strip = fixture_strip(arena);
    strip.bones[0].name = "the same fifteen bytes 1";
    strip.bones[1].name = "the same fifteen bytes 2";
    VmdBoneKey keys[] = {fixture_turn_key(strip.bones[0].name, 30, X, 40)};
    const VmdMotion motion = fixture_motion_of(keys, 1);
    Scene *scene = fixture_scene(strip, &motion, compat, arena);
    const Capture capture = capture_scene(scene, arena);
    capture.models[0].keys[1].offset[0] = 1; /* the second bone moves, too */
    DiagLog log;
    diag_log_init(&log);
    export_vmd(&capture, &capture.models[0], arena, &log.diag);
    assert_int_equal(log.diag.warnings, 1);
    assert_non_null(strstr(log.text, "1 bones and morphs move, but cannot be named"));
    arena_destroy(arena);
}

/* Angles worked by hand: 90 degrees about x, seen in a mirror along z, are -90. */
static void test_bvh(void **state)
{
    (void)state;
    static const char expected[] =
        "HIERARCHY\nROOT model\n{\n  OFFSET 0 0 0\n  CHANNELS 6 Xposition Yposition Zposition "
        "Yrotation Xrotation Zrotation\n  JOINT lower\n  {\n    OFFSET 0.000000 0.000000 0.000000\n"
        "    CHANNELS 3 Yrotation Xrotation Zrotation\n    JOINT upper\n    {\n"
        "      OFFSET 0.000000 16.000000 0.000000\n      CHANNELS 6 Xposition Yposition Zposition "
        "Yrotation Xrotation Zrotation\n      End Site\n      {\n        OFFSET 0 0 0\n      }\n"
        "    }\n  }\n}\nMOTION\nFrames: 31\nFrame Time: 0.033333333\n";
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_turn_key("lower", 0, X, 60), fixture_key("upper", 0, 1, 0, 2)};
    const VmdMotion motion = fixture_motion_of(keys, 2);
    const Scene *scene = fixture_scene(fixture_strip(arena), &motion, compat, arena);
    const Capture capture = capture_scene(scene, arena);
    const Bytes bvh = export_bvh(&capture, &capture.models[0], arena);
    const char *text = arena_strndup(arena, (const char *)bvh.data, bvh.size);
    if (strncmp(text, expected, strlen(expected)) != 0)
        fail_msg("%.900s", text);
    double n[15] = {0};
    const char *at = text + strlen(expected);
    for (size_t i = 0; i < 15; i++) {
        char *end;
        n[i] = strtod(at, &end);
        at = end;
    }
    const double want[15] = {0, 0, 0, 0, 0, 0, 0, -60, 0, 8, 16, -16, 0, 0, 0};
    for (size_t i = 0; i < 15; i++)
        if (fabs(n[i] - want[i]) > 1e-3)
            fail_msg("number %zu: %g, not %g", i, n[i], want[i]);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_append), cmocka_unit_test(test_ik),    cmocka_unit_test(test_morphs),
        cmocka_unit_test(test_keys),   cmocka_unit_test(test_names), cmocka_unit_test(test_bvh),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
