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
    const MotionLayer layer = {.vmd = vmd,
                               .spec = {.file = "dance.vmd", .time = time, .only = MOTION_ALL}};
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
        {"before the first key", {0, 1}, 3, 3}, {"on a key", {0, 1}, 10, 10},
        {"between", {0, 1}, 12.5, 12.5f},       {"after the last", {0, 1}, 99, 20},
        {"offset", {100, 1}, 115, 15},          {"twice as fast", {0, 2}, 7.5, 15},
        {"offset and speed", {4, 0.5}, 34, 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ModelMotion motion = bind_one(model, &vmd, rows[i].time, arena);
        assert_int_equal(motion.bones[0].key_count, 3); /* one of them at rest */
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

static MotionLayer layer_of(const VmdMotion *vmd, const char *file, TimeMap time)
{
    return (MotionLayer){.vmd = vmd, .spec = {.file = file, .time = time, .only = MOTION_ALL}};
}

static ModelMotion bind_layers(const Model *model, const MotionLayer *layers, size_t count,
                               Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    ModelMotion motion;
    assert_true(motion_bind(&motion, model, layers, count, true, arena, &log.diag));
    return motion;
}

static double x_at(const ModelMotion *motion, uint32_t bone, double frame)
{
    return (double)motion_bone(&motion->bones[bone], frame, 12).translation[0];
}

/* Values worked by hand: two motions of one bone, and their times. */
static void keys_of_one_frame_are_replaced(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey first_keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("a", 20, 20, 0, 0)};
    VmdBoneKey second_keys[] = {fixture_key("a", 0, 4, 0, 0), fixture_key("a", 10, 40, 0, 0)};
    const VmdMotion first = fixture_motion_of(first_keys, 2),
                    second = fixture_motion_of(second_keys, 2);
    static const struct {
        const char *what;
        TimeMap first, second;
        LayerMode mode;
        unsigned parts;
        double frame, x;
    } rows[] = {
        {"the key of frame 0 is replaced", {0, 1}, {0, 1}, LAYER_MERGE, MOTION_ALL, 0, 4},
        {"a key between", {0, 1}, {0, 1}, LAYER_MERGE, MOTION_ALL, 10, 40},
        {"from the later file to the earlier", {0, 1}, {0, 1}, LAYER_MERGE, MOTION_ALL, 15, 30},
        {"only keys of the earlier", {0, 1}, {0, 1}, LAYER_MERGE, MOTION_ALL, 20, 20},
        {"auto is merge", {0, 1}, {0, 1}, LAYER_AUTO, MOTION_ALL, 15, 30},
        {"override", {0, 1}, {0, 1}, LAYER_OVERRIDE, MOTION_ALL, 15, 40},
        {"its morphs only", {0, 1}, {0, 1}, LAYER_MERGE, MOTION_MORPHS, 15, 15},
        {"its morphs only, override", {0, 1}, {0, 1}, LAYER_OVERRIDE, MOTION_MORPHS, 15, 15},
        /* keys at 0, 5 * 2 + 10 = 20 and 10 * 2 + 0 = 20: the same frame by another way */
        {"half speed", {0, 1}, {0, 0.5}, LAYER_MERGE, MOTION_ALL, 20, 40},
        {"half speed, before", {0, 1}, {0, 0.5}, LAYER_MERGE, MOTION_ALL, 10, 22},
        /* 10 / 1.2 + 35 / 3 = 20, which is not exact in binary */
        {"sum of fractions", {0, 1}, {35 / 3.0, 1.2}, LAYER_MERGE, MOTION_ALL, 20, 40},
        {"sum of fractions, after", {0, 1}, {35 / 3.0, 1.2}, LAYER_MERGE, MOTION_ALL, 30, 40},
        /* key 10 is at 6.25; from there to 20 of the other file */
        {"between frames", {0, 1}, {0, 1.6}, LAYER_MERGE, MOTION_ALL, 6.25, 40},
        {"after a key between frames", {0, 1}, {0, 1.6}, LAYER_MERGE, MOTION_ALL, 13.125, 30},
        {"both faster", {0, 2}, {0, 2}, LAYER_MERGE, MOTION_ALL, 7.5, 30},
        {"later", {0, 1}, {20, 1}, LAYER_MERGE, MOTION_ALL, 20, 4},
        {"earlier", {0, 1}, {-10, 1}, LAYER_MERGE, MOTION_ALL, 0, 40},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        MotionLayer layers[] = {layer_of(&first, "first.vmd", rows[i].first),
                                layer_of(&second, "second.vmd", rows[i].second)};
        layers[1].spec.layer = rows[i].mode;
        layers[1].spec.only = rows[i].parts;
        const ModelMotion motion = bind_layers(model, layers, 2, arena);
        const double x = x_at(&motion, 0, rows[i].frame);
        if (fabs(x - rows[i].x) > 1e-5)
            fail_msg("%s: %.9g", rows[i].what, x);
    }
    arena_destroy(arena);
}

