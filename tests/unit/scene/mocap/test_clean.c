// SPDX-License-Identifier: MIT
/* clean: known movements with noise, an accent, a foot that slides, a jump, hand-made curves */

#include <math.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "mocap_fixture.h"
#include "scene/mocap/clean.h"
#include "unit_test.h"

#define DEGREES (M_PI / 180)

enum { FRAMES = 240, ACCENT = 120 };

static const CleanSpec AUTO = {.smooth = 1, .feet = true, .hands = true};
static const char *const bones[] = {"センター", "上半身", "左腕", "左ひじ", "右腕",  "左足",
                                    "左ひざ",   "左足首", "右足", "右ひざ", "右足首"};
enum { BONES = sizeof bones / sizeof *bones, ARM = 2, RIGHT_ARM = 4 };

typedef struct Take {
    Model model;
    VmdMotion in, out;
    CleanReport report;
    DiagLog log;
    Arena *arena;
    uint32_t seed;
} Take;

/* About normal, deviation 1. */
static double noise(Take *t)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) {
        t->seed = t->seed * 1664525u + 1013904223u;
        sum += (t->seed >> 8) / 16777216.0;
    }
    return sum;
}

static Quat turn(Vec3 axis, double degrees)
{
    return quat_from_axis_angle(axis, degrees * DEGREES);
}

static VmdBoneKey *key_of(const Take *t, int bone, uint32_t frame)
{
    return &t->in.bone_keys[(uint32_t)bone * FRAMES + frame];
}

/* Every bone has a key on every frame, at rest but for noise, and IK of the legs is off. */
static void take_begin(Take *t, double degrees)
{
    static VmdIkSwitch off[2];
    static VmdPropertyKey property = {.visible = true, .ik = off, .ik_count = 2};
    memset(t, 0, sizeof *t);
    t->arena = arena_create();
    diag_log_init(&t->log);
    t->seed = 1;
    t->model.file = "model.pmx";
    bones_create_standard(&t->model.pmx, t->arena);
    model_prepare(&t->model, t->arena, &t->log.diag);
    off[0].bone = vmd_name_from_utf8("左足ＩＫ");
    off[1].bone = vmd_name_from_utf8("右足ＩＫ");
    t->in = (VmdMotion){.model_name = "",
                        .bone_keys = arena_array(t->arena, VmdBoneKey, BONES * FRAMES),
                        .bone_key_count = BONES * FRAMES,
                        .property_keys = &property,
                        .property_key_count = 1};
    for (int b = 0; b < BONES; b++)
        for (uint32_t i = 0; i < FRAMES; i++) {
            VmdBoneKey *key = key_of(t, b, i);
            const Vec3 v = {noise(t), noise(t), noise(t)};
            *key = (VmdBoneKey){.name = vmd_name_from_utf8(bones[b]),
                                .frame = i,
                                .curves = {CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR, CURVE_LINEAR}};
            quat_store(key->rotation,
                       b ? turn(vec3_normalize(v), degrees * vec3_length(v)) : QUAT_IDENTITY);
        }
}

/* Turns a bone about z before its noise. */
static void add_turn(Take *t, int bone, uint32_t frame, double degrees)
{
    float *q = key_of(t, bone, frame)->rotation;
    quat_store(q, quat_mul(turn((Vec3){0, 0, 1}, degrees), quat_load(q)));
}

static void take_clean(Take *t, const CleanSpec *spec)
{
    if (!clean_motion(&t->out, &t->report, &t->in, &t->model, spec, t->arena, &t->log.diag))
        fail_msg("%s", t->log.text);
    assert_true(vmd_check(&t->out, &t->log.diag));
}

