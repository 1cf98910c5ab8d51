// SPDX-License-Identifier: MIT
/* gltf_motion: the fixture, by hand; interpolation as glTF 2.0 defines it; damaged files */

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "format/motion/gltf_motion.h"
#include "gltf_fixture.h"
#include "unit_test.h"
#include "vrma_fixture.h"

static bool load(Mocap *motion, const char *from, const char *to, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    return gltf_motion_load(motion, vrma_fixture(from, to, arena), NULL, &(SideFiles){0}, arena,
                            &log->diag);
}

static void expect_position(const Mocap *m, uint32_t node, double time, Vec3 wanted)
{
    Vec3 at;
    Quat turned;
    mocap_local(&at, &turned, m, time, node);
    if (fabs(at.x - wanted.x) > 1e-6 || fabs(at.y - wanted.y) > 1e-6 ||
        fabs(at.z - wanted.z) > 1e-6)
        fail_msg("node %u at %g s: %g %g %g", node, time, at.x, at.y, at.z);
}

static double angle_about_x(const Mocap *m, uint32_t node, double time)
{
    Vec3 at;
    Quat q;
    mocap_local(&at, &q, m, time, node);
    return 2 * atan2(q.x, q.w) * 180 / M_PI;
}

static void test_load(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    if (!load(&m, NULL, NULL, arena, &log))
        fail_msg("%s", log.text);
    assert_int_equal(m.joint_count, 3); /* not "other" */
    assert_string_equal(m.joints[0].name, "");
    assert_string_equal(m.joints[1].name, "hips");
    assert_string_equal(m.joints[2].name, "leftUpperLeg");
    assert_int_equal(m.joints[0].parent, -1);
    assert_int_equal(m.joints[1].parent, 0);
    assert_int_equal(m.joints[2].parent, 1);
    assert_true(m.duration_s == 2);
    assert_true(fabs(m.joints[0].rest_rotation.y - sqrt(0.5)) < 1e-6);
    arena_destroy(arena);
}

/* Translations are scaled by the ancestors, the root itself by none. */
static void test_linear(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
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
    Mocap m;
    DiagLog log;
    assert_true(load(&m, "\"LINEAR\"", "\"STEP\"", arena, &log));
    assert_true(fabs(angle_about_x(&m, 2, 1.99)) < 1e-4);
    assert_true(fabs(angle_about_x(&m, 2, 2) - 90) < 1e-4);
    arena_destroy(arena);
}

/* A matrix has the same effect as translation, rotation and scale. */
static void test_matrix(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    assert_true(load(&m, "\"scale\":[2,2,2],\"rotation\":[0,0.70710678,0,0.70710678]",
                     "\"matrix\":[0,0,-2,0,0,2,0,0,2,0,0,0,7,8,9,1]", arena, &log));
    assert_true(fabs(m.joints[0].rest_rotation.y - sqrt(0.5)) < 1e-6);
    assert_true(fabs(m.joints[0].rest_rotation.w - sqrt(0.5)) < 1e-6);
    expect_position(&m, 1, 0.25, (Vec3){2, 2, 0});
    expect_position(&m, 0, 0, (Vec3){7, 8, 9});
    arena_destroy(arena);
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *from, *to, *message;
    } rows[] = {
        {"VRMC_vrm_animation", "X", "animation sampler 9 does not exist"},
        {"\"path\":\"translation\"", "\"path\":\"weights\"", NULL},
        {"\"animations\"", "\"X\"", "the file has no take"},
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
        Mocap m;
        DiagLog log;
        if (load(&m, rows[i].from, rows[i].to, arena, &log) != !rows[i].message ||
            (rows[i].message && !strstr(log.text, rows[i].message)))
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
        Mocap m;
        DiagLog log;
        diag_log_init(&log);
        assert_false(gltf_motion_load(&m, (Bytes){arena_copy(arena, whole.data, size), size}, NULL,
                                      &(SideFiles){0}, arena, &log.diag));
        assert_true(log.diag.errors > 0);
    }
    arena_destroy(arena);
}

/* ---- scenes and avatars ---- */

