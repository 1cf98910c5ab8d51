// SPDX-License-Identifier: MIT
/* mocap: all formats as one skeleton, and its poses between frames */

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "fbx_fixture.h"
#include "format/motion/gltf_motion.h"
#include "mocap_fixture.h"
#include "scene/mocap/mocap.h"
#include "scene/mocap/retarget.h"
#include "unit_test.h"
#include "vrma_fixture.h"

#define DEGREES (M_PI / 180)

static const char bvh[] = "HIERARCHY\nROOT Hips\n{\nOFFSET 1 2 3\nCHANNELS 6 Xposition Yposition "
                          "Zposition Zrotation Xrotation Yrotation\nJOINT Leg\n{\nOFFSET 0 -4 5\n"
                          "CHANNELS 3 Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 6 0 7\n}\n"
                          "}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n"
                          "0 10 0 0 0 0 0 0 0\n2 10 4 90 0 0 0 0 0\n2 12 4 90 0 0 0 60 0\n";

static void expect_vector(Vec3 got, double x, double y, double z)
{
    if (vec3_length(vec3_sub(got, (Vec3){x, y, z})) > 1e-5)
        fail_msg("%g %g %g instead of %g %g %g", got.x, got.y, got.z, x, y, z);
}

static void expect_rotation(Quat got, double x, double y, double z, double degrees)
{
    const Quat wanted = quat_from_axis_angle((Vec3){x, y, z}, degrees * DEGREES);
    if (fabs(quat_dot(got, wanted)) < 1 - 1e-9)
        fail_msg("%g %g %g %g", got.x, got.y, got.z, got.w);
}

static Bytes bytes_of(const char *text)
{
    return (Bytes){(const uint8_t *)text, strlen(text)};
}

static void load(Mocap *mocap, Bytes bytes, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    if (!mocap_load(mocap, bytes, &(MocapOptions){0}, arena, &log.diag))
        fail_msg("%s", log.text);
}

/* The root is at 0 at rest; offsets add up. */
static void test_rest(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    load(&m, bytes_of(bvh), arena);
    assert_int_equal(m.joint_count, 3);
    assert_string_equal(m.joints[1].name, "Leg");
    assert_string_equal(m.joints[2].name, "");
    assert_int_equal(m.joints[0].parent, -1);
    assert_int_equal(m.joints[2].parent, 1);
    expect_vector(m.joints[0].rest, 0, 0, 0);
    expect_vector(m.joints[1].rest, 0, -4, 5);
    expect_vector(m.joints[2].rest, 6, -4, 12);
    expect_rotation(m.joints[2].rest_rotation, 1, 0, 0, 0);
    assert_true(m.fps == 2 && m.duration_s == 1);
    assert_int_equal(m.kind, FILE_BVH);
    arena_destroy(arena);
}

/* Positions between frames are linear, rotations at constant speed; after the last frame it stays.
 */
static void test_times(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    Vec3 at[3];
    Quat turned[3];
    load(&m, bytes_of(bvh), arena);
    mocap_pose(at, turned, &m, 0);
    expect_vector(at[0], 0, 10, 0); /* channels replace the offset */
    expect_vector(at[1], 0, 6, 5);
    expect_vector(at[2], 6, 6, 12);
    mocap_pose(at, turned, &m, 0.125); /* a quarter of the first span */
    expect_vector(at[0], 0.5, 10, 1);
    expect_rotation(turned[0], 0, 0, 1, 22.5);
    mocap_pose(at, turned, &m, 0.5);
    expect_vector(at[0], 2, 10, 4);
    expect_vector(at[1], 6, 10, 9);
    expect_vector(at[2], 6, 16, 16);
    mocap_pose(at, turned, &m, 0.75);
    expect_vector(at[0], 2, 11, 4);
    expect_rotation(turned[0], 0, 0, 1, 90);
    /* 30 degrees about the axis x of the root, which points to y */
    expect_rotation(quat_mul(turned[1], quat_inverse(turned[0])), 0, 1, 0, 30);
    for (int i = 0; i < 3; i++) {
        mocap_pose(at, turned, &m, 1 + i);
        expect_vector(at[0], 2, 12, 4);
        expect_rotation(quat_mul(turned[1], quat_inverse(turned[0])), 0, 1, 0, 60);
    }
    arena_destroy(arena);
}

/* The fixture: a root that is turned by 90 degrees about y, the hips and a leg. */
static void test_vrma(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    load(&m, vrma_fixture(NULL, NULL, arena), arena);
    assert_int_equal(m.kind, FILE_VRMA);
    assert_int_equal(m.joint_count, 3);
    assert_string_equal(m.joints[0].name, "");
    assert_string_equal(m.joints[1].name, "hips");
    assert_true(m.duration_s == 2 && m.fps == 0);
    expect_rotation(m.joints[0].rest_rotation, 0, 1, 0, 90);
    expect_vector(m.joints[1].rest, 0, 2, 0);
    expect_vector(m.joints[2].rest, 0, 0, -1);
    expect_rotation(m.joints[2].rest_rotation, 0, 1, 0, 90);
    arena_destroy(arena);
}

/* ---- any motion ---- */

static void test_any_motion(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    VmdMotion motion;
    const MocapOptions fk = {.legs = MOCAP_LEGS_FK};
    DiagLog log;
    bool converted;
    diag_log_init(&log);
    assert_false(
        retarget_any_motion(&motion, &converted, bytes_of(bvh), &fk, NULL, arena, &log.diag));
    assert_true(converted && strstr(log.text, "it has no camera and no light"));
    const unsigned errors = (unsigned)log.diag.errors;
    assert_false(
        retarget_any_motion(&motion, &converted, bytes_of(bvh), &fk, NULL, arena, &log.diag));
    assert_int_equal(log.diag.errors, errors); /* a model that failed to load was reported */
    PmxModel model;
    bones_create_standard(&model, arena);
    diag_log_init(&log);
    assert_false(
        retarget_any_motion(&motion, &converted, bytes_of(bvh), &fk, &model, arena, &log.diag));
    assert_true(converted && strstr(log.text, "no joint is known as the left leg"));
    diag_log_init(&log);
    assert_false(retarget_any_motion(&motion, &converted, bytes_of("nothing"), &fk, &model, arena,
                                     &log.diag));
    assert_false(converted);
    arena_destroy(arena);
}

/* FBX gives its own rest pose, positions and rotations; no other format has takes. */
static void test_fbx(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    Vec3 positions[2];
    Quat rotations[2];
    load(&m, fbx_fixture(false, 7500, true, arena), arena);
    assert_int_equal(m.kind, FILE_FBX);
    assert_true(m.fps == 30 && m.duration_s == 1 && m.meshes == 1);
    assert_string_equal(m.takes[m.take], "Walk");
    expect_vector(m.joints[1].rest, 1, 7, 0);
    mocap_pose(positions, rotations, &m, 0.5);
    expect_vector(positions[1], 3, 8, 0);
    diag_log_init(&log);
    assert_false(mocap_load(&m, bytes_of(bvh), &(MocapOptions){.take = "Walk"}, arena, &log.diag));
    assert_non_null(strstr(log.text, "the file has no takes: take 'Walk' is for .fbx and .glb"));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rest), cmocka_unit_test(test_times),
        cmocka_unit_test(test_vrma), cmocka_unit_test(test_any_motion),
        cmocka_unit_test(test_fbx),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