static BoneSample sample(const Take *t, const VmdMotion *motion, const char *bone, double frame)
{
    Arena *arena = arena_create();
    ModelMotion bound;
    Diag quiet = diag_quiet();
    assert_true(motion_bind(&bound, &t->model, &(MotionLayer){motion, {MOTION_DEFAULT}}, 1, false,
                            arena, &quiet));
    const int32_t index = bones_find(&t->model.pmx, bone);
    const BoneSample result = motion_bone(&bound.bones[index], frame, CURVE_HALVINGS);
    arena_destroy(arena);
    return result;
}

/* The angle about z, of the movement and what is left of the noise. */
static double degrees_at(const Take *t, const VmdMotion *motion, int bone, uint32_t frame)
{
    const BoneSample s = sample(t, motion, bones[bone], frame);
    return 2 * atan2((double)s.rotation[2], (double)s.rotation[3]) / DEGREES;
}

static double wave(uint32_t frame)
{
    return 40 * sin(frame * 2 * M_PI / 45);
}

static double error(const Take *t, const VmdMotion *motion)
{
    double sum = 0;
    for (uint32_t i = 0; i < FRAMES; i++)
        sum += pow(degrees_at(t, motion, ARM, i) - wave(i), 2);
    return sqrt(sum / FRAMES);
}

static void removes_noise(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 1);
    for (uint32_t i = 0; i < FRAMES; i++)
        add_turn(&t, ARM, i, wave(i));
    take_clean(&t, &AUTO);
    assert_true(t.report.traced);
    assert_int_equal(t.report.bones, BONES);
    /* deviation 1 in each axis: sqrt(3) = 1.73 in all */
    if (fabs(t.report.noise_deg - 1.73) > 0.35)
        fail_msg("noise of %g degrees", t.report.noise_deg);
    if (error(&t, &t.out) > 0.5 * error(&t, &t.in))
        fail_msg("error of %g degrees instead of %g", error(&t, &t.out), error(&t, &t.in));
    arena_destroy(t.arena);
}

/* The time at which a rising angle is 30 degrees. */
static double crossing(const Take *t, const VmdMotion *motion)
{
    uint32_t i = ACCENT - 20;
    while (i < ACCENT + 20 && degrees_at(t, motion, ARM, i) < 30)
        i++;
    const double after = degrees_at(t, motion, ARM, i), before = degrees_at(t, motion, ARM, i - 1);
    return i - (after - 30) / (after - before);
}

static void keeps_accents(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 0.5);
    for (uint32_t i = ACCENT - 1; i < FRAMES; i++)
        add_turn(&t, ARM, i, i < ACCENT + 1 ? 20 * ((double)i - ACCENT + 2) : 60);
    take_clean(&t, &AUTO);
    const double at = crossing(&t, &t.out); /* from 20 at 119 to 40 at 120 */
    if (fabs(at - (ACCENT - 0.5)) > 1)
        fail_msg("30 degrees at frame %g", at);
    for (uint32_t i = ACCENT + 3; i < ACCENT + 9; i++)
        if (fabs(degrees_at(&t, &t.out, ARM, i) - 60) > 3)
            fail_msg("frame %u: %g degrees after a stop at 60", i, degrees_at(&t, &t.out, ARM, i));
    arena_destroy(t.arena);
}

static void expect_unchanged(Take *t)
{
    take_clean(t, &AUTO);
    assert_false(t->report.traced);
    assert_ptr_equal(t->out.bone_keys, t->in.bone_keys);
    arena_destroy(t->arena);
}

static void leaves_curves(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 0);
    t.in.bone_key_count = 0;
    for (int b = 0; b < BONES; b++) /* a key every 8 frames, with an ease */
        for (uint32_t i = 0; i < FRAMES; i += 8) {
            VmdBoneKey *key = &t.in.bone_keys[t.in.bone_key_count++];
            *key = *key_of(&t, b, i);
            for (int c = 0; c < 4; c++)
                key->curves[c] = (Curve){64, 0, 64, 127};
            quat_store(key->rotation, turn((Vec3){0, 0, 1}, 50 * sin(i * 1.3 + b)));
        }
    const VmdMotion keys = t.in;
    Take baked;
    take_begin(&baked, 0); /* the same with a key on every frame */
    for (int b = 0; b < BONES; b++)
        for (uint32_t i = 0; i < FRAMES; i++)
            memcpy(key_of(&baked, b, i)->rotation, sample(&t, &keys, bones[b], i).rotation,
                   sizeof(float[4]));
    t.in.model_name = "Dummy Model Name    "; /* of programs that trace */
    take_clean(&t, &AUTO);
    assert_true(t.report.traced && t.out.bone_keys != t.in.bone_keys);
    t.in.model_name = "";
    expect_unchanged(&t);
    expect_unchanged(&baked);
}

