// SPDX-License-Identifier: MIT
/* key_density: keys per second, counted by hand; the line of text; the chart */

#include <stdio.h>
#include <string.h>

#include "inspect/key_density.h"
#include "unit_test.h"

static const struct {
    const char *what;
    uint32_t values[8];
    size_t count, columns;
    const char *line;
} lines[] = {
    {"eighths of the largest", {0, 1, 2, 3, 4, 8, 7, 5}, 8, 8, "·▁▂▃▄█▇▅"},
    {"a small one is not lost", {0, 1, 1000}, 3, 60, "·▁█"},
    {"largest of a group", {0, 3, 6, 0, 0, 0, 1, 2}, 8, 4, "▄█·▃"},
    {"nothing", {0, 0}, 2, 2, "··"},
    {"one", {5}, 1, 10, "█"},
    {"the largest number", {UINT32_MAX, UINT32_MAX / 2}, 2, 2, "█▄"},
};

static void draws_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        char line[KEY_DENSITY_LINE_SIZE(60)];
        key_density_line(line, lines[i].values, lines[i].count, lines[i].columns);
        if (strcmp(line, lines[i].line) != 0)
            fail_msg("%s: '%s', not '%s'", lines[i].what, line, lines[i].line);
    }
}

/* Bones at 0, 29, 30 and 65; a morph at 30; the camera cuts at 60. */
static VmdMotion make_motion(Arena *arena)
{
    static const uint32_t bone_frames[] = {0, 29, 30, 65}, camera_frames[] = {0, 59, 60};
    VmdMotion motion = {.model_name = "", .bone_key_count = 4, .camera_key_count = 3};
    motion.bone_keys = arena_array(arena, VmdBoneKey, 4);
    for (size_t i = 0; i < 4; i++)
        motion.bone_keys[i].frame = bone_frames[i];
    motion.camera_keys = arena_array(arena, VmdCameraKey, 3);
    for (size_t i = 0; i < 3; i++)
        motion.camera_keys[i].frame = camera_frames[i];
    motion.morph_keys = arena_array(arena, VmdMorphKey, 1);
    motion.morph_keys[0].frame = 30;
    motion.morph_key_count = 1;
    return motion;
}

static void counts_keys(void **state)
{
    Arena *arena = arena_create();
    VmdMotion motion = make_motion(arena);
    (void)state;
    KeyDensity d = key_density_of(&motion, arena);
    assert_int_equal(d.seconds, 3);
    assert_memory_equal(d.bones, ((uint32_t[]){2, 1, 1}), 12);
    assert_memory_equal(d.morphs, ((uint32_t[]){0, 1, 0}), 12);
    assert_memory_equal(d.camera, ((uint32_t[]){1, 1, 1}), 12);
    assert_memory_equal(d.all, ((uint32_t[]){3, 3, 2}), 12);

    motion.bone_keys[3].frame = UINT32_MAX; /* four years: memory does not grow with it */
    d = key_density_of(&motion, arena);
    assert_int_equal(d.seconds, KEY_DENSITY_MAX);
    assert_int_equal(d.bones[0] + d.bones[1], 3);
    d = key_density_of(&(VmdMotion){.model_name = ""}, arena);
    assert_int_equal(d.seconds, 1);
    assert_int_equal(d.all[0], 0);
    arena_destroy(arena);
}

static void writes_a_chart(void **state)
{
    Arena *arena = arena_create();
    const VmdMotion motion = make_motion(arena);
    const MotionFit fit = {
        .file = "a.vmd", .made_for = "", .bones = 3, .bones_found = 2, .morphs = 1};
    (void)state;
    Chart chart = key_density_chart("a.vmd", &motion, NULL, NULL, arena);
    assert_string_equal(chart.title, "a.vmd");
    assert_string_equal(chart.caption, "4 bone keys, 1 morph key, 3 camera keys");
    assert_int_equal(chart.count, 4); /* bones, morphs, the camera and its distance */
    assert_int_equal(chart.panels[0].lines[0].count, 3);
    assert_true(chart.panels[0].lines[0].points[0].y == 2);
    assert_string_equal(chart.panels[2].title, "Keys of the camera; 1 cut is marked");
    assert_int_equal(chart.panels[2].note_count, 1);
    chart = key_density_chart("a.vmd", &motion, &fit, "m.pmx", arena);
    assert_non_null(strstr(chart.caption, "; 2 of 3 bones and 0 of 1 morph fit m.pmx"));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(draws_lines),
        cmocka_unit_test(counts_keys),
        cmocka_unit_test(writes_a_chart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