/* Motions at once are what one motion is that has the keys of all of them in one list, where of
 * two keys on a frame the later one counts: all bits are equal. */
static void merged_is_one_list(void **state)
{
    (void)state;
    enum { FILES = 3, KEYS = 60, BONES = 4 };
    static const char *const names[BONES] = {"a", "b", "c", "d"};
    uint32_t seed = 7;
    for (int round = 0; round < 20; round++) {
        Arena *arena = arena_create();
        Model *model = model_named(names, BONES, arena);
        add_morphs(model, names, BONES, arena);
        VmdBoneKey all[FILES * KEYS];
        VmdMorphKey all_morphs[FILES * KEYS];
        VmdMotion files[FILES], one = fixture_motion_of(all, FILES * KEYS);
        MotionLayer layers[FILES];
        for (uint32_t i = 0; i < FILES * KEYS; i++) {
            uint32_t random[8];
            for (int k = 0; k < 8; k++)
                random[k] = (seed = seed * 1664525 + 1013904223) >> 16;
            const char *name = names[random[0] % BONES];
            all[i] = fixture_key(name, random[1] % 40, (float)(random[2] % 100), 1, 2);
            for (int c = 0; c < 4; c++)
                all[i].curves[c] = (Curve){(uint8_t)(random[3] % 128), (uint8_t)(random[4] % 128),
                                           (uint8_t)(random[5] % 128), (uint8_t)(random[6] % 128)};
            all_morphs[i] =
                (VmdMorphKey){all[i].name, random[7] % 40, (float)(random[2] % 100) / 100};
        }
        one.morph_keys = all_morphs;
        one.morph_key_count = FILES * KEYS;
        for (int f = 0; f < FILES; f++) {
            files[f] = fixture_motion_of(all + f * KEYS, KEYS);
            files[f].morph_keys = all_morphs + f * KEYS;
            files[f].morph_key_count = KEYS;
            layers[f] = layer_of(&files[f], "part.vmd", (TimeMap){3, 1.5});
        }
        const ModelMotion merged = bind_layers(model, layers, FILES, arena),
                          whole = bind_one(model, &one, (TimeMap){3, 1.5}, arena);
        for (uint32_t b = 0; b < BONES; b++)
            for (double frame = 0; frame < 34; frame += 0.25) {
                const BoneSample x = motion_bone(&merged.bones[b], frame, 12),
                                 y = motion_bone(&whole.bones[b], frame, 12);
                assert_memory_equal(x.translation, y.translation, sizeof x.translation);
                assert_true(motion_morph(&merged.morphs[b], frame) ==
                            motion_morph(&whole.morphs[b], frame));
            }
        arena_destroy(arena);
    }
}

/* MMD has a key of every bone and morph at frame 0, at rest until another replaces it. */
static void rest_is_the_first_key(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a", "b"};
    Model *model = model_named(names, 2, arena);
    add_morphs(model, names, 2, arena);
    VmdBoneKey keys[] = {fixture_turn_key("a", 20, Z, 90), fixture_key("b", 0, 4, 0, 0)};
    VmdMorphKey morphs[] = {{vmd_name_from_utf8("a"), 20, 1}, {vmd_name_from_utf8("b"), 0, 1}};
    VmdMotion vmd = fixture_motion_of(keys, 2);
    vmd.morph_keys = morphs;
    vmd.morph_key_count = 2;
    static const struct {
        TimeMap time;
        double frame, part; /* of the way to the first key of a, and of b */
        double of_b;
    } rows[] = {{{0, 1}, 0, 0, 1},     {{0, 1}, 10, 0.5, 1},       {{0, 1}, 20, 1, 1},
                {{10, 1}, 15, 0.5, 1}, {{10, 1}, 5, 1 / 6.0, 0.5}, {{0, 2}, 5, 0.5, 1},
                {{-10, 1}, 0, 0.5, 1}}; /* a motion that began before the film */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const ModelMotion motion = bind_one(model, &vmd, rows[i].time, arena);
        const double z = (double)motion_bone(&motion.bones[0], rows[i].frame, 12).rotation[2];
        assert_true(fabs(z - sin(rows[i].part * M_PI / 4)) < 1e-6);
        assert_true(fabs(x_at(&motion, 1, rows[i].frame) - 4 * rows[i].of_b) < 1e-6);
        assert_true(fabs((double)motion_morph(&motion.morphs[0], rows[i].frame) - rows[i].part) <
                    1e-6);
        assert_true(fabs((double)motion_morph(&motion.morphs[1], rows[i].frame) - rows[i].of_b) <
                    1e-6);
    }
    arena_destroy(arena);
}

