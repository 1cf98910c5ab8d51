// SPDX-License-Identifier: MIT
/* smpl, npz: motions and arrays by hand, of the layouts that are published; damaged files */

#include <math.h>
#include <string.h>

#include "base/archive.h"
#include "diag_log.h"
#include "format/motion/npz.h"
#include "format/motion/smpl.h"
#include "npz_fixture.h"
#include "unit_test.h"

static void expect_vector(Vec3 v, double x, double y, double z)
{
    if (fabs(v.x - x) > 1e-6 || fabs(v.y - y) > 1e-6 || fabs(v.z - z) > 1e-6)
        fail_msg("%g %g %g, not %g %g %g", v.x, v.y, v.z, x, y, z);
}

/* Where the rotation of a joint takes the x, y or z axis. */
static Vec3 turned(const Mocap *m, uint32_t frame, uint32_t joint, Vec3 v)
{
    Vec3 at;
    Quat q;
    mocap_local(&at, &q, m, frame / m->fps, joint);
    return quat_rotate(q, v);
}

static Vec3 place(const Mocap *m, uint32_t frame, uint32_t joint)
{
    Vec3 at;
    Quat q;
    mocap_local(&at, &q, m, frame / m->fps, joint);
    return at;
}

static bool load(Mocap *m, Bytes bytes, SmplUp up, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return smpl_load(m, bytes, NULL, up, arena, &log->diag);
}

/* z is up, found from the data: (x, y, z) of the file is (x, z, -y). */
static void test_amass(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    if (!load(&m, npz_fixture_amass(NULL, arena), SMPL_UP_AUTO, arena, &log))
        fail_msg("%s", log.text);
    assert_non_null(strstr(log.text, "z is up, as the pelvis is on average (by 1.00 of 1)"));
    assert_true(m.up == SMPL_UP_Z && m.fps == 60 && m.frame_count == 2);
    assert_int_equal(m.joint_count, 22);
    assert_string_equal(m.joints[18].name, "left_elbow");
    assert_int_equal(m.joints[18].parent, 16);
    expect_vector(place(&m, 0, 18), 0.2596, -0.0128, -0.0275); /* smpl_humanoid.xml of PHC */
    expect_vector(place(&m, 0, 0), 1, 3, -2);
    expect_vector(place(&m, 1, 0), 1, 4, -2);
    expect_vector(turned(&m, 0, 0, (Vec3){0, 1, 0}), 0, 1, 0);
    expect_vector(turned(&m, 0, 18, (Vec3){1, 0, 0}), 1, 0, 0);
    expect_vector(turned(&m, 1, 18, (Vec3){1, 0, 0}), 0, 0, 1);
    assert_true(load(&m, npz_fixture_amass(NULL, arena), SMPL_UP_Y, arena, &log));
    assert_string_equal(log.text, ""); /* it was given */
    expect_vector(place(&m, 0, 0), 1, 2, 3);
    expect_vector(turned(&m, 0, 0, (Vec3){0, 1, 0}), 0, 0, 1);
    arena_destroy(arena);
}

static void test_video(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    if (!load(&m, npz_fixture_video(arena), SMPL_UP_AUTO, arena, &log))
        fail_msg("%s", log.text);
    assert_non_null(strstr(log.text, "-y is up"));
    assert_non_null(strstr(log.text, "no frame rate"));
    assert_true(m.up == SMPL_UP_MINUS_Y && m.fps == 30 && m.frame_count == 1);
    assert_int_equal(m.joint_count, 52);
    expect_vector(place(&m, 0, 18), 0.2541, -0.0722, -0.0425); /* smplx_humanoid.xml */
    expect_vector(turned(&m, 0, 0, (Vec3){0, 1, 0}), 0, 1, 0);
    assert_string_equal(m.joints[22].name, "left_index1");
    assert_int_equal(m.joints[22].parent, 20);
    expect_vector(turned(&m, 0, 22, (Vec3){0, 1, 0}), 0, 0, 1);
    assert_string_equal(m.joints[43].name, "right_pinky1");
    assert_int_equal(m.joints[43].parent, 21);
    expect_vector(place(&m, 0, 43), -0.084, -0.0145, -0.0437);
    expect_vector(turned(&m, 0, 43, (Vec3){0, 1, 0}), 0, 1, 0);
    arena_destroy(arena);
}

