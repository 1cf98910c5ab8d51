// SPDX-License-Identifier: MIT
/* mocap: all formats as one skeleton, and its poses between frames */

#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "diag_log.h"
#include "fbx_fixture.h"
#include "format/motion/gltf_motion.h"
#include "mocap_fixture.h"
#include "scene/asset_files.h"
#include "scene/mocap/mocap.h"
#include "scene/mocap/retarget.h"
#include "scratch.h"
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

/* ---- a .gltf and its buffer ---- */

/* Writes "a/dance.gltf", the fixture with another file as its buffer; its path. */
static const char *save_gltf(Scratch *scratch, const char *uri, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    const Bytes glb = vrma_fixture(
        "\"byteLength\":88", arena_printf(arena, "\"byteLength\":88,\"uri\":\"%s\"", uri), arena);
    const char *path = arena_strdup(arena, scratch_path(scratch, "a/dance.gltf"));
    assert_true(file_save(path, glb.data + 20, glb.size - 88 - 8 - 20, &log.diag));
    return path;
}

static void save_buffer(Scratch *scratch, const char *name, size_t size, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    const Bytes glb = vrma_fixture(NULL, NULL, arena);
    assert_true(file_save(scratch_path(scratch, name), glb.data + glb.size - 88, size, &log.diag));
}

static bool load_gltf(Mocap *mocap, AssetFiles *files, const char *path, Arena *arena, DiagLog *log)
{
    Bytes bytes;
    diag_log_init(log);
    return file_load(&bytes, path, FILE_MAX_SIZE, arena, &log->diag) &&
           mocap_load(mocap, bytes, &(MocapOptions){.side = asset_files_search(files, path, arena)},
                      arena, &log->diag);
}

/* By hand, at 1 s: the hips at (4, 1, 0), twice as large and turned by 90 degrees about y. */
static void test_separate(void **state)
{
    (void)state;
    static const struct {
        const char *uri, *message;
    } rows[] = {
        {"none.bin", "its file 'none.bin' is missing below its directory"},
        {"", "its file '' is missing below its directory"},
        {"../up.bin", "its file '../up.bin' is missing below its directory"},
        {"%2E%2E%2Fup.bin", "its file '../up.bin' is missing below its directory"},
        {"file:///etc/passwd", "'file:///etc/passwd' is missing"},
        {"https://host/none.bin", "'https://host/none.bin' is missing"},
        {"link.bin", "its file 'link.bin' is missing below its directory"},
        {"below", "its file 'below' is missing below its directory"},
        {"pipe.bin", "its file 'pipe.bin' is missing below its directory"},
        {"short.bin", "byteLength 88 is more than its data (0..87 bytes)"},
        {"empty.bin", "byteLength 88 is more than its data (0..0 bytes)"},
        {"huge.bin", "file of 2147483648 bytes is too large (0..1073741824)"},
    };
    Arena *arena = arena_create();
    Scratch scratch;
    Mocap m;
    DiagLog log;
    AssetFiles files = {0};
    Vec3 at[3];
    Quat turned[3];
    scratch_make(&scratch);
    assert_int_equal(mkdir(scratch_path(&scratch, "a"), 0777), 0);
    assert_int_equal(mkdir(scratch_path(&scratch, "a/below"), 0777), 0);
    assert_int_equal(mkfifo(scratch_path(&scratch, "a/pipe.bin"), 0666), 0);
    assert_int_equal(symlink("../up.bin", scratch_path(&scratch, "a/link.bin")), 0);
    save_buffer(&scratch, "up.bin", 88, arena);
    save_buffer(&scratch, "a/踊り 1.bin", 88, arena);
    save_buffer(&scratch, "a/short.bin", 87, arena);
    save_buffer(&scratch, "a/empty.bin", 0, arena);
    save_buffer(&scratch, "a/huge.bin", 88, arena);
    assert_int_equal(truncate(scratch_path(&scratch, "a/huge.bin"), (off_t)1 << 31), 0);
    const char *path = save_gltf(&scratch, "%E8%B8%8A%e3%82%8a%201.bin", arena);
    if (!load_gltf(&m, &files, path, arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(m.kind, FILE_VRMA);
    mocap_pose(at, turned, &m, 1);
    expect_vector(at[1], 0, 2, -8);
    assert_int_equal(files.paths.count, 1);
    assert_string_equal(files.paths.items[0], scratch_path(&scratch, "a/踊り 1.bin"));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        path = save_gltf(&scratch, rows[i].uri, arena);
        const bool good = load_gltf(&m, &files, path, arena, &log);
        if (good || log.diag.errors != 1 || !strstr(log.text, rows[i].message))
            fail_msg("%s: %s", rows[i].uri, log.text);
        assert_string_equal(log.diag.item, "buffer");
    }
    scratch_remove(&scratch);
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
        cmocka_unit_test(test_fbx),  cmocka_unit_test(test_separate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