/* A scene whose names are in single quotes.  Its data are two times, two rotations, of which the
 * second is by 90 degrees about x, and two inverse bind matrices, by columns: of a joint at (0, 0,
 * 10) that is turned by 90 degrees about x, and of one at (1, 0, 10) that is not turned. */
static bool load_scene(Mocap *motion, const char *take, const char *members, Arena *arena,
                       DiagLog *log)
{
    static const float values[] = {
        0, 2, 0, 0, 0, 1, 0.70710678f, 0, 0, 0.70710678f,                        /**/
        1, 0, 0, 0, 0, 0, -1,          0, 0, 1,           0, 0, 0,  -10, 0,   1, /**/
        1, 0, 0, 0, 0, 1, 0,           0, 0, 0,           1, 0, -1, 0,   -10, 1};
    char *text = arena_printf(
        arena,
        "{'asset':{'version':'2.0'},'buffers':[{'byteLength':168}],"
        "'bufferViews':[{'buffer':0,'byteLength':8},{'buffer':0,'byteOffset':8,'byteLength':32},"
        "{'buffer':0,'byteOffset':40,'byteLength':128}],'accessors':["
        "{'bufferView':0,'componentType':5126,'count':2,'type':'SCALAR'},"
        "{'bufferView':1,'componentType':5126,'count':2,'type':'VEC4'},"
        "{'bufferView':2,'componentType':5126,'count':2,'type':'MAT4'},"
        "{'bufferView':2,'componentType':5126,'count':6,'type':'VEC3'}],%s}",
        members);
    for (char *at = text; *at; at++)
        if (*at == '\'')
            *at = '"';
    diag_log_init(log);
    const Bytes data = {(const uint8_t *)values, sizeof values};
    return gltf_motion_load(motion, gltf_fixture_pack(text, data, arena), take, &(SideFiles){0},
                            arena, &log->diag);
}

#define TAKE(name, node)                                                                           \
    "{" name "'samplers':[{'input':0,'output':1}],'channels':[{'sampler':0,'target':{'node':" node \
    ",'path':'rotation'}}]}"

static void test_takes(void **state)
{
    (void)state;
    static const char scene[] =
        "'nodes':[{'name':'Hips','children':[1]},{'name':'Head','mesh':0}],'animations':[" TAKE(
            "'name':'Sun',", "7") "," TAKE("", "0") "," TAKE("'name':'Walk',", "1") "]";
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    assert_true(load_scene(&m, NULL, scene, arena, &log));
    assert_int_equal(m.take_count, 3);
    assert_int_equal(m.take, 1); /* the first that moves a node */
    assert_string_equal(m.takes[1], "animation 2");
    assert_string_equal(m.joints[0].name, "Hips");
    assert_string_equal(m.joints[1].name, ""); /* a mesh is no joint */
    assert_true(fabs(angle_about_x(&m, 0, 1) - 45) < 1e-4);
    assert_true(load_scene(&m, "Walk", scene, arena, &log));
    assert_int_equal(m.take, 2);
    assert_true(fabs(angle_about_x(&m, 0, 1)) < 1e-4);
    assert_true(fabs(angle_about_x(&m, 1, 1) - 45) < 1e-4);
    assert_false(load_scene(&m, "Sun", scene, arena, &log));
    assert_non_null(strstr(log.text, "no curve of take 'Sun' moves a joint"));
    assert_false(load_scene(&m, "Wlak", scene, arena, &log));
    assert_non_null(strstr(log.text, "no take 'Wlak'; did you mean 'Walk'?"));
    assert_false(load_scene(&m, NULL, "'nodes':[{}]", arena, &log));
    assert_non_null(strstr(log.text, "the file has no take"));
    arena_destroy(arena);
}

/* The first numbers of the matrices as in-tangent, value and out-tangent of two keys at 0 and 2 s:
 * values (0, 0, 0) and (0, -10, 0), tangents of x -1 and 1 between them.  By hand: p(1/2) = (p0 +
 * p1) / 2 + span (m0 - m1) / 8. */
