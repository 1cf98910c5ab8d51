// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "scene/motion.h"
#include "scene_fixture.h"
#include "unit_test.h"

static const float Z[3] = {0, 0, 1};

/* A model whose bones have the names given. */
static Model *model_named(const char *const *names, uint32_t count, Arena *arena)
{
    Model *model = arena_alloc(arena, sizeof *model);
    *model = (Model){.file = "directory/model.pmx", .pmx = fixture_empty()};
    model->pmx.bones = arena_array(arena, PmxBone, count);
    model->pmx.bone_count = count;
    for (uint32_t i = 0; i < count; i++)
        model->pmx.bones[i] = fixture_bone(names[i], -1, 0, 0, 0);
    DiagLog log;
    diag_log_init(&log);
    model_prepare(model, arena, &log.diag);
    return model;
}

static void add_morphs(Model *model, const char *const *names, uint32_t count, Arena *arena)
{
    model->pmx.morphs = arena_array(arena, PmxMorph, count);
    model->pmx.morph_count = count;
    for (uint32_t i = 0; i < count; i++)
        model->pmx.morphs[i] =
            (PmxMorph){.name = names[i], .name_en = "", .type = PMX_MORPH_VERTEX};
    Model again = {.file = model->file, .pmx = model->pmx};
    DiagLog log;
    diag_log_init(&log);
    model_prepare(&again, arena, &log.diag);
    *model = again;
}

static ModelMotion bind_one(const Model *model, const VmdMotion *vmd, TimeMap time, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    const MotionLayer layer = {.vmd = vmd, .file = "dance.vmd", .time = time, .parts = MOTION_ALL};
    ModelMotion motion;
    assert_true(motion_bind(&motion, model, &layer, 1, true, arena, &log.diag));
    return motion;
}