/* A pose has no time: it holds, unless the job merges it. */
static void poses_override(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a", "b"};
    const Model *model = model_named(names, 2, arena);
    VmdBoneKey keys[] = {fixture_key("a", 0, 1, 0, 0), fixture_key("a", 10, 9, 0, 0),
                         fixture_key("b", 0, 1, 0, 0), fixture_key("b", 10, 9, 0, 0)};
    VmdBoneKey pose_key = fixture_key("a", 0, 5, 0, 0);
    const VmdMotion dance = fixture_motion_of(keys, 4);
    VmdMotion pose = fixture_motion_of(&pose_key, 1);
    pose.is_pose = true;
    MotionLayer layers[] = {layer_of(&dance, "dance.vmd", (TimeMap){0, 1}),
                            layer_of(&pose, "pose.vpd", (TimeMap){0, 1})};
    static const double of_a[] = {[LAYER_AUTO] = 5, [LAYER_MERGE] = 9, [LAYER_OVERRIDE] = 5};
    for (int mode = LAYER_AUTO; mode <= LAYER_OVERRIDE; mode++) {
        layers[1].spec.layer = (LayerMode)mode;
        const ModelMotion motion = bind_layers(model, layers, 2, arena);
        assert_true(x_at(&motion, 0, 0) == 5);
        assert_true(x_at(&motion, 0, 10) == of_a[mode]);
        assert_true(x_at(&motion, 1, 10) == 9);
    }
    arena_destroy(arena);
}

static void switches_merge(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Model *model = arena_alloc(arena, sizeof *model);
    *model = (Model){.file = "model.pmx", .pmx = fixture_leg(arena)};
    DiagLog log;
    diag_log_init(&log);
    model_prepare(model, arena, &log.diag);
    VmdIkSwitch off = {vmd_name_from_utf8("左足ＩＫ"), false};
    VmdPropertyKey first_keys[] = {{0, true, &off, 1}, {20, false, NULL, 0}};
    VmdPropertyKey second_keys[] = {{0, true, NULL, 0}, {10, true, NULL, 0}};
    VmdMotion first = fixture_motion_of(NULL, 0), second = fixture_motion_of(NULL, 0);
    first.property_keys = first_keys;
    second.property_keys = second_keys;
    first.property_key_count = second.property_key_count = 2;
    MotionLayer layers[] = {layer_of(&first, "first.vmd", (TimeMap){0, 1}),
                            layer_of(&second, "second.vmd", (TimeMap){0, 1})};
    const ModelMotion merged = bind_layers(model, layers, 2, arena);
    assert_true(motion_switch(&merged.visible, 15));
    assert_false(motion_switch(&merged.visible, 20)); /* today's last file had no key there */
    assert_false(motion_switch(&merged.ik[4], 5));    /* only the first file names it */
    layers[1].spec.layer = LAYER_OVERRIDE;
    const ModelMotion overridden = bind_layers(model, layers, 2, arena);
    assert_true(motion_switch(&overridden.visible, 20));
    assert_false(motion_switch(&overridden.ik[4], 5));
    arena_destroy(arena);
}