/* Two persons in three frames, as SLAHMR writes them; the second is at (frame, 5, 0) and bends its
 * left elbow, joint 18, by 90 degrees about -y in the last frame. */
static void test_persons(void **state)
{
    (void)state;
    static float roots[2][3][3], bodies[2][3][21][3], places[2][3][3];
    NpzFixtureArray arrays[] = {{.name = "root_orient",
                                 .type = "'<f4'",
                                 .order = "False",
                                 .shape = "(2, 3, 3)",
                                 .data = roots,
                                 .size = sizeof roots},
                                {.name = "pose_body",
                                 .type = "'<f4'",
                                 .order = "False",
                                 .shape = "(2, 3, 63)",
                                 .data = bodies,
                                 .size = sizeof bodies},
                                {.name = "trans",
                                 .type = "'<f4'",
                                 .order = "False",
                                 .shape = "(2, 3, 3)",
                                 .data = places,
                                 .size = sizeof places}};
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    for (int i = 0; i < 3; i++) {
        places[1][i][0] = (float)i;
        places[1][i][1] = 5;
    }
    bodies[1][2][17][1] = -(float)M_PI / 2;
    const Bytes bytes = npz_fixture(arrays, 3, arena);
    diag_log_init(&log);
    assert_true(smpl_load(&m, bytes, NULL, SMPL_UP_AUTO, arena, &log.diag));
    assert_true(m.frame_count == 3 && m.take_count == 2 && m.take == 0 && m.up == SMPL_UP_Y);
    expect_vector(place(&m, 2, 0), 0, 0, 0);
    expect_vector(turned(&m, 2, 18, (Vec3){1, 0, 0}), 1, 0, 0);
    assert_true(smpl_load(&m, bytes, "person 2", SMPL_UP_AUTO, arena, &log.diag));
    assert_string_equal(m.takes[m.take], "person 2");
    expect_vector(place(&m, 2, 0), 2, 5, 0);
    expect_vector(turned(&m, 1, 18, (Vec3){1, 0, 0}), 1, 0, 0);
    expect_vector(turned(&m, 2, 18, (Vec3){1, 0, 0}), 0, 0, 1);
    assert_false(smpl_load(&m, bytes, "person 3", SMPL_UP_AUTO, arena, &log.diag));
    assert_non_null(strstr(log.text, "no take 'person 3'"));
    arrays[2].shape = "(3, 2, 3)";
    diag_log_init(&log);
    assert_false(
        smpl_load(&m, npz_fixture(arrays, 3, arena), NULL, SMPL_UP_AUTO, arena, &log.diag));
    assert_non_null(strstr(log.text, "array 'trans' has the shape (3, 2, 3), others 2 persons"));
    diag_log_init(&log);
    assert_false(
        smpl_load(&m, npz_fixture_amass(NULL, arena), "person 1", SMPL_UP_AUTO, arena, &log.diag));
    assert_non_null(strstr(log.text, "the file has one person, and no take 'person 1'"));
    /* One person, with matrices in three frames. */
    static const float ones[3][3][3] = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    arrays[0] = (NpzFixtureArray){.name = "root_orient",
                                  .type = "'<f4'",
                                  .order = "False",
                                  .shape = "(3, 3, 3)",
                                  .data = ones,
                                  .size = sizeof ones};
    arrays[1].shape = "(3, 21, 3)";
    arrays[1].size = sizeof bodies / 2;
    diag_log_init(&log);
    if (!smpl_load(&m, npz_fixture(arrays, 2, arena), NULL, SMPL_UP_AUTO, arena, &log.diag))
        fail_msg("%s", log.text);
    assert_true(m.frame_count == 3 && !m.take_count);
    arena_destroy(arena);
}

