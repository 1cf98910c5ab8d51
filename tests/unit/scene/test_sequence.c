// SPDX-License-Identifier: MIT
/* Motions one after another: ranges, fades, loops, mirrored names, feet that step. */
#include <math.h>
#include <string.h>

#include "scene/motion.h"
#include "scene/sequence.h"
#include "unit_test.h"

enum { LAST = 100 };

/* A bone that moves along x by `slope` a frame, and a morph that grows to 1. */
static VmdMotion *ramp(const char *bone, double slope, Arena *arena)
{
    VmdMotion *vmd = arena_array(arena, VmdMotion, 1);
    vmd->model_name = "";
    vmd->bone_keys = arena_array(arena, VmdBoneKey, 2);
    vmd->morph_keys = arena_array(arena, VmdMorphKey, 2);
    vmd->bone_key_count = vmd->morph_key_count = 2;
    for (uint32_t i = 0; i < 2; i++) {
        VmdBoneKey *key = &vmd->bone_keys[i];
        *key = (VmdBoneKey){.name = vmd_name_from_utf8(bone),
                            .frame = i * LAST,
                            .translation = {(float)(slope * LAST * i), 0, 0},
                            .rotation = {0, 0, 0, 1}};
        for (size_t c = 0; c < 4; c++)
            key->curves[c] = CURVE_LINEAR;
        vmd->morph_keys[i] = (VmdMorphKey){vmd_name_from_utf8("あ"), i * LAST, (float)i};
    }
    return vmd;
}

static double x_of(const VmdMotion *vmd, const char *bone, double frame, int axis)
{
    Arena *arena = arena_create();
    const VmdName name = vmd_name_from_utf8(bone);
    TimelineItem *items = arena_array(arena, TimelineItem, vmd->bone_key_count);
    uint32_t count = 0;
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        if (vmd_name_equal(&vmd->bone_keys[i].name, &name))
            items[count++] = (TimelineItem){vmd->bone_keys[i].frame, i};
    const BoneTrack track =
        motion_track((TimeMap){0, 1}, items, count, vmd->bone_keys, sizeof *vmd->bone_keys, arena);
    const double value = (double)motion_bone(&track, frame, 12).translation[axis];
    arena_destroy(arena);
    return value;
}

static void expect(const VmdMotion *vmd, const char *bone, double frame, double x)
{
    const double got = x_of(vmd, bone, frame, 0);
    if (fabs(got - x) > 1e-3)
        fail_msg("%s at frame %g: %g, expected %g", bone, frame, got, x);
}

static const VmdMotion *join(const MotionLayer *parts, size_t count, Arena *arena)
{
    Diag quiet = diag_quiet();
    return sequence_join(parts, count, arena, &quiet);
}

static void plays_ranges(void **state)
{
    Arena *arena = arena_create();
    const VmdMotion *a = ramp("頭", 1, arena), *b = ramp("頭", -1, arena);
    const MotionLayer parts[] = {
        {.vmd = a, .spec = {.from = 10, .to = 40, .at = -1, .loop = 2}}, /* frames 0 to 60 */
        {.vmd = b,
         .spec = {.to = -1, .at = -1, .fade = 10, .loop = 1}}, /* from 50 on, alone from 60 */
        {.vmd = a, .spec = {.from = 50, .to = 60, .at = 200, .loop = 1}}};
    const VmdMotion *vmd = join(parts, 3, arena);
    (void)state;
    assert_non_null(vmd);
    expect(vmd, "頭", 0, 10);
    expect(vmd, "頭", 15.5, 25.5);
    expect(vmd, "頭", 29, 39);
    expect(vmd, "頭", 30, 10); /* again */
    expect(vmd, "頭", 49, 29);
    expect(vmd, "頭", 55, (35 - 5) / 2.0); /* the middle of the fade */
    expect(vmd, "頭", 60, -10);
    expect(vmd, "頭", 100.5, -50.5);
    expect(vmd, "頭", 150, -100);
    expect(vmd, "頭", 199, -100); /* held until the next one begins */
    expect(vmd, "頭", 200, 50);
    expect(vmd, "頭", 210, 60);
    assert_int_equal(vmd_last_frame(vmd), 210);
    arena_destroy(arena);
}

/* As in a motion alone (scene/README.md 1.2): a part whose first key comes late begins at rest. */
static void parts_begin_at_rest(void **state)
{
    Arena *arena = arena_create();
    VmdMotion *late = ramp("頭", 1, arena);
    late->bone_keys[0].frame = 50;
    late->bone_keys[0].translation[0] = 40;
    const MotionLayer parts[] = {{.vmd = late, .spec = {.from = 25, .to = -1, .at = -1, .loop = 1}},
                                 {.vmd = late, .spec = {.to = 60, .at = -1, .loop = 1}}};
    const VmdMotion *vmd = join(parts, 2, arena);
    (void)state;
    assert_non_null(vmd);
    expect(vmd, "頭", 0, 20); /* frame 25 of the motion, half of the way from rest to 40 */
    expect(vmd, "頭", 10, 28);
    expect(vmd, "頭", 25, 40);
    expect(vmd, "頭", 75, 0);
    expect(vmd, "頭", 100, 20);
    expect(vmd, "頭", 125, 40);
    arena_destroy(arena);
}

