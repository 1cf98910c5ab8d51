// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "format/motion/bvh.h"
#include "unit_test.h"

static const char small[] =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\n JOINT a\n {\n  OFFSET 1.5 0 -2e0\n  CHANNELS 1 xROTATION\n  End Site\n "
    " {\n   OFFSET 0 0 3\n  }\n }\n JOINT b { OFFSET 4 5 6 CHANNELS 0 }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.0333333\n1 2 3 90 0 90 30\n0 0 0 0 0 0 -45.5\n";

static bool load(Mocap *motion, const char *text, size_t size, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    diag_file(&log->diag, "f");
    return bvh_load(motion, (Bytes){(const uint8_t *)text, size}, arena, &log->diag);
}

static void test_load(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap motion;
    DiagLog log;
    if (!load(&motion, small, strlen(small), arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(motion.joint_count, 4);
    assert_int_equal(motion.frame_count, 2);
    assert_true(fabs(motion.fps - 30.00003) < 1e-6 && motion.duration_s == 0.0333333);
    assert_string_equal(motion.joints[0].name, "Hips");
    assert_string_equal(motion.joints[2].name, "");
    assert_int_equal(motion.joints[1].parent, 0);
    assert_int_equal(motion.joints[2].parent, 1);
    assert_int_equal(motion.joints[3].parent, 0);
    assert_true(motion.joints[1].rest.x == 1.5 && motion.joints[1].rest.z == -2);
    assert_true(motion.joints[2].rest.z == 1);
    arena_destroy(arena);
}

/* Rz(90) Ry(90) turns x to -z to -z: y first takes x to -z, which z leaves; positions replace the
 * offset of a joint that has them. */
static void test_local(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap motion;
    DiagLog log;
    Vec3 position;
    Quat rotation;
    assert_true(load(&motion, small, strlen(small), arena, &log));
    mocap_local(&position, &rotation, &motion, 0 / motion.fps, 0);
    assert_true(position.x == 1 && position.y == 2 && position.z == 3);
    const Vec3 x = quat_rotate(rotation, (Vec3){1, 0, 0});
    assert_true(fabs(x.x) < 1e-9 && fabs(x.y) < 1e-9 && fabs(x.z + 1) < 1e-9);
    const Vec3 y = quat_rotate(rotation, (Vec3){0, 1, 0});
    assert_true(fabs(y.x + 1) < 1e-9);
    mocap_local(&position, &rotation, &motion, 1 / motion.fps, 1);
    assert_true(position.x == 1.5 && position.z == -2);
    assert_true(fabs(rotation.x - sin(-45.5 * M_PI / 360)) < 1e-6);
    mocap_local(&position, &rotation, &motion, 1 / motion.fps, 3);
    assert_true(position.y == 5 && rotation.w == 1);
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "expected HIERARCHY"},
        {"HIERARCHY\nMOTION\n", "expected ROOT"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n", "'x': expected a number"},
        {"HIERARCHY ROOT a { OFFSET 0 0 1e9", "expected a number"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 7", "expected a count"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Wrotation", "expected a channel"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 99999 Frame Time: 0.1 ",
         "frame count 99999 exceeds the file size"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 0", "out of range"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 10.1", "out of range"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time: 0.00009", "out of range"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 0 Frame Time: 1 0 0", "(1..3)"},
        /* places: lines and columns from 1 */
        {"x", "1:1: 'x': expected HIERARCHY"},
        {"  x", "1:3: 'x'"},
        {"HIERARCHY\nROOT a\n{\nOFFSET 0 x 0\n", "4:10: 'x'"},
        {"HIERARCHY\n\n  JOINT a", "3:3: 'JOINT': expected ROOT"},
        {"HIERARCHY\n", "2:1: the file ends; expected ROOT"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 x", "'x': expected JOINT, CHANNELS, End or }"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 End Sit", "'Sit': expected Site"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 End Site { OFFSET 1 2 3 x", "'x': expected }"},
        {"HIERARCHY ROOT a OFFSET", "'OFFSET': expected {"},
        {"HIERARCHY ROOT a { }", "'}': expected OFFSET"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } ROOT", "the file ends; expected {"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } x", "'x': expected MOTION"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frame", "'Frame': expected Frames:"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: -1", "'-1': expected a count"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS -1", "'-1': expected a count"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Time:", "'Time:': expected Frame"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 } MOTION Frames: 1 Frame Time", "'Time': expected Time:"},
        {"HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation } MOTION Frames: 1 Frame Time: 1 x",
         "'x': expected a number"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap motion;
        DiagLog log;
        if (load(&motion, rows[i].text, strlen(rows[i].text), arena, &log) ||
            log.diag.errors != 1 || !strstr(log.text, rows[i].message))
            fail_msg("row %zu: %s", i, log.text);
        arena_destroy(arena);
    }
}

typedef struct Text {
    char bytes[200000];
    size_t size;
} Text;

static void add(Text *text, const char *words)
{
    assert_true(text->size + strlen(words) < sizeof text->bytes);
    strcpy(text->bytes + text->size, words);
    text->size += strlen(words);
}

/* Values of one digit, a byte and a blank each, are the most frames that a file can have. */
static void test_smallest_frames(void **state)
{
    (void)state;
    for (int extra = 0; extra < 4; extra++) {
        Arena *arena = arena_create();
        Text *text = arena_array(arena, Text, 1);
        Mocap motion;
        DiagLog log;
        char head[100];
        snprintf(head, sizeof head, "MOTION Frames: %d Frame Time: 10", 100 + extra);
        add(text, "HIERARCHY ROOT a { OFFSET 0 0 0 CHANNELS 3 Zposition Xposition Yrotation } ");
        add(text, head);
        for (int i = 0; i < 300; i++)
            add(text, i % 3 ? " 2" : " 1");
        const bool good = load(&motion, text->bytes, text->size, arena, &log);
        if (good != (extra == 0) ||
            (extra > 1 && !strstr(log.text, "exceeds the file size (1..101)")))
            fail_msg("%d frames: %s", 100 + extra, log.text);
        for (int i = 0; good && i < 100; i++) {
            Vec3 at;
            Quat q;
            mocap_local(&at, &q, &motion, 10.0 * i, 0);
            assert_true(at.z == 1 && at.x == 2);
        }
        arena_destroy(arena);
    }
}

static void test_limits(void **state)
{
    (void)state;
    static const struct {
        int depth, siblings;
        const char *message;
    } rows[] = {{BVH_MAX_DEPTH, 0, NULL},
                {BVH_MAX_DEPTH + 1, 0, "nested more than"},
                {1, MOCAP_MAX_JOINTS - 1, NULL},
                {1, MOCAP_MAX_JOINTS, "more than"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Text *text = arena_array(arena, Text, 1);
        Mocap motion;
        DiagLog log;
        add(text, "HIERARCHY\n");
        for (int k = 0; k < rows[i].depth; k++)
            add(text, k ? "JOINT j { OFFSET 0 0 0 " : "ROOT r { OFFSET 1000000 -1e6 0 ");
        for (int k = 0; k < rows[i].siblings; k++)
            add(text, "JOINT s { OFFSET 0 0 0 } ");
        for (int k = 0; k < rows[i].depth; k++)
            add(text, "} ");
        add(text, "MOTION Frames: 1 Frame Time: 0.0001");
        if (load(&motion, text->bytes, text->size, arena, &log) != !rows[i].message ||
            (rows[i].message && !strstr(log.text, rows[i].message)))
            fail_msg("row %zu: %s", i, log.text);
        if (!rows[i].message) {
            assert_int_equal(motion.joint_count, rows[i].depth + rows[i].siblings);
            assert_int_equal(motion.joints[0].parent, -1);
            assert_int_equal(motion.joints[motion.joint_count - 1].parent,
                             rows[i].siblings ? 0 : rows[i].depth - 2);
        }
        arena_destroy(arena);
    }
}

/* Each channel by its name, in any case; a long word is cut, not refused. */
static void test_channels(void **state)
{
    (void)state;
    static const char *const names[] = {"XPOSITION", "yposition", "Zposition",
                                        "xRotation", "Yrotation", "zrotation"};
    for (int i = 0; i < 6; i++) {
        Arena *arena = arena_create();
        Mocap motion;
        DiagLog log;
        Vec3 position;
        Quat q;
        char text[1000];
        snprintf(text, sizeof text,
                 "HIERARCHY ROOT %0500d { OFFSET 7 8 9 CHANNELS 1 %s } MOTION Frames: 1 "
                 "Frame Time: 1 60",
                 1, names[i]);
        if (!load(&motion, text, strlen(text), arena, &log))
            fail_msg("%s", log.text);
        mocap_local(&position, &q, &motion, 0 / motion.fps, 0);
        const double at[] = {position.x, position.y, position.z}, axis[] = {q.x, q.y, q.z};
        for (int k = 0; k < 3; k++) {
            assert_true(at[k] == (i == k ? 60 : 7 + k));
            assert_true(fabs(axis[k] - (i == 3 + k ? 0.5 : 0)) < 1e-6);
        }
        arena_destroy(arena);
    }
}

/* Two roots, as files of two persons have. */
static void test_roots(void **state)
{
    (void)state;
    static const char text[] = "hierarchy ROOT a { OFFSET 0 0 0 CHANNELS 1 Xrotation End Site "
                               "{ OFFSET 0 1 0 } } ROOT b { OFFSET 5 0 0 CHANNELS 1 Yposition } "
                               "motion frames: 2 frame time: 0.5 1 2 3 4";
    Arena *arena = arena_create();
    Mocap motion;
    DiagLog log;
    Vec3 position;
    Quat rotation;
    if (!load(&motion, text, strlen(text), arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(motion.joint_count, 3);
    assert_int_equal(motion.joints[2].parent, -1);
    mocap_local(&position, &rotation, &motion, 1 / motion.fps, 2);
    assert_true(position.x == 5 && position.y == 4 && position.z == 0);
    arena_destroy(arena);
}

/* Cut at each length, and each byte changed: loaded, or refused with one message. */
static void test_damage(void **state)
{
    (void)state;
    char text[sizeof small];
    memcpy(text, small, sizeof small);
    const size_t size = strlen(small);
    for (size_t i = 0; i < 2 * size; i++) {
        Arena *arena = arena_create();
        Mocap motion;
        DiagLog log;
        if (i < size)
            text[i] ^= 0x15;
        if (!load(&motion, text, i < size ? size : i - size, arena, &log))
            assert_int_equal(log.diag.errors, 1);
        if (i < size)
            text[i] ^= 0x15;
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),   cmocka_unit_test(test_local),
        cmocka_unit_test(test_errors), cmocka_unit_test(test_smallest_frames),
        cmocka_unit_test(test_limits), cmocka_unit_test(test_channels),
        cmocka_unit_test(test_roots),  cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
