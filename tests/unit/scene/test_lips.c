// SPDX-License-Identifier: MIT
/* Keys of lips and blinks from a voice whose moments are given: names, times, weights, messages. */
#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "model_fixture.h"
#include "near.h"
#include "scene/lips.h"
#include "unit_test.h"

enum { LENGTH_S = 10, MAX_MORPHS = 8 };

static Model *model_with(const char *const *names, bool english, Arena *arena)
{
    Model *model = arena_array(arena, Model, 1);
    Diag quiet = diag_quiet();
    model->file = "singer.pmx";
    model->pmx = fixture_bone_only(arena);
    model->pmx.morphs = arena_array(arena, PmxMorph, MAX_MORPHS);
    for (; names[model->pmx.morph_count]; model->pmx.morph_count++) {
        const char *name = names[model->pmx.morph_count];
        model->pmx.morphs[model->pmx.morph_count] = (PmxMorph){
            .name = english ? arena_printf(arena, "morph%u", model->pmx.morph_count) : name,
            .name_en = english ? name : "",
            .type = PMX_MORPH_VERTEX};
    }
    model_prepare(model, arena, &quiet);
    return model;
}

/* A vowel at full loudness in a part of the time. */
static Voice voice_of(Vowel vowel, double from_s, double to_s, Arena *arena)
{
    Voice voice = {.count = LENGTH_S * VOICE_RATE, .voiced_s = to_s - from_s, .alone = true};
    voice.moments = arena_array(arena, VoiceMoment, voice.count);
    for (size_t i = (size_t)(from_s * VOICE_RATE); i < (size_t)(to_s * VOICE_RATE); i++)
        voice.moments[i].vowels[vowel] = 1;
    return voice;
}

typedef struct Bound {
    bool good;
    Lips lips;
    ModelMotion motion;
    DiagLog log;
} Bound;

static Bound *bind(const Model *model, const Voice *voice, LipsSpec spec, const VmdMotion *vmd,
                   Arena *arena)
{
    Bound *b = arena_array(arena, Bound, 1);
    const MotionLayer layer = {.vmd = vmd, .spec = {.file = "dance.vmd", MOTION_DEFAULT}};
    diag_log_init(&b->log);
    spec.sing = "directory/vocals.wav";
    spec.strength = spec.strength > 0 ? spec.strength : 1;
    spec.last_frame = LENGTH_S * 30;
    assert_true(motion_bind(&b->motion, model, &layer, vmd != NULL, true, arena, &b->log.diag));
    b->good = lips_bind(&b->lips, &b->motion, model, voice, &spec, arena, &b->log.diag);
    return b;
}

static double weight(const Bound *b, int morph, double time_s)
{
    return (double)motion_morph(&b->motion.morphs[morph], time_s * 30);
}

static const char *const usual[] = {"あ", "い", "う", "え", "お", "ん", "まばたき", NULL};

static void times_and_weights(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double offset_s, strength, time_s, expected, near;
    } rows[] = {
        {"before", 0, 1, 1.8, 0, 0},
        {"at the start, a frame ahead of the sound", 0, 1, 2 - 1.0 / 30, 0.5, 0.13},
        {"in the middle", 0, 1, 2.5, 1, 0},
        {"at the end", 0, 1, 3 - 1.0 / 30, 0.5, 0.13},
        {"after", 0, 1, 3.2, 0, 0},
        {"later", 1.5, 1, 2.5, 0, 0},
        {"later, in the middle", 1.5, 1, 4, 1, 0},
        {"earlier than the film", -2.5, 1, 0, 1, 0},
        {"weaker", 0, 0.3, 2.5, 0.3, 1e-6},
        {"stronger, at most 1", 0, 3, 2.5, 1, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const Voice voice = voice_of(VOWEL_E, 2, 3, arena);
        const LipsSpec spec = {.offset_s = rows[i].offset_s, .strength = rows[i].strength};
        const Bound *b = bind(model_with(usual, false, arena), &voice, spec, NULL, arena);
        const double got = weight(b, VOWEL_E, rows[i].time_s);
        if (!(fabs(got - rows[i].expected) <= rows[i].near + 1e-6))
            fail_msg("%s: %g, expected %g", rows[i].what, got, rows[i].expected);
        for (int v = 0; v < VOWELS; v++)
            assert_true(v == VOWEL_E || weight(b, v, rows[i].time_s) == 0);
        arena_destroy(arena);
    }
}

/* Weights rise and fall without a jump, in hundredths. */
static void smooth(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Voice voice = voice_of(VOWEL_A, 2, 3, arena);
    const Bound *b = bind(model_with(usual, false, arena), &voice, (LipsSpec){0}, NULL, arena);
    double before = 0;
    for (int frame = 0; frame < LENGTH_S * 30; frame++) {
        const double now = weight(b, VOWEL_A, frame / 30.0);
        assert_true(fabs(now - before) < 0.6);
        assert_near(now * 100, round(now * 100), 1e-4);
        before = now;
    }
    assert_true(b->lips.keys < 60); /* silence needs few */
    arena_destroy(arena);
}

