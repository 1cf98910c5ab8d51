// SPDX-License-Identifier: MIT
/* vrma: the fixture, by hand; interpolation as glTF 2.0 defines it; damaged files */

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "format/motion/vrma.h"
#include "unit_test.h"
#include "vrma_fixture.h"

static bool load(VrmaMotion *motion, const char *from, const char *to, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return vrma_load(motion, vrma_fixture(from, to, arena), arena, &log->diag);
}

static void expect_position(const VrmaMotion *m, uint32_t node, double time, Vec3 wanted)
{
    Vec3 at;
    Quat turned;
    vrma_local(&at, &turned, m, time, node);
    if (fabs(at.x - wanted.x) > 1e-6 || fabs(at.y - wanted.y) > 1e-6 ||
        fabs(at.z - wanted.z) > 1e-6)
        fail_msg("node %u at %g s: %g %g %g", node, time, at.x, at.y, at.z);
}

static double angle_about_x(const VrmaMotion *m, uint32_t node, double time)
{
    Vec3 at;
    Quat q;
    vrma_local(&at, &q, m, time, node);
    return 2 * atan2(q.x, q.w) * 180 / M_PI;
}

static void test_load(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmaMotion m;
    DiagLog log;
    if (!load(&m, NULL, NULL, arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(m.node_count, 3); /* not "other" */
    assert_string_equal(m.nodes[0].bone, "");
    assert_string_equal(m.nodes[1].bone, "hips");
    assert_string_equal(m.nodes[2].bone, "leftUpperLeg");
    assert_int_equal(m.nodes[0].parent, -1);
    assert_int_equal(m.nodes[1].parent, 0);
    assert_int_equal(m.nodes[2].parent, 1);
    assert_true(m.duration_s == 2);
    assert_true(fabs(m.nodes[0].rotation.y - sqrt(0.5)) < 1e-6);
    arena_destroy(arena);
}

/* Translations are scaled by the ancestors, the root itself by none. */
static void test_linear(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmaMotion m;
    DiagLog log;
    assert_true(load(&m, NULL, NULL, arena, &log));
    expect_position(&m, 1, -1, (Vec3){0, 2, 0});
    expect_position(&m, 1, 0.25, (Vec3){2, 2, 0});
    expect_position(&m, 1, 1.5, (Vec3){8, 4, 0});
    expect_position(&m, 1, 9, (Vec3){8, 6, 0});
    expect_position(&m, 2, 1, (Vec3){1, -2, 0});
    assert_true(fabs(angle_about_x(&m, 2, 0.5) - 22.5) < 1e-4);
    assert_true(fabs(angle_about_x(&m, 2, 5) - 90) < 1e-4);
    arena_destroy(arena);
}

static void test_step(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmaMotion m;
    DiagLog log;
    assert_true(load(&m, "\"LINEAR\"", "\"STEP\"", arena, &log));
    assert_true(fabs(angle_about_x(&m, 2, 1.99)) < 1e-4);
    assert_true(fabs(angle_about_x(&m, 2, 2) - 90) < 1e-4);
    arena_destroy(arena);
}

/* The three vectors of the fixture as in-tangent, value and out-tangent of one key; of two keys,
 * by hand: p(1/2) = (p0 + p1) / 2 + span (m0 - m1) / 8. */
static void test_cubic(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmaMotion m;
    DiagLog log;
    const float times[] = {0, 2};
    const float values[] = {9, 9, 9, 1, 2, 3, 4, 0, 0, 8, 0, 0, 5, 2, 3, 7, 7, 7};
    assert_true(load(&m, NULL, NULL, arena, &log));
    m.nodes[0].translations = (VrmaTrack){times, values, 2, VRMA_CUBIC};
    expect_position(&m, 0, 0, (Vec3){1, 2, 3});
    expect_position(&m, 0, 2, (Vec3){5, 2, 3});
    expect_position(&m, 0, 1, (Vec3){3 + 2 * (4 - 8) / 8.0, 2, 3});
    arena_destroy(arena);
}

/* A matrix has the same effect as translation, rotation and scale. */
static void test_matrix(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VrmaMotion m;
    DiagLog log;
    assert_true(load(&m, "\"scale\":[2,2,2],\"rotation\":[0,0.70710678,0,0.70710678]",
                     "\"matrix\":[0,0,-2,0,0,2,0,0,2,0,0,0,7,8,9,1]", arena, &log));
    assert_true(fabs(m.nodes[0].rotation.y - sqrt(0.5)) < 1e-6);
    assert_true(fabs(m.nodes[0].rotation.w - sqrt(0.5)) < 1e-6);
    assert_true(m.nodes[1].scale.x == 2 && m.nodes[1].scale.z == 2);
    expect_position(&m, 0, 0, (Vec3){7, 8, 9});
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"VRMC_vrm_animation", "VRMC_vrm", "no VRMC_vrm_animation"},
        {"\"hips\":{\"node\":1}", "\"spine\":{\"node\":1}", "no humanoid bone 'hips'"},
        {"\"hips\":{\"node\":1}", "\"hips\":{\"node\":4}", "'hips': node 4 does not exist"},
        {"\"children\":[0]", "\"children\":[7]", "child 7 does not exist"},
        {"\"children\":[0]", "\"children\":[0,2]", "its own ancestor"},
        {"\"children\":[0]", "\"children\":[0,0]", "has two parents"},
        {"[0.5,-1,0]", "[0.5,-1e9,0]", "node 0: a value is out of range"},
        {"[0.5,-1,0]", "[0.5,-1]", "node 0: a value is out of range"},
        {"\"sampler\":0", "\"sampler\":5", "sampler 5 does not exist"},
        {"\"input\":0", "\"input\":2", "2 times and 3 values"},
        {"\"byteLength\":36", "\"byteLength\":35", "exceeds its buffer"},
        {"\"byteOffset\":48", "\"byteOffset\":49", "exceeds its buffer"},
        {"\"byteStride\":12", "\"byteStride\":11", "exceeds its buffer"},
        {"5126,\"count\":2,\"type\":\"SCALAR\"", "5124,\"count\":2,\"type\":\"SCALAR\"",
         "exceeds its buffer"},
        {"\"byteOffset\":8", "\"byteOffset\":0,\"sparse\":{}", "more sparse values"},
        {"{\"bufferView\":0", "{\"byteOffset\":4,\"bufferView\":0", "exceeds its buffer"},
        {"{\"bufferView\":0,\"comp", "{\"bufferView\":2,\"comp", "out of order"},
        {"\"asset\"", "asset", "line 1 of the JSON text"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        VrmaMotion m;
        DiagLog log;
        if (load(&m, rows[i].from, rows[i].to, arena, &log) || !strstr(log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].to, log.text);
        arena_destroy(arena);
    }
}

/* Every prefix is an error, and nothing is read past its end (asan). */
static void test_truncated(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes whole = vrma_fixture(NULL, NULL, arena);
    for (size_t size = 0; size < whole.size; size++) {
        VrmaMotion m;
        DiagLog log;
        diag_log_init(&log);
        assert_false(
            vrma_load(&m, (Bytes){arena_copy(arena, whole.data, size), size}, arena, &log.diag));
        assert_true(log.diag.errors > 0);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),     cmocka_unit_test(test_linear),
        cmocka_unit_test(test_step),     cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_matrix),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_truncated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