static void contributions_are_counted(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a", "b", "c"};
    Model *model = model_named(names, 3, arena);
    add_morphs(model, names, 3, arena);
    VmdBoneKey dance_keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("a", 30, 1, 0, 0),
                               fixture_key("b", 0, 0, 0, 0), fixture_key("b", 9, 0, 0, 0)};
    VmdMorphKey dance_morphs[] = {{vmd_name_from_utf8("a"), 0, 0}};
    VmdBoneKey mouth_keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("b", 0, 0, 0, 0),
                               fixture_key("c", 0, 0, 0, 0)};
    VmdMorphKey mouth_morphs[] = {{vmd_name_from_utf8("a"), 0, 0},
                                  {vmd_name_from_utf8("a"), 5, 1},
                                  {vmd_name_from_utf8("b"), 0, 0}};
    VmdMotion dance = fixture_motion_of(dance_keys, 4), mouth = fixture_motion_of(mouth_keys, 3);
    dance.morph_keys = dance_morphs;
    dance.morph_key_count = 1;
    mouth.morph_keys = mouth_morphs;
    mouth.morph_key_count = 3;
    static const struct {
        const char *what;
        int first, second;
        LayerMode mode;
        double offset;
        const char *one, *two;
    } rows[] = {
        {"as issued", 0, 1, LAYER_AUTO, 0,
         "1 bone moves; 1 morph has one key at frame 0; 1 bone keeps one value",
         "1 morph moves; 2 bones have one key at frame 0, which replaces that of dance.vmd; 1 bone "
         "and 1 morph have one key at frame 0"},
        {"the other order", 1, 0, LAYER_AUTO, 0,
         "1 morph moves; 3 bones and 1 morph have one key at frame 0",
         "1 bone moves; 1 morph has one key at frame 0, which replaces that of mouth.vmd; 1 bone "
         "keeps one value"},
        {"later", 0, 1, LAYER_AUTO, 2.5,
         "1 bone moves; 1 morph has one key at frame 0; 1 bone keeps one value",
         "1 morph moves; 3 bones and 1 morph have one key at frame 2.5"},
        {"override", 0, 1, LAYER_OVERRIDE, 0,
         "1 bone moves; 1 morph has one key at frame 0; 1 bone keeps one value",
         "1 morph moves; 3 bones and 1 morph have one key at frame 0; 2 bones and 1 morph override "
         "those of dance.vmd"},
        {"twice", 0, 0, LAYER_MERGE, 0,
         "1 bone moves; 1 morph has one key at frame 0; 1 bone keeps one value",
         "1 bone moves (1 of them in dance.vmd, too); 1 morph has one key at frame 0, which "
         "replaces that of dance.vmd; 1 bone keeps one value"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const VmdMotion *vmds[] = {&dance, &mouth};
        static const char *const files[] = {"x/dance.vmd", "mouth.vmd"};
        MotionLayer layers[] = {
            layer_of(vmds[rows[i].first], files[rows[i].first], (TimeMap){0, 1}),
            layer_of(vmds[rows[i].second], files[rows[i].second], (TimeMap){rows[i].offset, 1})};
        layers[1].spec.layer = rows[i].mode;
        const ModelMotion motion = bind_layers(model, layers, 2, arena);
        const char *one = motion_share_text(&motion.fits[0].share, arena),
                   *two = motion_share_text(&motion.fits[1].share, arena);
        if (strcmp(one, rows[i].one) != 0 || strcmp(two, rows[i].two) != 0)
            fail_msg("%s:\n%s\n%s", rows[i].what, one, two);
    }
    arena_destroy(arena);
}

static void unknown_names_are_reported_once(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const char *const names[] = {"a"};
    const Model *model = model_named(names, 1, arena);
    VmdBoneKey keys[] = {fixture_key("neck2", 0, 0, 0, 0), fixture_key("a", 0, 1, 0, 0),
                         fixture_key("tail", 0, 1, 0, 0), fixture_key("neck2", 5, 1, 0, 0)};
    const VmdMotion vmd = fixture_motion_of(keys, 4);
    const MotionLayer layer = {.vmd = &vmd, .spec = {.file = "dance.vmd", MOTION_DEFAULT}};
    DiagLog log;
    diag_log_init(&log);
    ModelMotion motion;
    assert_true(motion_bind(&motion, model, &layer, 1, true, arena, &log.diag));
    assert_string_equal(log.text,
                        "warning: dance.vmd: 1 of 3 bones fit model.pmx, but not 'tail'\n");
    arena_destroy(arena);
}

static const DiagLocation *find_rename(void *arena, const char *key, const char *name)
{
    DiagLocation *found = arena_array(arena, DiagLocation, 1);
    key = arena_printf(arena, "%s %s", key, name ? name : "");
    *found = (DiagLocation){"job.yaml", 7, 3, key, ""};
    return found;
}

/* Binds the keys of `keys` with renames to a model of the bones "a", "b", "c" and "d", whose
 * English names are "A", "B", "B" and "". */