/* Where a joint is, without IK. */
static Vec3 place(const Take *t, const VmdMotion *motion, int32_t bone, uint32_t frame,
                  Quat *rotation)
{
    const PmxBone *b = &t->model.pmx.bones[bone];
    Quat above = QUAT_IDENTITY;
    Vec3 at = {0, 0, 0}, rest = vec3_load(b->position);
    if (b->parent >= 0) {
        at = place(t, motion, b->parent, frame, &above);
        rest = vec3_sub(rest, vec3_load(t->model.pmx.bones[b->parent].position));
    }
    const BoneSample s = sample(t, motion, b->name, frame);
    *rotation = quat_mul(above, quat_load(s.rotation));
    return vec3_add(at, quat_rotate(above, vec3_add(rest, vec3_load(s.translation))));
}

static Vec3 ankle(const Take *t, const VmdMotion *motion, uint32_t frame)
{
    Quat rotation;
    return place(t, motion, bones_find(&t->model.pmx, "左足首"), frame, &rotation);
}

static void holds_feet(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 0.3);
    for (uint32_t i = 0; i < FRAMES; i++) { /* the body drifts by 0.3 units, 0.2 below the floor */
        key_of(&t, 0, i)->translation[0] = (float)(0.15 * cos(i * M_PI / (FRAMES - 1)));
        key_of(&t, 0, i)->translation[1] = -0.2f;
    }
    take_clean(&t, &AUTO);
    assert_true(t.report.feet.planted > FRAMES);
    const double rest = (double)t.model.pmx.bones[bones_find(&t.model.pmx, "左足首")].position[1];
    double way = 0, before = 0;
    for (uint32_t i = 1; i < FRAMES; i += 3) {
        way += vec3_length(vec3_sub(ankle(&t, &t.out, i), ankle(&t, &t.out, i - 1)));
        before += vec3_length(vec3_sub(ankle(&t, &t.in, i), ankle(&t, &t.in, i - 1)));
        if (ankle(&t, &t.out, i).y < rest - 0.01)
            fail_msg("frame %u: %g units below the floor", i, rest - ankle(&t, &t.out, i).y);
    }
    if (way > 0.1 * before)
        fail_msg("the foot slides by %g units instead of %g", way, before);
    arena_destroy(t.arena);
}

/* Feet of few keys have targets, with their IK on: where the ankles are that are held. */
static void gives_targets(void **state)
{
    Take t, held;
    CleanSpec spec = AUTO;
    (void)state;
    spec.keys = 0.1;
    take_begin(&t, 0.3);
    take_begin(&held, 0.3);
    take_clean(&t, &spec);
    take_clean(&held, &AUTO);
    for (int i = 0; i < 2; i++) {
        assert_true(t.out.property_keys[0].ik[i].enabled);
        assert_false(t.in.property_keys[0].ik[i].enabled);
        assert_false(held.out.property_keys[0].ik[i].enabled);
    }
    Quat rotation;
    const int32_t target = bones_find(&t.model.pmx, "左足ＩＫ");
    for (uint32_t i = 0; i < FRAMES; i += 20) {
        const Vec3 off =
            vec3_sub(place(&t, &t.out, target, i, &rotation), ankle(&held, &held.out, i));
        if (vec3_length(off) > 0.1)
            fail_msg("frame %u: the target is %g units off", i, vec3_length(off));
    }
    arena_destroy(t.arena);
    arena_destroy(held.arena);
}