/* Of 55 joints, the last 30 are fingers; of 24, the last 2 are not read. */
static void test_layouts(void **state)
{
    (void)state;
    static float poses[55][3];
    poses[25][0] = (float)M_PI / 2;
    for (int joints = 24; joints <= 55; joints += 31) {
        Arena *arena = arena_create();
        Mocap m;
        DiagLog log;
        const NpzFixtureArray array = {.name = "fullpose",
                                       .type = "'<f4'",
                                       .order = "False",
                                       .shape = arena_printf(arena, "(1, %d, 3)", joints),
                                       .data = poses,
                                       .size = (size_t)joints * sizeof *poses};
        if (!load(&m, npz_fixture(&array, 1, arena), SMPL_UP_AUTO, arena, &log))
            fail_msg("%s", log.text);
        assert_int_equal(m.joint_count, joints == 24 ? 22 : 52);
        if (joints == 55)
            expect_vector(turned(&m, 0, 22, (Vec3){0, 1, 0}), 0, 0, 1);
        arena_destroy(arena);
    }
}

/* Orders of bytes and indices, kinds of numbers; values by hand. */
static void test_arrays(void **state)
{
    (void)state;
    static const struct {
        const char *type, *order, *shape, *data;
        size_t size;
        float wanted[4];
    } rows[] = {
        {"'<i2'", "False", "(2, 2)", "\x01\0\xFF\xFF\x03\0\0\x80", 8, {1, -1, 3, -32768}},
        {"'>i2'", "False", "(2, 2)", "\0\x01\xFF\xFF\0\x03\x80\0", 8, {1, -1, 3, -32768}},
        {"'|u1'", "True", "(2, 2)", "\x01\x02\x03\xFF", 4, {1, 3, 2, 255}},
        {"'|b1'", "False", "(4,)", "\0\x01\x01\0", 4, {0, 1, 1, 0}},
        {"'>f4'",
         "False",
         "(1L, 4L)",
         "\x3F\xC0\0\0\xC0\0\0\0\0\0\0\0\x80\0\0\0",
         16,
         {1.5f, -2, 0, 0}},
        {"'<f8'", "True", "(1, 1)", "\0\0\0\0\0\0\xF8\x3F", 8, {1.5f}},
        {"'<i8'", "False", "()", "\xFE\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8, {-2}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (unsigned version = 1; version <= 3; version++) {
            Arena *arena = arena_create();
            Archive npz;
            NpzArray array;
            DiagLog log;
            const NpzFixtureArray fixture = {.name = "a",
                                             .type = rows[i].type,
                                             .order = rows[i].order,
                                             .shape = rows[i].shape,
                                             .data = rows[i].data,
                                             .size = rows[i].size,
                                             .version = version,
                                             .is_deflated = version == 2};
            diag_log_init(&log);
            if (!npz_load(&npz, npz_fixture(&fixture, 1, arena), arena, &log.diag) ||
                !npz_array(&array, &npz, "a", arena, &log.diag))
                fail_msg("%s %s", rows[i].type, log.text);
            for (size_t k = 0; k < array.count; k++)
                if (array.items[k] != rows[i].wanted[k])
                    fail_msg("%s %s [%zu]: %g", rows[i].type, rows[i].order, k,
                             (double)array.items[k]);
            arena_destroy(arena);
        }
}

static void test_errors(void **state)
{
    (void)state;
    static const float nan_row[] = {NAN, 0, 0, 0, 0, 0}, zeros[132];
    static const struct {
        NpzFixtureArray array;
        const char *message;
    } rows[] = {
        {{.name = "poses",
          .type = "'|O'",
          .order = "False",
          .shape = "(2, 66)",
          .data = zeros,
          .size = 9},
         "array 'poses' holds Python objects, a pickle"},
        {{.name = "poses",
          .type = "'<U4'",
          .order = "False",
          .shape = "(2, 66)",
          .data = zeros,
          .size = 9},
         "array 'poses' is of the type '<U4', not of numbers"},
        {{.name = "poses",
          .type = "[('a', '<f4')]",
          .order = "False",
          .shape = "(2,)",
          .data = zeros,
          .size = 9},
         "not of numbers"},
        {{.name = "poses",
          .type = "'<f2'",
          .order = "False",
          .shape = "(2,)",
          .data = zeros,
          .size = 9},
         "'<f2', not of numbers"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(2, 65)",
          .data = zeros,
          .size = 520},
         "array 'poses' has the shape (2, 65); expected 3 or 9"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(2, 66)",
          .data = zeros,
          .size = 264},
         "132 numbers of 4 bytes exceed its file (264 bytes)"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(4294967295, 4294967295, 4294967295)",
          .data = zeros,
          .size = 8},
         "its shape has too many"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(1, 1, 1, 1, 1, 1, 1, 1, 1)",
          .data = zeros,
          .size = 8},
         "its shape has too many"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(1000000000, 66)",
          .data = zeros,
          .size = 8},
         "66000000000 numbers of 4 bytes exceed its file"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "2",
          .data = zeros,
          .size = 8},
         "its header has no shape"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(0, 66)",
          .data = zeros,
          .size = 0},
         "(0, 66): no frames"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "()",
          .data = zeros,
          .size = 4},
         "no frames"},
        {{.name = "poses",
          .type = "'<f4'",
          .order = "False",
          .shape = "(2, 66)",
          .data = zeros,
          .size = 264,
          .version = 4},
         "is not an .npy file of version 1 to 3"},
        {{.name = "trans",
          .type = "'<f4'",
          .order = "False",
          .shape = "(2, 3)",
          .data = nan_row,
          .size = 24},
         "array 'trans': number 0 is nan (at most 1000000)"},
        {{.name = "trans",
          .type = "'<f4'",
          .order = "False",
          .shape = "(1, 3)",
          .data = zeros,
          .size = 12},
         "array 'trans' has 1 frames, others have 2"},
        {{.name = "trans",
          .type = "'<f4'",
          .order = "False",
          .shape = "(2, 2)",
          .data = zeros,
          .size = 16},
         "array 'trans' has the shape (2, 2); expected (2, 3)"},
        {{.name = "mocap_framerate",
          .type = "'<f4'",
          .order = "False",
          .shape = "()",
          .data = zeros,
          .size = 4},
         "0 frames a second are out of range (1..1000)"},
        {{.name = "gender",
          .type = "'|O'",
          .order = "False",
          .shape = "()",
          .data = zeros,
          .size = 4},
         NULL}, /* it is not needed */
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap m;
        DiagLog log;
        const bool good =
            load(&m, npz_fixture_amass(&rows[i].array, arena), SMPL_UP_Z, arena, &log);
        if (good != !rows[i].message || (rows[i].message && !strstr(log.text, rows[i].message)))
            fail_msg("row %zu: %s", i, log.text);
        arena_destroy(arena);
    }
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    const NpzFixtureArray root = {.name = "root_orient",
                                  .type = "'<f4'",
                                  .order = "False",
                                  .shape = "(1, 3)",
                                  .data = zeros,
                                  .size = 12};
    const NpzFixtureArray flat[] = {{.name = "root_orient",
                                     .type = "'<f4'",
                                     .order = "False",
                                     .shape = "(1, 9)",
                                     .data = zeros,
                                     .size = 36},
                                    {.name = "pose_body",
                                     .type = "'<f4'",
                                     .order = "False",
                                     .shape = "(1, 63)",
                                     .data = zeros,
                                     .size = 252}};
    assert_false(load(&m, npz_fixture(NULL, 0, arena), SMPL_UP_Z, arena, &log));
    assert_non_null(strstr(log.text, "no motion of SMPL"));
    assert_false(load(&m, npz_fixture(&root, 1, arena), SMPL_UP_Z, arena, &log));
    assert_non_null(strstr(log.text, "neither 'pose_body' nor 'body_pose'"));
    assert_false(load(&m, npz_fixture(flat, 2, arena), SMPL_UP_Z, arena, &log));
    assert_non_null(
        strstr(log.text, "array 'root_orient': frame 0: the matrix of joint 0 is no rotation"));
    arena_destroy(arena);
}

/* Every prefix is an error or the same motion, and nothing is read past its end (asan). */
static void test_truncated(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes whole = npz_fixture_amass(NULL, arena);
    for (size_t size = 0; size < whole.size; size += size < 400 ? 1 : 7) {
        Mocap m;
        DiagLog log;
        const bool good =
            load(&m, (Bytes){arena_copy(arena, whole.data, size), size}, SMPL_UP_Z, arena, &log);
        assert_true(good == !log.diag.errors);
    }
    arena_destroy(arena);
}

int main(void)
{
    if (!archive_is_supported())
        return 0;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_amass),    cmocka_unit_test(test_video),
        cmocka_unit_test(test_layouts),  cmocka_unit_test(test_persons),
        cmocka_unit_test(test_arrays),   cmocka_unit_test(test_errors),
        cmocka_unit_test(test_truncated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