/* What rests in all parts has one key, which does not replace more keys of a dance than the file
 * alone would. */
static void constant_tracks_have_one_key(void **state)
{
    Arena *arena = arena_create();
    const VmdMotion *lips = ramp("頭", 0, arena), *other = ramp("首", 1, arena);
    const MotionLayer parts[] = {
        {.vmd = lips, .spec = {.to = -1, .at = -1, .loop = 3}},
        {.vmd = other, .spec = {.to = -1, .at = -1, .fade = 10, .loop = 1}}};
    const VmdMotion *vmd = join(parts, 1, arena);
    (void)state;
    assert_non_null(vmd);
    assert_int_equal(vmd->bone_key_count, 1);
    assert_int_equal(vmd->bone_keys[0].frame, 0);
    assert_true(vmd->morph_key_count > 3);
    vmd = join(parts, 2, arena);
    assert_non_null(vmd);
    expect(vmd, "首", 390, 100); /* frames 290 to 390 */
    const VmdName head = vmd_name_from_utf8("頭");
    uint32_t count = 0;
    for (uint32_t i = 0; i < vmd->bone_key_count; i++)
        count += vmd_name_equal(&vmd->bone_keys[i].name, &head);
    assert_int_equal(count, 1);
    arena_destroy(arena);
}

static void mirrors_names_and_values(void **state)
{
    Arena *arena = arena_create();
    VmdMotion *a = ramp("左腕", 1, arena);
    a->bone_keys[1].rotation[1] = 1;
    a->bone_keys[1].rotation[3] = 0;
    a->morph_keys[1].name = a->morph_keys[0].name = vmd_name_from_utf8("ウィンク");
    const MotionLayer part = {.vmd = a, .spec = {.to = -1, .at = -1, .loop = 1, .mirror = true}};
    const VmdMotion *vmd = join(&part, 1, arena);
    const VmdName wink = vmd_name_from_utf8("ウィンク右");
    (void)state;
    assert_non_null(vmd);
    expect(vmd, "右腕", 100, -100);
    expect(vmd, "左腕", 100, 0);
    assert_true(vmd->bone_keys[vmd->bone_key_count - 1].rotation[1] == -1);
    assert_true(vmd_name_equal(&vmd->morph_keys[0].name, &wink));
    arena_destroy(arena);
}

/* A foot moves only in its half of a fade, and then it is above the floor. */
static void feet_step(void **state)
{
    static const char *const feet[] = {"左足ＩＫ", "右足ＩＫ"};
    (void)state;
    for (int foot = 0; foot < 2; foot++) {
        Arena *arena = arena_create();
        const VmdMotion *still = ramp(feet[foot], 0, arena);
        VmdMotion *beside = ramp(feet[foot], 0, arena);
        beside->bone_keys[0].translation[0] = beside->bone_keys[1].translation[0] = 4;
        const MotionLayer parts[] = {
            {.vmd = still, .spec = {.to = 50, .at = -1, .loop = 1}},
            {.vmd = beside, .spec = {.to = 50, .at = -1, .fade = 20, .loop = 1}}};
        const VmdMotion *vmd = join(parts, 2, arena);
        assert_non_null(vmd);
        for (int f = 30; f <= 50; f++) {
            const double x = x_of(vmd, feet[foot], f, 0), y = x_of(vmd, feet[foot], f, 1);
            const bool moves = foot ? f > 40 && f < 50 : f > 30 && f < 40;
            if (moves != (x > 1e-4 && x < 4 - 1e-4) || moves != (y > 1e-4))
                fail_msg("%s at frame %d: %g, %g", feet[foot], f, x, y);
        }
        arena_destroy(arena);
    }
}

static void refuses(void **state)
{
    Arena *arena = arena_create();
    const VmdMotion *a = ramp("頭", 1, arena);
    const MotionLayer rows[][2] = {
        {{.vmd = a, .spec = {.from = 100, .to = -1, .at = -1, .loop = 1}}},
        {{.vmd = a, .spec = {.to = 50, .at = -1, .loop = 1}},
         {.vmd = a, .spec = {.to = 10, .at = -1, .fade = 20, .loop = 1}}},
        {{.vmd = a, .spec = {.to = 50, .at = 40, .loop = 1}},
         {.vmd = a, .spec = {.to = 50, .at = 20, .loop = 1}}},
        {{.vmd = a, .spec = {.to = -1, .at = 29999999, .loop = 1}}}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_null(join(rows[i], rows[i][1].vmd ? 2 : 1, arena));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plays_ranges),
        cmocka_unit_test(parts_begin_at_rest),
        cmocka_unit_test(constant_tracks_have_one_key),
        cmocka_unit_test(mirrors_names_and_values),
        cmocka_unit_test(feet_step),
        cmocka_unit_test(refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