static void names_of_models(void **state)
{
    (void)state;
    static const char *const few[] = {"あ", "い", NULL}, *const english[] = {"A", "ee", "Oh", NULL},
                             *const none[] = {"笑い", NULL};
    static NamePair smile[] = {{"お", "笑い"}}, wrong_from[] = {{"ア", "笑い"}},
                    wrong_to[] = {{"あ", "笑"}};
    static const struct {
        const char *what;
        const char *const *names;
        bool english, good;
        Vowel vowel;
        int morph; /* that moves; -1: none */
        double weight;
        NamePair *rename;
        const char *message;
    } rows[] = {
        {"Japanese", usual, false, true, VOWEL_N, 5, 1, NULL, NULL},
        {"English", english, true, true, VOWEL_E, 1, 1, NULL, "has no morphs い う for lips"},
        {"missing: the mouth opens", few, false, true, VOWEL_O, 0, 0.6, NULL,
         "has no morphs う え お for lips"},
        {"none", none, false, true, VOWEL_A, -1, 0, NULL, "has no morphs あ い う え お for lips"},
        {"rename", none, false, true, VOWEL_O, 0, 1, smile, "has no morphs あ い う え for lips"},
        {"unknown shape", none, false, false, VOWEL_A, -1, 0, wrong_from,
         "no mouth shape 'ア' in face.rename"},
        {"unknown morph", none, false, false, VOWEL_A, -1, 0, wrong_to, "no morph '笑'"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const Model *model = model_with(rows[i].names, rows[i].english, arena);
        const Voice voice = voice_of(rows[i].vowel, 2, 3, arena);
        const LipsSpec spec = {.rename = rows[i].rename, .rename_count = rows[i].rename != NULL};
        const Bound *b = bind(model, &voice, spec, NULL, arena);
        if (b->good != rows[i].good)
            fail_msg("%s: %s", rows[i].what, b->log.text);
        if (rows[i].message ? !strstr(b->log.text, rows[i].message) : *b->log.text)
            fail_msg("%s: '%s'", rows[i].what, b->log.text);
        for (int m = 0; b->good && m < (int)model->pmx.morph_count; m++)
            assert_near(weight(b, m, 2.5), m == rows[i].morph ? rows[i].weight : 0, 1e-6);
        arena_destroy(arena);
    }
}

static VmdMotion *moves(const char *morph, float weight_of_key, Arena *arena)
{
    VmdMotion *vmd = arena_array(arena, VmdMotion, 1);
    vmd->model_name = "";
    vmd->morph_keys = arena_array(arena, VmdMorphKey, 1);
    vmd->morph_key_count = 1;
    vmd->morph_keys[0] = (VmdMorphKey){vmd_name_from_utf8(morph), 0, weight_of_key};
    return vmd;
}

/* Keys of a motion: those of lips are replaced, with a warning if they moved something. */
static void motions_with_lips(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Model *model = model_with(usual, false, arena);
    const Voice voice = voice_of(VOWEL_A, 2, 3, arena);
    const Bound *moved = bind(model, &voice, (LipsSpec){0}, moves("い", 0.7f, arena), arena);
    assert_near(weight(moved, VOWEL_I, 2.5), 0, 1e-6);
    assert_non_null(strstr(moved->log.text, "replaces the keys of い in the motions"));
    const Bound *still = bind(model, &voice, (LipsSpec){0}, moves("い", 0, arena), arena);
    assert_string_equal(still->log.text, "");
    arena_destroy(arena);
}

static void sounds_without_one_voice(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Model *model = model_with(usual, false, arena);
    Voice voice = voice_of(VOWEL_A, 2, 3, arena);
    voice.alone = false;
    assert_non_null(strstr(bind(model, &voice, (LipsSpec){0}, NULL, arena)->log.text,
                           "'vocals.wav' seems to have instruments: lips need a vocal stem"));
    voice.voiced_s = 0;
    assert_non_null(strstr(bind(model, &voice, (LipsSpec){0}, NULL, arena)->log.text,
                           "no voice in 'vocals.wav'"));
    assert_true(lips_last_frame(&voice, &(LipsSpec){0}) == 0);
    arena_destroy(arena);
}

/* 12 to 40 a minute, not at equal distances, other ones for another model; none where a motion
 * has some, where they are not wanted, or where other morphs close the eyes. */
static void blinks(void **state)
{
    (void)state;
    enum { BLINK = 6 };
    Arena *arena = arena_create();
    Model *model = model_with(usual, false, arena);
    const Voice voice = voice_of(VOWEL_A, 2, 3, arena);
    const LipsSpec spec = {.blinks = true};
    const Bound *b = bind(model, &voice, spec, NULL, arena);
    const Bound *other = bind(model, &voice, (LipsSpec){.blinks = true, .seed = 1}, NULL, arena);
    bool differ = false;
    int closed = 0;
    for (int frame = 0; frame < LENGTH_S * 30; frame++) {
        const double now = weight(b, BLINK, frame / 30.0);
        closed += now == 1;
        differ |= now != weight(other, BLINK, frame / 30.0);
    }
    assert_true(b->lips.blinks >= 2 && b->lips.blinks <= 7 && differ);
    assert_true(closed >= 2 * (int)b->lips.blinks - 1 && closed <= 2 * (int)b->lips.blinks);

    assert_int_equal(bind(model, &voice, (LipsSpec){0}, NULL, arena)->lips.blinks, 0);
    assert_int_equal(bind(model, &voice, spec, moves("まばたき", 1, arena), arena)->lips.blinks, 0);
    assert_true(bind(model, &voice, spec, moves("まばたき", 0, arena), arena)->lips.blinks > 0);
    model->pmx.morphs[5] = (PmxMorph){.name = "笑い", .name_en = "", .panel = 2 /* eyes */};
    Diag quiet = diag_quiet();
    Model smiling = {.file = model->file, .pmx = model->pmx};
    model_prepare(&smiling, arena, &quiet);
    assert_true(bind(&smiling, &voice, spec, moves("笑い", 0, arena), arena)->lips.blinks > 0);
    assert_int_equal(bind(&smiling, &voice, spec, moves("笑い", 1, arena), arena)->lips.blinks, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_weights),
        cmocka_unit_test(smooth),
        cmocka_unit_test(names_of_models),
        cmocka_unit_test(motions_with_lips),
        cmocka_unit_test(blinks),
        cmocka_unit_test(sounds_without_one_voice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