static void test_cubic(void **state)
{
    (void)state;
    static const char scene[] =
        "'nodes':[{}],'animations':[{'samplers':[{'input':0,'output':3,'interpolation':"
        "'CUBICSPLINE'}],'channels':[{'sampler':0,'target':{'node':0,'path':'translation'}}]}]";
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    if (!load_scene(&m, NULL, scene, arena, &log))
        fail_msg("%s", log.text);
    expect_position(&m, 0, 0, (Vec3){0, 0, 0});
    expect_position(&m, 0, 1, (Vec3){-0.5, -5, 0});
    expect_position(&m, 0, 2, (Vec3){0, -10, 0});
    arena_destroy(arena);
}

/* The nodes are in a pose, turned by 20 degrees about x below a root of scale 2; the bind pose is
 * that of the skin, with the scale and the place of the nodes, by right angles.  By hand: the bind
 * pose of the first joint is turned by 90 degrees, its node by 20: from one to the other it is -70,
 * next to -90, so its rest pose is not turned; (1, 0, 0) from it, twice as far, is the second. */
static void test_bind_pose(void **state)
{
    (void)state;
    static const char scene[] =
        "'nodes':[{'name':'root','scale':[2,2,2],'children':[1]},"
        "{'name':'Hips','translation':[0,3,0],'rotation':[0.17364818,0,0,0.98480775],"
        "'children':[2]},{'name':'Spine','translation':[0,9,0],'children':[3]},"
        "{'name':'end','translation':[0,1,0]}],"
        "'skins':[{'joints':[1,2],'inverseBindMatrices':2}],'animations':[" TAKE("", "1") "]";
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    if (!load_scene(&m, NULL, scene, arena, &log))
        fail_msg("%s", log.text);
    static const struct {
        Vec3 at;
        double angle; /* about x */
    } wanted[] = {{{0, 0, 0}, 0}, {{0, 6, 0}, 0}, {{2, 6, 0}, -90}, {{2, 6, -2}, -90}};
    for (uint32_t i = 0; i < 4; i++) {
        const Vec3 off = vec3_sub(m.joints[i].rest, wanted[i].at);
        const Quat q = m.joints[i].rest_rotation;
        const double angle = 2 * atan2(q.x, q.w) * 180 / M_PI;
        if (vec3_length(off) > 1e-5 || fabs(remainder(angle - wanted[i].angle, 360)) > 1e-4)
            fail_msg("node %u: %g %g %g, %g degrees", i, m.joints[i].rest.x, m.joints[i].rest.y,
                     m.joints[i].rest.z, angle);
    }
    arena_destroy(arena);
}

/* Bones of both versions of VRM; thumbs of 0.x have other names. */
static void test_avatars(void **state)
{
    (void)state;
    static const char nodes[] =
        "'nodes':[{'name':'a','children':[1]},{'name':'b'},{'name':'c'}],'animations':[" TAKE(
            "", "1") "],'extensions':";
    static const char *const rows[] = {"{'VRMC_vrm':{'humanoid':{'humanBones':{'hips':{'node':0},"
                                       "'leftThumbMetacarpal':{'node':1}}}}}",
                                       "{'VRM':{'humanoid':{'humanBones':[{'bone':'hips','node':0},"
                                       "{'bone':'leftThumbProximal','node':1}]}}}"};
    for (size_t i = 0; i < 2; i++) {
        Arena *arena = arena_create();
        Mocap m;
        DiagLog log;
        if (!load_scene(&m, NULL, arena_printf(arena, "%s%s", nodes, rows[i]), arena, &log))
            fail_msg("%s", log.text);
        assert_int_equal(m.joint_count, 2);
        assert_string_equal(m.joints[0].name, "hips");
        assert_string_equal(m.joints[1].name, "leftThumbMetacarpal");
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_load),      cmocka_unit_test(test_linear),
        cmocka_unit_test(test_step),      cmocka_unit_test(test_cubic),
        cmocka_unit_test(test_matrix),    cmocka_unit_test(test_errors),
        cmocka_unit_test(test_truncated), cmocka_unit_test(test_takes),
        cmocka_unit_test(test_bind_pose), cmocka_unit_test(test_avatars)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
