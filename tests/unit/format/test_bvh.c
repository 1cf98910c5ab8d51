#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "format/motion/bvh.h"

static const char small[] =
    "HIERARCHY\nROOT Hips\n{\n OFFSET 0 1 0\n CHANNELS 6 Xposition Yposition Zposition Zrotation "
    "Xrotation Yrotation\n JOINT a\n {\n  OFFSET 1.5 0 -2e0\n  CHANNELS 1 xROTATION\n  End Site\n "
    " {\n   OFFSET 0 0 3\n  }\n }\n JOINT b { OFFSET 4 5 6 CHANNELS 0 }\n}\n"
    "MOTION\nFrames: 2\nFrame Time: 0.0333333\n1 2 3 90 0 90 30\n0 0 0 0 0 0 -45.5\n";

static bool load(BvhMotion *motion, const char *text, size_t size, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return bvh_load(motion, (Bytes){(const uint8_t *)text, size}, arena, &log->diag);
}

static void test_load(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    BvhMotion motion;
    DiagLog log;
    if (!load(&motion, small, strlen(small), arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(motion.joint_count, 4);
    assert_int_equal(motion.value_count, 7);
    assert_int_equal(motion.frame_count, 2);
    assert_true(motion.frame_s == 0.0333333);
    assert_string_equal(motion.joints[0].name, "Hips");
    assert_string_equal(motion.joints[2].name, "");
    assert_int_equal(motion.joints[1].parent, 0);
    assert_int_equal(motion.joints[2].parent, 1);
    assert_int_equal(motion.joints[3].parent, 0);
    assert_true(motion.joints[1].offset[2] == -2);
    assert_int_equal(motion.joints[1].first_value, 6);
    arena_destroy(arena);
}

/* Rz(90) Ry(90) turns x to -z to -z: y first takes x to -z, which z leaves; positions replace the
 * offset of a joint that has them. */
static void test_local(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    BvhMotion motion;
    DiagLog log;
    Vec3 position;
    Quat rotation;
    assert_true(load(&motion, small, strlen(small), arena, &log));
    bvh_local(&position, &rotation, &motion, 0, 0);
    assert_true(position.x == 1 && position.y == 2 && position.z == 3);
    const Vec3 x = quat_rotate(rotation, (Vec3){1, 0, 0});
    assert_true(fabs(x.x) < 1e-9 && fabs(x.y) < 1e-9 && fabs(x.z + 1) < 1e-9);
    const Vec3 y = quat_rotate(rotation, (Vec3){0, 1, 0});
    assert_true(fabs(y.x + 1) < 1e-9);
    bvh_local(&position, &rotation, &motion, 1, 1);
    assert_true(position.x == 1.5 && position.z == -2);
    assert_true(fabs(rotation.x - sin(-45.5 * M_PI / 360)) < 1e-6);
    bvh_local(&position, &rotation, &motion, 1, 3);
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
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        BvhMotion motion;
        DiagLog log;
        if (load(&motion, rows[i].text, strlen(rows[i].text), arena, &log) ||
            log.diag.errors != 1 || !strstr(log.text, rows[i].message))
            fail_msg("row %zu: %s", i, log.text);
        arena_destroy(arena);
    }
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
        BvhMotion motion;
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
        cmocka_unit_test(test_load),
        cmocka_unit_test(test_local),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
