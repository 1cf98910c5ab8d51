// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <string.h>

#include "diag_log.h"
#include "fbx_fixture.h"
#include "format/motion/fbx.h"
#include "unit_test.h"

static bool load(Mocap *motion, Bytes bytes, const char *take, Arena *arena, DiagLog *log)
{
    diag_log_init(log);
    diag_file(&log->diag, "f");
    return fbx_load(motion, bytes, take, arena, &log->diag);
}

static Bytes bytes_of(const char *text)
{
    return (Bytes){(const uint8_t *)text, strlen(text)};
}

static void load_text(Mocap *motion, const char *text, Arena *arena)
{
    DiagLog log;
    if (!load(motion, bytes_of(text), NULL, arena, &log))
        fail_msg("%s\n%s", log.text, text);
}

static void expect(Vec3 v, double x, double y, double z)
{
    if (!(fabs(v.x - x) < 1e-5 && fabs(v.y - y) < 1e-5 && fabs(v.z - z) < 1e-5))
        fail_msg("%g %g %g instead of %g %g %g", v.x, v.y, v.z, x, y, z);
}

static Vec3 position_of(const Mocap *motion, double time_s, uint32_t joint)
{
    Vec3 position;
    Quat rotation;
    mocap_local(&position, &rotation, motion, time_s, joint);
    return position;
}

/* Where the rotation of a joint takes an axis. */
static Vec3 turned(const Mocap *motion, double time_s, uint32_t joint, double x, double y, double z)
{
    Vec3 position;
    Quat rotation;
    mocap_local(&position, &rotation, motion, time_s, joint);
    return quat_rotate(rotation, (Vec3){x, y, z});
}

/* The same from a text, from a binary file with short and long sizes, and from zipped arrays. */
static void test_forms(void **state)
{
    (void)state;
    static const struct {
        bool is_text;
        unsigned version;
        bool zipped;
    } rows[] = {{true, 7100, false}, {true, 7700, false},  {false, 7100, false},
                {false, 7400, true}, {false, 7500, false}, {false, 7700, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap m;
        DiagLog log;
        const Bytes file = fbx_fixture(rows[i].is_text, rows[i].version, rows[i].zipped, arena);
        if (!load(&m, file, NULL, arena, &log))
            fail_msg("row %zu: %s", i, log.text);
        assert_int_equal(m.joint_count, 2);
        assert_int_equal(m.meshes, 1);
        assert_int_equal(m.take_count, 2);
        assert_string_equal(m.takes[0], "Still");
        assert_string_equal(m.takes[m.take], "Walk");
        assert_string_equal(m.joints[0].name, "Hips");
        assert_string_equal(m.joints[1].name, "LeftUpLeg");
        assert_int_equal(m.joints[1].parent, 0);
        assert_true(m.duration_s == 1 && m.fps == 30);
        /* the bind pose moves what is below it, too */
        expect(m.joints[0].rest, 0, 9, 0);
        expect(m.joints[1].rest, 1, 7, 0);
        /* 3 t^2 - 2 t^3 of 4; half of 90 degrees about z, then 90 about x: x goes to z */
        expect(position_of(&m, 0, 0), 0, 10, 0);
        expect(position_of(&m, 0.25, 0), 0.625, 10, 0);
        expect(position_of(&m, 0.5, 0), 2, 10, 0);
        expect(position_of(&m, 2, 0), 4, 10, 0);
        expect(position_of(&m, 0.5, 1), 1, -2, 0);
        expect(turned(&m, 0.5, 1, 1, 0, 0), sqrt(0.5), 0, sqrt(0.5));
        expect(turned(&m, 1, 1, 1, 0, 0), 0, 0, 1);
        arena_destroy(arena);
    }
}

#define HEAD "; FBX\nFBXHeaderExtension: { FBXVersion: 7400 }\n"
#define ANIMATION                                                                               \
    "AnimationStack: 10, \"AnimStack::Take\", \"\" { }\nAnimationLayer: 11, \"AnimLayer::a\", " \
    "\"\" { }\n"
/* Joint 1 turns about x by 90 degrees from the start. */
#define TURNS                                                                                  \
    "AnimationCurveNode: 12, \"AnimCurveNode::R\", \"\" { }\n"                                 \
    "AnimationCurve: 13, \"AnimCurve::\", \"\" { KeyTime: *1 { a: 0 } KeyValueFloat: *1 { a: " \
    "90 } }\n"
#define LINKS                                                                                \
    "Connections: { C: \"OO\",11,10\nC: \"OO\",12,11\nC: \"OP\",12,1, \"Lcl Rotation\"\nC: " \
    "\"OP\",13,12, \"d|X\"\n"
#define P(name, values) "P: \"" name "\", \"\", \"\", \"\"," values "\n"
#define FILE_WITH(properties)                                                            \
    HEAD "Objects: { Model: 1, \"Model::a\", \"LimbNode\" { Properties70: { " properties \
         " } }\n" ANIMATION TURNS "}\n" LINKS "}\n"

/* Each order of angles, of 90 degrees about each axis: XYZ turns about x first.  A quarter turn
 * about an axis takes the next axis to the one after it, and that to minus the next. */
static void test_orders(void **state)
{
    (void)state;
    static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0},
                                    {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 6; i++) {
        Arena *arena = arena_create();
        Mocap m;
        char text[2000];
        snprintf(text, sizeof text,
                 FILE_WITH(P("Lcl Rotation", "0,90,90") P("RotationOrder", "%d")), i);
        load_text(&m, text, arena);
        for (int axis = 0; axis < 3; axis++) {
            double v[3] = {axis == 0, axis == 1, axis == 2};
            for (int k = 0; k < 3; k++) {
                const int about = orders[i][k], a = (about + 1) % 3, b = (about + 2) % 3;
                const double old = v[a];
                v[a] = -v[b];
                v[b] = old;
            }
            expect(turned(&m, 0, 0, axis == 0, axis == 1, axis == 2), v[0], v[1], v[2]);
        }
        arena_destroy(arena);
    }
}

