// SPDX-License-Identifier: MIT
/* Which motions each place of a job accepts, and the messages about those that it refuses. */
#include <string.h>

#include "diag_log.h"
#include "scene/motion_kind.h"
#include "unit_test.h"

typedef bool Check(const MotionSpec *, const VmdMotion *, Arena *, Diag *);

typedef struct Row {
    const char *what;
    Check *check;
    VmdMotion motion; /* only the counts are read */
    unsigned parts;
    bool accepted;
    const char *message; /* or NULL */
} Row;

static const Row rows[] = {
    {"a dance", motion_kind_check_dance, {.bone_key_count = 1}, MOTION_ALL, true, NULL},
    {"a dance of morphs",
     motion_kind_check_dance,
     {.morph_key_count = 1},
     MOTION_MORPHS,
     true,
     NULL},
    {"a dance of properties",
     motion_kind_check_dance,
     {.property_key_count = 1},
     MOTION_PROPERTIES,
     true,
     NULL},
    {"a dance without its part",
     motion_kind_check_dance,
     {.bone_key_count = 7501},
     MOTION_MORPHS,
     true,
     "'x.vmd' has 7501 bone keys, none of which 'only' selects"},
    {"a dance without two parts",
     motion_kind_check_dance,
     {.morph_key_count = 1, .property_key_count = 2},
     MOTION_BONES,
     true,
     "'x.vmd' has 1 morph key, 2 property keys, none of which 'only' selects"},
    {"an empty dance",
     motion_kind_check_dance,
     {.is_pose = false},
     MOTION_ALL,
     true,
     "'x.vmd' has no keys; it has no effect"},
    {"a camera as a dance",
     motion_kind_check_dance,
     {.camera_key_count = 3},
     MOTION_ALL,
     false,
     "'x.vmd' has no bone or morph keys; it is a motion with 3 camera keys; use it as camera: { "
     "motion: FILE }"},
    {"a light as a dance",
     motion_kind_check_dance,
     {.light_key_count = 1},
     MOTION_ALL,
     false,
     "it is a motion with 1 light key; use it as light: { motion: FILE }"},
    {"shadows as a dance",
     motion_kind_check_dance,
     {.shadow_key_count = 2},
     MOTION_ALL,
     false,
     "it is a motion with 2 shadow keys; use it as light: { motion: FILE }"},
    {"a camera", motion_kind_check_camera, {.camera_key_count = 1}, MOTION_ALL, true, NULL},
    {"a dance as a camera",
     motion_kind_check_camera,
     {.bone_key_count = 2},
     MOTION_ALL,
     false,
     "'x.vmd' has no camera keys; it is a motion with 2 bone keys; use it in motions of a model"},
    {"a pose as a camera",
     motion_kind_check_camera,
     {.bone_key_count = 2, .is_pose = true},
     MOTION_ALL,
     false,
     "it is a pose with 2 bone keys; use it in motions of a model"},
    {"an empty camera",
     motion_kind_check_camera,
     {.is_pose = false},
     MOTION_ALL,
     false,
     "'x.vmd' has no camera keys; it is a motion with no keys"},
    {"a light", motion_kind_check_light, {.light_key_count = 1}, MOTION_ALL, true, NULL},
    {"shadows", motion_kind_check_light, {.shadow_key_count = 1}, MOTION_ALL, true, NULL},
    {"a camera as a light",
     motion_kind_check_light,
     {.camera_key_count = 1},
     MOTION_ALL,
     false,
     "'x.vmd' has no light or shadow keys; it is a motion with 1 camera key; use it as camera: { "
     "motion: FILE }"},
};

static void accepts_what_has_an_effect(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        const MotionSpec spec = {.file = "x.vmd", .only = row->parts};
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        if (row->check(&spec, &row->motion, arena, &log.diag) != row->accepted ||
            (row->message ? !strstr(log.text, row->message) : log.text[0]))
            fail_msg("%s: %s", row->what, log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(accepts_what_has_an_effect)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