static void removes_jumps(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 0.5);
    for (uint32_t i = 60; i < 64; i++) /* there and back */
        add_turn(&t, ARM, i, 150);
    for (uint32_t i = 100; i < FRAMES; i++) /* for good */
        add_turn(&t, RIGHT_ARM, i, 150);
    take_clean(&t, &AUTO);
    assert_int_equal(t.report.jumps, 2);
    for (uint32_t i = 1; i < FRAMES; i++) {
        if (fabs(degrees_at(&t, &t.out, ARM, i)) > 5)
            fail_msg("frame %u: the arm is at %g degrees", i, degrees_at(&t, &t.out, ARM, i));
        if (fabs(degrees_at(&t, &t.out, RIGHT_ARM, i) - degrees_at(&t, &t.out, RIGHT_ARM, i - 1)) >
            45)
            fail_msg("frame %u: a jump", i);
    }
    assert_true(fabs(degrees_at(&t, &t.out, RIGHT_ARM, 110) - 150) < 3);
    arena_destroy(t.arena);
}

/* A long ribbon at the arm: only parts of the body count for how exact a bone has to be. */
static void add_ribbon(Take *t)
{
    PmxModel *pmx = &t->model.pmx;
    PmxBone *all = arena_array(t->arena, PmxBone, pmx->bone_count + 1);
    memcpy(all, pmx->bones, pmx->bone_count * sizeof *all);
    all[pmx->bone_count] = (PmxBone){.name = "ribbon",
                                     .name_en = "",
                                     .parent = bones_find(pmx, "左腕"),
                                     .position = {60, 15, 0},
                                     .tail_bone = -1,
                                     .append_source = -1};
    pmx->bones = all;
    pmx->bone_count++;
    model_prepare(&t->model, t->arena, &t->log.diag);
}

static void needs_fewer_keys(void **state)
{
    uint32_t counts[2];
    const CleanSpec spec = {.smooth = 1, .feet = false, .hands = true, .keys = 0.1};
    (void)state;
    for (int ribbon = 0; ribbon < 2; ribbon++) {
        Take t;
        take_begin(&t, 0.5);
        if (ribbon)
            add_ribbon(&t);
        for (uint32_t i = 0; i < FRAMES; i++)
            add_turn(&t, ARM, i, wave(i));
        take_clean(&t, &spec);
        counts[ribbon] = t.out.bone_key_count;
        if (t.out.bone_key_count > t.in.bone_key_count / 10)
            fail_msg("%u keys instead of %u", t.out.bone_key_count, t.in.bone_key_count);
        if (error(&t, &t.out) > 2)
            fail_msg("error of %g degrees", error(&t, &t.out));
        arena_destroy(t.arena);
    }
    assert_int_equal(counts[0], counts[1]);
}

static void refuses_length(void **state)
{
    Take t;
    (void)state;
    take_begin(&t, 1);
    for (int b = 0; b < BONES; b++) { /* equal keys far apart are no movement */
        key_of(&t, b, FRAMES - 1)->frame = 1u << 30;
        memcpy(key_of(&t, b, FRAMES - 1)->rotation, key_of(&t, b, FRAMES - 2)->rotation,
               sizeof(float[4]));
    }
    assert_false(clean_motion(&t.out, &t.report, &t.in, &t.model, &AUTO, t.arena, &t.log.diag));
    assert_non_null(strstr(t.log.text, "1073741825 frames are too many"));
    arena_destroy(t.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removes_noise),    cmocka_unit_test(keeps_accents),
        cmocka_unit_test(leaves_curves),    cmocka_unit_test(holds_feet),
        cmocka_unit_test(gives_targets),    cmocka_unit_test(removes_jumps),
        cmocka_unit_test(needs_fewer_keys), cmocka_unit_test(refuses_length)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