/* T * Roff * Rp * Rpre * R * Rpost^-1 * Rp^-1 * Soff * Sp * S * Sp^-1, with R 90 degrees about x:
 * a pivot p turns to Rp - R p, and so on. */
static void test_pivots(void **state)
{
    (void)state;
    static const struct {
        const char *properties;
        Vec3 position, y; /* of the joint; where its y points */
    } rows[] = {
        {P("Lcl Translation", "1,2,3"), {1, 2, 3}, {0, 0, 1}},
        {P("RotationOffset", "1,2,3"), {1, 2, 3}, {0, 0, 1}},
        {P("RotationPivot", "0,1,0"), {0, 1, -1}, {0, 0, 1}},
        {P("ScalingOffset", "0,1,0"), {0, 0, 1}, {0, 0, 1}},
        {P("ScalingPivot", "0,1,0"), {0, 0, 0}, {0, 0, 1}},
        {P("ScalingPivot", "0,1,0") P("Lcl Scaling", "1,3,1"), {0, 0, -2}, {0, 0, 1}},
        {P("PreRotation", "0,90,0"), {0, 0, 0}, {1, 0, 0}},
        {P("PostRotation", "0,0,90"), {0, 0, 0}, {1, 0, 0}},
        {P("PreRotation", "0,90,0") P("RotationActive", "0"), {0, 0, 0}, {0, 0, 1}},
        {P("PreRotation", "90,0,0"), {0, 0, 0}, {0, -1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap m;
        char text[2000];
        snprintf(text, sizeof text, FILE_WITH("%s"), rows[i].properties);
        load_text(&m, text, arena);
        const Vec3 p = rows[i].position, y = rows[i].y;
        expect(position_of(&m, 0, 0), p.x, p.y, p.z);
        expect(turned(&m, 0, 0, 0, 1, 0), y.x, y.y, y.z);
        arena_destroy(arena);
    }
}

/* Three keys at 0, 1 and 3 s with the values 0, 6 and 12; the value of x at a time. */
static void test_curves(void **state)
{
    (void)state;
    static const struct {
        const char *flags, *data, *uses;
        double time_s, value;
    } rows[] = {
        {"4", "0,0,0,0", "3", 0.5, 3},
        {"4", "0,0,0,0", "3", 2, 9},
        {"2", "0,0,0,0", "3", 0.99, 0},
        {"258", "0,0,0,0", "3", 0.01, 6},
        {"1032,4,4", "0,0,0,0,0,0,0,0,0,0,0,0", "1,1,1", 0.25, 6 * 0.15625},
        /* slopes of 6 at both ends are a line; of 12 and 0: (1-s)^2 s 3 * 4 + ... at 1/2 */
        {"1032,4,4", "1086324736,1086324736,0,0,0,0,0,0,0,0,0,0", "1,1,1", 0.25, 1.5},
        {"1032,4,4", "1094713344,0,0,0,0,0,0,0,0,0,0,0", "1,1,1", 0.5,
         0.375 * 4 + 0.375 * 6 + 0.75},
        /* automatic, independent of time: (12 - 0) / 3 at the middle key, 6 at the first one */
        {"8456", "0,0,0,0", "3", 0.5, 0.375 * 2 + 0.375 * (6 - 4.0 / 3) + 0.75},
        /* times of the first handle 0.6, of the second 0.6 (weights 6000 and 4000): x at 0.516 is
         * s = 1/2 */
        {"50332680,4,4", "0,0,262150000,0,0,0,0,0,0,0,0,0", "1,1,1", 0.575, 3},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap m;
        char text[3000];
        snprintf(text, sizeof text,
                 HEAD "Objects: { Model: 1, \"Model::a\", \"LimbNode\" { }\n" ANIMATION
                      "AnimationCurveNode: 12, \"\", \"\" { }\nAnimationCurve: 13, \"\", \"\" { "
                      "KeyTime: *3 { a: 0,46186158000,138558474000 } KeyValueFloat: *3 { a: 0,6,12 "
                      "} KeyAttrFlags: *3 { a: %s } KeyAttrDataFloat: *3 { a: %s } "
                      "KeyAttrRefCount: *3 { a: %s } } }\nConnections: { C: \"OO\",11,10\nC: "
                      "\"OO\",12,11\nC: \"OP\",12,1,\"Lcl Translation\"\nC: "
                      "\"OP\",13,12,\"d|X\"\n}\n",
                 rows[i].flags, rows[i].data, rows[i].uses);
        load_text(&m, text, arena);
        const double x = position_of(&m, rows[i].time_s, 0).x;
        if (fabs(x - rows[i].value) > 2e-5)
            fail_msg("row %zu: %g instead of %g", i, x, rows[i].value);
        arena_destroy(arena);
    }
}

/* A second layer turns the joint by 90 degrees about z and moves it by 8: added to the first, in
 * its place, mixed with it; half of it. */
static void test_layers(void **state)
{
    (void)state;
    static const struct {
        const char *properties;
        double moved;
        Vec3 y; /* where the first layer has (0, 0, 1), the second (-1, 0, 0) */
    } rows[] = {
        {"", 8, {-1, 0, 0}}, /* of the second rotation, the first one: y -> -x -> -x */
        {P("Weight", "0"), 0, {0, 0, 1}},
        {P("Mute", "1"), 0, {0, 0, 1}},
        {P("BlendMode", "1") P("Weight", "10"), 8, {-1, 0, 0}},
        {P("BlendMode", "2") P("Weight", "100"), 8, {-1, 0, 0}},
        {P("BlendMode", "2") P("Weight", "50"), 4, {-2 / 3.0, 1 / 3.0, 2 / 3.0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap m;
        char text[3000];
        snprintf(text, sizeof text,
                 HEAD "Objects: { Model: 1, \"Model::a\", \"LimbNode\" { }\n" ANIMATION TURNS
                      "AnimationLayer: 21, \"AnimLayer::b\", \"\" { Properties70: { %s } }\n"
                      "AnimationCurveNode: 22, \"\", \"\" { Properties70: { " P(
                          "d|Z", "90") "} }\nAnimationCurveNode: 23, \"\", \"\" { Properties70: "
                                       "{ " P("d|X", "8") "} } }\n" LINKS
                                                          "C: \"OO\",21,10\nC: \"OO\",22,21\nC: "
                                                          "\"OP\",22,1,\"Lcl Rotation\"\nC: "
                                                          "\"OO\",23,21\nC: \"OP\",23,1,\"Lcl "
                                                          "Translation\"\n}\n",
                 rows[i].properties);
        load_text(&m, text, arena);
        expect(position_of(&m, 0, 0), rows[i].moved, 0, 0);
        expect(turned(&m, 0, 0, 0, 1, 0), rows[i].y.x, rows[i].y.y, rows[i].y.z);
        arena_destroy(arena);
    }
}

static void test_errors(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } rows[] = {
        {"", "version 0 is not read"},
        {"; FBX\nFBXHeaderExtension: { FBXVersion: 6100 }\n", "FBX of version 6100 is not read"},
        {"; FBX\nObjects {\n", "2:8: expected the name of a record"},
        {"; FBX\n}\n", "2:1: expected the name of a record, not '}'"},
        {"; FBX\nObjects: {\n", "3:1: expected } at the end of a record"},
        {"; FBX\nObjects: \"a\n", "2:10: expected the name of a record"},
        {HEAD, "the file has no models"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"LimbNode\" { } }\n", "the file has no take"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"LimbNode\" { }\n" ANIMATION "}\n",
         "no curve of its takes moves a joint: there is no motion"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"Null\" { } Model: 2, \"Model::b\", \"Null\" { "
              "} }\nConnections: { C: \"OO\",1,2\nC: \"OO\",2,1\n}\n",
         "model 'a' is its own ancestor"},
        {FILE_WITH(P("Lcl Translation", "0,1e9,0")),
         "joint 0: Lcl Translation or RotationOffset exceeds 1000000"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"Null\" { }\n" ANIMATION
              "AnimationCurveNode: 12, \"\", \"\" { }\nAnimationCurve: 13, \"\", \"\" { KeyTime: "
              "*2 { a: 5,4 } KeyValueFloat: *2 { a: 1,2 } } }\n" LINKS "}\n",
         "curve 13: key 1: time"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"Null\" { }\n" ANIMATION
              "AnimationCurveNode: 12, \"\", \"\" { }\nAnimationCurve: 13, \"\", \"\" { KeyTime: "
              "*2 { a: 5,6 } KeyValueFloat: *2 { a: 1,nan } } }\n" LINKS "}\n",
         "curve 13: 'nan' is no number"},
        {HEAD "Objects: { Model: 1, \"Model::a\", \"Null\" { }\n" ANIMATION
              "AnimationCurveNode: 12, \"\", \"\" { }\nAnimationCurve: 13, \"\", \"\" { KeyTime: "
              "*2 { a: 5,6 } KeyValueFloat: *2 { a: 1 } } }\n" LINKS "}\n",
         "curve 13: a curve has 2 times and 1 values"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        Mocap motion;
        DiagLog log;
        if (load(&motion, bytes_of(rows[i].text), NULL, arena, &log) || log.diag.errors != 1 ||
            !strstr(log.text, rows[i].message))
            fail_msg("row %zu: %s", i, log.text);
        arena_destroy(arena);
    }
}

static void test_takes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes file = fbx_fixture(false, 7400, true, arena);
    Mocap m;
    DiagLog log;
    assert_true(load(&m, file, "Walk", arena, &log));
    assert_int_equal(m.take, 1);
    assert_false(load(&m, file, "Wlak", arena, &log));
    assert_non_null(strstr(log.text, "no take 'Wlak'; did you mean 'Walk'?"));
    assert_false(load(&m, file, "Still", arena, &log));
    assert_non_null(strstr(log.text, "no curve of take 'Still' moves a joint"));
    arena_destroy(arena);
}

/* Left-handed axes are mirrored. */
static void test_axes(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Mocap m;
    char text[2000];
    snprintf(text, sizeof text, "%s%s", FILE_WITH(P("Lcl Translation", "1,2,3")),
             "GlobalSettings: { Properties70: { " P("UpAxis", "1") P("FrontAxis", "2")
                 P("FrontAxisSign", "-1") P("CoordAxis", "0") P("TimeMode", "11") "} }\n");
    load_text(&m, text, arena);
    assert_true(m.fps == 24);
    expect(position_of(&m, 0, 0), -1, 2, 3);
    expect(turned(&m, 0, 0, 0, 1, 0), 0, 0, 1);
    arena_destroy(arena);
}

/* What a binary file says about sizes is checked before there is memory for it. */
static void test_bombs(void **state)
{
    (void)state;
    static const struct {
        uint32_t count, encoding;
        const char *message;
    } rows[] = {
        {0x7FFFFFFF, 1, "numbers is too large (at most"},
        {100000, 0, "numbers is too large (at most 2)"},
        {2, 7, "encoding 7 of an array is unknown"},
        {300, 1, "does not unpack to its"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const Bytes file = fbx_fixture(false, 7400, true, arena);
        uint8_t *data = arena_array(arena, uint8_t, file.size);
        memcpy(data, file.data, file.size);
        Mocap m;
        DiagLog log;
        size_t at = 0;
        while (memcmp(data + at, "KeyTimel", 8) != 0)
            at++;
        for (int k = 0; k < 4; k++) {
            data[at + 8 + (size_t)k] = (uint8_t)(rows[i].count >> (8 * k));
            data[at + 12 + (size_t)k] = (uint8_t)(rows[i].encoding >> (8 * k));
        }
        if (load(&m, (Bytes){data, file.size}, NULL, arena, &log) ||
            !strstr(log.text, rows[i].message))
            fail_msg("row %zu: %s", i, log.text);
        assert_int_equal(log.diag.errors, 1);
        arena_destroy(arena);
    }
}

static void test_big_endian(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Bytes file = fbx_fixture(false, 7400, true, arena);
    uint8_t *data = arena_copy(arena, file.data, file.size);
    Mocap m;
    DiagLog log;
    data[22] = 1;
    assert_false(load(&m, (Bytes){data, file.size}, NULL, arena, &log));
    assert_non_null(strstr(log.text, "a big-endian FBX file is not read"));
    arena_destroy(arena);
}

static void test_depth(void **state)
{
    (void)state;
    static char text[100000] = HEAD;
    for (int i = 0; i < 10000; i++)
        strcat(text + 9 * (size_t)i, "Model: { ");
    Arena *arena = arena_create();
    Mocap m;
    DiagLog log;
    assert_false(load(&m, bytes_of(text), NULL, arena, &log));
    assert_non_null(strstr(log.text, "records are nested more than 64 deep"));
    arena_destroy(arena);
}

/* Cut at each length, and each byte changed: loaded, or refused with one message. */
static void test_damage(void **state)
{
    (void)state;
    for (int form = 0; form < 3; form++) {
        Arena *arena = arena_create();
        const Bytes file = fbx_fixture(form == 0, 7400, form == 2, arena);
        uint8_t *data = arena_array(arena, uint8_t, file.size);
        memcpy(data, file.data, file.size);
        for (size_t i = 0; i < 2 * file.size; i++) {
            Arena *own = arena_create();
            Mocap m;
            DiagLog log;
            if (i < file.size)
                data[i] ^= 0x15;
            const Bytes bytes = {data, i < file.size ? file.size : i - file.size};
            if (!load(&m, bytes, NULL, own, &log))
                assert_int_equal(log.diag.errors, 1);
            if (i < file.size)
                data[i] ^= 0x15;
            arena_destroy(own);
        }
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms),  cmocka_unit_test(test_orders),
        cmocka_unit_test(test_pivots), cmocka_unit_test(test_curves),
        cmocka_unit_test(test_layers), cmocka_unit_test(test_errors),
        cmocka_unit_test(test_takes),  cmocka_unit_test(test_axes),
        cmocka_unit_test(test_bombs),  cmocka_unit_test(test_depth),
        cmocka_unit_test(test_damage), cmocka_unit_test(test_big_endian),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