static void samples_between_keys(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    /* out of order, and frame 10 twice: the later in the file counts */
    VmdBoneKey keys[] = {fixture_key("a", 20, 20, 0, 0), fixture_key("a", 10, 99, 0, 0),
                         fixture_key("a", 10, 10, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 3);
    const struct {
        const char *what;
        TimeMap time;
        double frame;
        float x;
    } rows[] = {
        {"before the first key", {0, 1}, 3, 10}, {"on a key", {0, 1}, 10, 10},
        {"between", {0, 1}, 12.5, 12.5f},        {"after the last", {0, 1}, 99, 20},
        {"offset", {100, 1}, 115, 15},           {"twice as fast", {0, 2}, 7.5, 15},
        {"offset and speed", {4, 0.5}, 34, 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ModelMotion motion = bind_one(model, &vmd, rows[i].time, arena);
        assert_int_equal(motion.bones[0].key_count, 2);
        const BoneSample sample = motion_bone(&motion.bones[0], rows[i].frame, CURVE_HALVINGS);
        if (fabsf(sample.translation[0] - rows[i].x) > 1e-6f)
            fail_msg("%s: %.9g", rows[i].what, (double)sample.translation[0]);
    }
    arena_destroy(arena);
}

/* The curve is stored in the key at the end of the span; 12 halvings give the value of MMD: at 1/14
 * of (5, 120, 122, 7) it is 0.31412615. */
static void curve_of_the_next_key(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("a", 14, 1, 1, 1)};
    keys[1].curves[1] = (Curve){5, 120, 122, 7};
    keys[0].curves[0] = (Curve){5, 120, 122, 7}; /* of no span */
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    const BoneSample sample = motion_bone(&motion.bones[0], 1, CURVE_HALVINGS);
    assert_true(fabs((double)sample.translation[0] - 1.0 / 14) < 1e-6);
    assert_true(fabs((double)sample.translation[1] - 0.31412615) < 2e-7);
    assert_true(fabs((double)sample.translation[2] - 1.0 / 14) < 1e-6);
    arena_destroy(arena);
}

static void rotation_is_even(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey keys[] = {fixture_turn_key("a", 0, Z, 0), fixture_turn_key("a", 9, Z, 90)};
    for (int i = 0; i < 4; i++)
        keys[1].rotation[i] = -keys[1].rotation[i]; /* the same rotation, the other sign */
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    const BoneSample sample = motion_bone(&motion.bones[0], 3, CURVE_HALVINGS);
    assert_true(fabs((double)fabsf(sample.rotation[2]) - sin(15 * M_PI / 180)) < 1e-6);
    arena_destroy(arena);
}

static void names_are_cut_to_15_bytes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    /* eight characters are 16 bytes in CP932: the last is cut in its middle, so the two collide and
     * the first in the model's order is driven */
    const char *const names[] = {"other", "あいうえおかきく", "あいうえおかきけ", ""};
    const Model *model = model_named(names, 4, arena);
    VmdBoneKey keys[] = {fixture_key("あいうえおかきく", 0, 1, 0, 0), fixture_key("", 0, 5, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    const uint32_t counts[] = {0, 1, 0, 0};
    for (int i = 0; i < 4; i++)
        assert_int_equal(motion.bones[i].key_count, counts[i]);
    arena_destroy(arena);
}

static void morphs_of_one_name_all_move(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const bones[] = {"a"}, *const morphs[] = {"smile", "other", "smile"};
    Model *model = model_named(bones, 1, arena);
    add_morphs(model, morphs, 3, arena);
    VmdMorphKey keys[] = {{vmd_name_from_utf8("smile"), 0, 0},
                          {vmd_name_from_utf8("smile"), 10, 1}};
    VmdMotion vmd = fixture_motion_of(NULL, 0);
    vmd.morph_keys = keys;
    vmd.morph_key_count = 2;
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    assert_true(fabsf(motion_morph(&motion.morphs[0], 2.5) - 0.25f) < 1e-7f);
    assert_true(motion_morph(&motion.morphs[1], 2.5) == 0);
    assert_true(fabsf(motion_morph(&motion.morphs[2], 2.5) - 0.25f) < 1e-7f);
    arena_destroy(arena);
}

static void later_motions_win_per_bone(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a", "b"};
    const Model *model = model_named(names, 2, arena);
    VmdBoneKey first_keys[] = {fixture_key("a", 0, 1, 0, 0), fixture_key("b", 0, 1, 0, 0)};
    VmdBoneKey second_keys[] = {fixture_key("b", 0, 2, 0, 0)};
    const VmdMotion first = fixture_motion_of(first_keys, 2),
                    second = fixture_motion_of(second_keys, 1);
    const struct {
        const char *what;
        unsigned parts;
        float a, b;
    } rows[] = {
        {"all of it", MOTION_ALL, 1, 2},
        {"its morphs only", MOTION_MORPHS, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const MotionLayer layers[] = {
            {.vmd = &first, .file = "first.vmd", .time = {0, 1}, .parts = MOTION_ALL},
            {.vmd = &second, .file = "second.vmd", .time = {0, 1}, .parts = rows[i].parts}};
        DiagLog log;
        diag_log_init(&log);
        ModelMotion motion;
        assert_true(motion_bind(&motion, model, layers, 2, true, arena, &log.diag));
        const float a = motion_bone(&motion.bones[0], 0, 12).translation[0];
        const float b = motion_bone(&motion.bones[1], 0, 12).translation[0];
        if (a != rows[i].a || b != rows[i].b)
            fail_msg("%s: %g %g", rows[i].what, (double)a, (double)b);
    }
    arena_destroy(arena);
}

static void unknown_names_are_reported_once(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey keys[] = {fixture_key("neck2", 0, 0, 0, 0), fixture_key("a", 0, 0, 0, 0),
                         fixture_key("tail", 0, 0, 0, 0), fixture_key("neck2", 5, 0, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 4);
    const MotionLayer layer = {
        .vmd = &vmd, .file = "dance.vmd", .time = {0, 1}, .parts = MOTION_ALL};
    DiagLog log;
    diag_log_init(&log);
    ModelMotion motion;
    assert_true(motion_bind(&motion, model, &layer, 1, true, arena, &log.diag));
    assert_string_equal(log.text,
                        "warning: dance.vmd: 1 of 3 bones fit model.pmx, but not 'neck2'\n");
    arena_destroy(arena);
}

/* Binds the keys of `keys` with renames to a model of the bones "a", "b", "c" and "d", whose
 * English names are "A", "B", "B" and "". */
static void bind_english(ModelMotion *out, DiagLog *log, VmdBoneKey *keys, uint32_t count,
                         const MotionRename *renames, size_t rename_count, Arena *arena)
{
    static const char *const names[] = {"a", "b", "c", "d"}, *const english[] = {"A", "B", "B", ""};
    Model *model = model_named(names, 4, arena);
    VmdMotion *vmd = arena_alloc(arena, sizeof *vmd);
    *vmd = fixture_motion_of(keys, count);
    vmd->model_name = "Someone";
    for (int i = 0; i < 4; i++)
        model->pmx.bones[i].name_en = english[i];
    const MotionLayer layer = {.vmd = vmd,
                               .file = "dance.vmd",
                               .time = {0, 1},
                               .parts = MOTION_ALL,
                               .renames = renames,
                               .rename_count = rename_count};
    diag_log_init(log);
    motion_bind(out, model, &layer, 1, true, arena, &log->diag);
}

/* Rows: the names of a motion, and what is reported; the model has a, b, c and d. */
static void fit_of_a_motion(void **state)
{
    (void)state;
    static const struct {
        const char *names[5];
        const char *expected; /* "": nothing */
    } rows[] = {
        {{"a", "b"}, ""},
        {{"a", "x", "y", "z"}, "1 of 4 bones fit model.pmx, but not 'x'; made for 'Someone'"},
        {{"a", "w", "x", "y", "z"}, "1 of 5 bones fit model.pmx, but not 'w'; made for 'Someone'"},
        {{"x"}, "0 of 1 bone fit model.pmx, but not 'x'; made for 'Someone'"},
        {{"A"},
         "0 of 1 bone fit model.pmx, but not 'A'; made for 'Someone'; use rename: { A: a } (1 name "
         "of the motion is English in the model)"},
        /* the first bone of an English name that the motion does not move already */
        {{"b", "B", "A"},
         "1 of 3 bones fit model.pmx, but not 'B'; made for 'Someone'; use rename: { B: c, A: a } "
         "(2 names of the motion are English in the model)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VmdBoneKey keys[5];
        uint32_t count = 0;
        for (; count < 5 && rows[i].names[count]; count++)
            keys[count] = fixture_key(rows[i].names[count], 0, 0, 0, 0);
        DiagLog log;
        ModelMotion motion;
        bind_english(&motion, &log, keys, count, NULL, 0, arena);
        const char *expected =
            *rows[i].expected ? arena_printf(arena, "warning: dance.vmd: %s\n", rows[i].expected)
                              : "";
        if (strcmp(log.text, expected) != 0)
            fail_msg("expected %s\nbut got %s", expected, log.text);
        assert_int_equal(motion.fit_count, 1);
        assert_int_equal(motion.fits[0].bones, count);
        arena_destroy(arena);
    }
}

/* Under a quarter is a class of its own. */
static void a_misfit_can_be_refused(void **state)
{
    (void)state;
    for (uint32_t count = 4; count <= 5; count++) {
        Arena *arena = arena_create();
        static const char *const names[] = {"a"};
        const Model *model = model_named(names, 1, arena);
        VmdBoneKey keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("w", 0, 0, 0, 0),
                             fixture_key("x", 0, 0, 0, 0), fixture_key("y", 0, 0, 0, 0),
                             fixture_key("z", 0, 0, 0, 0)};
        const VmdMotion vmd = fixture_motion_of(keys, count);
        const MotionLayer layer = {
            .vmd = &vmd, .file = "dance.vmd", .time = {0, 1}, .parts = MOTION_ALL};
        DiagLog log;
        ModelMotion motion;
        diag_log_init(&log);
        log.diag.rules.errors = warning_bit(WARN_MISFIT);
        assert_int_equal(motion_bind(&motion, model, &layer, 1, true, arena, &log.diag),
                         count == 4);
        arena_destroy(arena);
    }
}

static void renamed_keys_move_the_new_bone(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("hip", 0, 3, 0, 0), fixture_key("a", 0, 5, 0, 0)};
    const MotionRename renames[] = {{.from = "hip", .to = "b"}, {.from = "a", .to = "c"}};
    DiagLog log;
    ModelMotion motion;
    bind_english(&motion, &log, keys, 2, renames, 2, arena);
    assert_string_equal(log.text, "");
    assert_int_equal(motion.bones[0].key_count, 0); /* its keys were renamed */
    assert_true(motion_bone(&motion.bones[1], 0, 12).translation[0] == 3);
    assert_true(motion_bone(&motion.bones[2], 0, 12).translation[0] == 5);
    assert_int_equal(motion.fits[0].bones_found, 2);
    arena_destroy(arena);
}

static void renames_of_nothing_are_errors(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdBoneKey keys[] = {fixture_key("center", 0, 3, 0, 0)};
    const DiagLocation location = {"job.yaml", 7, 3, "rename", ""};
    const MotionRename renames[] = {{"centar", "a", &location}, {"center", "aa", &location}};
    DiagLog log;
    ModelMotion motion;
    bind_english(&motion, &log, keys, 1, renames, 2, arena);
    assert_string_equal(
        log.text, "error: job.yaml:7:3: rename: no keys of 'centar' in dance.vmd; did you mean "
                  "'center'?\n"
                  "error: job.yaml:7:3: rename: no bone or morph 'aa' in model.pmx; known here: a, "
                  "b, c, d\n");
    assert_int_equal(log.diag.kind, DIAG_JOB);
    arena_destroy(arena);
}

/* The result of MMD for one key of a twist bone (scene/README.md 2.3): the angle is kept, the axis
 * replaced.
 */
static void fixed_axis_keys_are_projected(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"twist"};
    Model *model = model_named(names, 1, arena);
    const float wanted[4] = {-0.158983f, -0.142167f, -0.005548f, 0.976976f};
    model->pmx.bones[0].flags |= PMX_BONE_FIXED_AXIS;
    for (int i = 0; i < 3; i++) /* the axis that the result shows */
        model->pmx.bones[0].fixed_axis[i] = -wanted[i] / 0.213347f;
    VmdBoneKey key = fixture_key("twist", 0, 0, 0, 0);
    memcpy(key.rotation, (const float[4]){-0.169383f, -0.129608f, 0.005373f, 0.976976f}, 16);
    const VmdMotion vmd = fixture_motion_of(&key, 1);
    for (int project = 0; project < 2; project++) {
        const MotionLayer layer = {
            .vmd = &vmd, .file = "dance.vmd", .time = {0, 1}, .parts = MOTION_ALL};
        DiagLog log;
        diag_log_init(&log);
        ModelMotion motion;
        motion_bind(&motion, model, &layer, 1, project, arena, &log.diag);
        const BoneSample sample = motion_bone(&motion.bones[0], 0, CURVE_HALVINGS);
        for (int i = 0; i < 4; i++)
            assert_true(fabsf(sample.rotation[i] - (project ? wanted : key.rotation)[i]) < 5e-6f);
    }
    arena_destroy(arena);
}

static void switches_step(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Model *model = arena_alloc(arena, sizeof *model);
    *model = (Model){.file = "model.pmx", .pmx = fixture_leg(arena)};
    DiagLog log;
    diag_log_init(&log);
    model_prepare(model, arena, &log.diag);
    VmdIkSwitch off = {vmd_name_from_utf8("左足ＩＫ"), false},
                on = {vmd_name_from_utf8("左足ＩＫ"), true};
    VmdPropertyKey keys[] = {{20, true, &on, 1}, {10, false, &off, 1}};
    VmdMotion vmd = fixture_motion_of(NULL, 0);
    vmd.property_keys = keys;
    vmd.property_key_count = 2;
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    const struct {
        double frame;
        bool on;
    } rows[] = {{0, true}, {9.9, true}, {10, false}, {19.99, false}, {20, true}, {99, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_int_equal(motion_switch(&motion.ik[4], rows[i].frame), rows[i].on);
        assert_int_equal(motion_switch(&motion.visible, rows[i].frame), rows[i].on);
    }
    assert_true(motion_switch(&motion.ik[0], 10)); /* no IK bone: the keys do not mention it */
    arena_destroy(arena);
}

static void physics_toggle_holds(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey keys[] = {fixture_key("a", 5, 0, 0, 0), fixture_key("a", 10, 0, 0, 0)};
    keys[0].physics = VMD_PHYSICS_OFF;
    keys[1].physics = VMD_PHYSICS_ON;
    const VmdMotion vmd = fixture_motion_of(keys, 2);
    const ModelMotion motion = bind_one(model, &vmd, (TimeMap){0, 1}, arena);
    assert_int_equal(motion_bone(&motion.bones[0], 4, 12).physics, VMD_PHYSICS_UNSPECIFIED);
    assert_int_equal(motion_bone(&motion.bones[0], 9.5, 12).physics, VMD_PHYSICS_OFF);
    assert_int_equal(motion_bone(&motion.bones[0], 10, 12).physics, VMD_PHYSICS_ON);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_between_keys),
        cmocka_unit_test(curve_of_the_next_key),
        cmocka_unit_test(rotation_is_even),
        cmocka_unit_test(names_are_cut_to_15_bytes),
        cmocka_unit_test(morphs_of_one_name_all_move),
        cmocka_unit_test(later_motions_win_per_bone),
        cmocka_unit_test(unknown_names_are_reported_once),
        cmocka_unit_test(fit_of_a_motion),
        cmocka_unit_test(a_misfit_can_be_refused),
        cmocka_unit_test(renamed_keys_move_the_new_bone),
        cmocka_unit_test(renames_of_nothing_are_errors),
        cmocka_unit_test(fixed_axis_keys_are_projected),
        cmocka_unit_test(switches_step),
        cmocka_unit_test(physics_toggle_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