static void bind_english(ModelMotion *out, DiagLog *log, VmdBoneKey *keys, uint32_t count,
                         NamePair *renames, size_t rename_count, Arena *arena)
{
    static const char *const names[] = {"a", "b", "c", "d"}, *const english[] = {"A", "B", "B", ""};
    Model *model = model_named(names, 4, arena);
    VmdMotion *vmd = arena_alloc(arena, sizeof *vmd);
    *vmd = fixture_motion_of(keys, count);
    vmd->model_name = "Someone";
    for (int i = 0; i < 4; i++)
        model->pmx.bones[i].name_en = english[i];
    const MotionLayer layer = {.vmd = vmd,
                               .spec = {.key = "models.0.motions.0",
                                        .file = "dance.vmd",
                                        MOTION_DEFAULT,
                                        .rename = renames,
                                        .rename_count = rename_count}};
    diag_log_init(log);
    if (rename_count)
        log->diag.locator = (DiagLocator){find_rename, arena};
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
            keys[count] = fixture_key(rows[i].names[count], 0, 0, 1, 0);
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

/* MMD writes a key of every bone and morph, also `base` of a PMD.  What rests need not exist. */
static void resting_names_do_not_count(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    static const char *const names[] = {"a"};
    Model *model = model_named(names, 1, arena);
    add_morphs(model, names, 1, arena);
    VmdBoneKey keys[] = {fixture_key("a", 0, 0, 0, 0), fixture_key("a", 9, 0, 1, 0),
                         fixture_key("hair", 0, 0, 0, 0), fixture_key("hair", 9, 0, 0, 0),
                         fixture_key("hair", 20, 0, 0, 0)};
    VmdMorphKey morphs[] = {{vmd_name_from_utf8("base"), 0, 1},
                            {vmd_name_from_utf8("x"), 0, 0},
                            {vmd_name_from_utf8("x"), 9, 0}};
    VmdMotion vmd = fixture_motion_of(keys, 5);
    vmd.morph_keys = morphs;
    vmd.morph_key_count = 3;
    for (int row = 0; row < 4; row++) {
        const MotionLayer layer = layer_of(&vmd, "dance.vmd", (TimeMap){0, 1});
        DiagLog log;
        ModelMotion motion;
        diag_log_init(&log);
        log.diag.rules.errors = warning_bit(WARN_MISFIT) | warning_bit(WARN_PARTIAL_FIT);
        keys[4].translation[2] = row & 1 ? 0.5f : 0;
        morphs[2].weight = row & 2 ? 0.5f : 0;
        assert_int_equal(motion_bind(&motion, model, &layer, 1, true, arena, &log.diag), !row);
        static const char *const expected[] = {
            "", "error: dance.vmd: 1 of 2 bones fit model.pmx, but not 'hair'\n",
            "error: dance.vmd: 1 of 1 bone and 0 of 1 morph fit model.pmx, but not 'x'\n",
            "error: dance.vmd: 1 of 2 bones and 0 of 1 morph fit model.pmx, but not 'hair'\n"};
        assert_string_equal(log.text, expected[row]);
    }
    arena_destroy(arena);
}

/* Under a quarter is a class of its own. */
static void a_misfit_can_be_refused(void **state)
{
    (void)state;
    for (uint32_t count = 4; count <= 5; count++) {
        Arena *arena = arena_create();
        static const char *const names[] = {"a"};
        const Model *model = model_named(names, 1, arena);
        VmdBoneKey keys[] = {fixture_key("a", 0, 1, 0, 0), fixture_key("w", 0, 1, 0, 0),
                             fixture_key("x", 0, 1, 0, 0), fixture_key("y", 0, 1, 0, 0),
                             fixture_key("z", 0, 1, 0, 0)};
        const VmdMotion vmd = fixture_motion_of(keys, count);
        const MotionLayer layer = {.vmd = &vmd, .spec = {.file = "dance.vmd", MOTION_DEFAULT}};
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
    NamePair renames[] = {{.from = "hip", .to = "b"}, {.from = "a", .to = "c"}};
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
    NamePair renames[] = {{"centar", "a"}, {"center", "aa"}};
    DiagLog log;
    ModelMotion motion;
    bind_english(&motion, &log, keys, 1, renames, 2, arena);
    assert_string_equal(log.text,
                        "error: job.yaml:7:3: models.0.motions.0.rename centar: no keys of "
                        "'centar' in dance.vmd; did you mean 'center'?\n"
                        "error: job.yaml:7:3: models.0.motions.0.rename center: no bone or morph "
                        "'aa' in model.pmx; known here: a, b, c, d\n");
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
        const MotionLayer layer = {.vmd = &vmd, .spec = {.file = "dance.vmd", MOTION_DEFAULT}};
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
        cmocka_unit_test(keys_of_one_frame_are_replaced),
        cmocka_unit_test(merged_is_one_list),
        cmocka_unit_test(rest_is_the_first_key),
        cmocka_unit_test(poses_override),
        cmocka_unit_test(switches_merge),
        cmocka_unit_test(contributions_are_counted),
        cmocka_unit_test(resting_names_do_not_count),
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
