// SPDX-License-Identifier: MIT
#include <string.h>

#include "asset_check.h"
#include "base/text.h"
#include "diag_log.h"
#include "format/motion/motion_file.h"
#include "format/motion/vpd.h"
#include "shared_data.h"
#include "unit_test.h"

#define HEAD "Vocaloid Pose Data file\r\n\r\nmiku.osm;\t\t// parent\r\n"

static const char pose[] = HEAD "2;\t// count\r\n\r\n"
                                "Bone0{\x89\x45\x90\x65\x8e\x77\x82\x50\r\n" /* 右親指１ */
                                "  1.000000,-2.5,0.125;\t\t// trans\r\n"
                                "  0.000000,3.000000,0.000000,4.000000;\t// quaternion\r\n"
                                "}\r\n\r\n"
                                "Bone1{head\r\n  0,0,0;\r\n  0,0,0,0;\r\n}\r\n";

static Bytes bytes_of(const char *text)
{
    return (Bytes){(const uint8_t *)text, strlen(text)};
}

static void test_a_pose_has_one_key_per_bone(void **state)
{
    (void)state;
    static const float none[4] = {0, 0, 0, 1}, offset[3] = {1, -2.5f, 0.125f};
    static const Curve linear = CURVE_LINEAR;
    Arena *arena = arena_create();
    DiagLog log;
    VmdMotion m;
    diag_log_init(&log);

    assert_true(vpd_load(&m, bytes_of(pose), arena, &log.diag));
    assert_true(vmd_check(&m, &log.diag));
    assert_string_equal(log.text, "");
    assert_true(m.is_pose);
    assert_string_equal(m.model_name, "miku.osm");
    assert_int_equal(m.bone_key_count, 2);
    assert_string_equal(vmd_name_to_utf8(&m.bone_keys[0].name, arena), "右親指１");
    assert_int_equal(m.bone_keys[0].frame, 0);
    assert_memory_equal(m.bone_keys[0].translation, offset, sizeof offset);
    assert_float_equal(m.bone_keys[0].rotation[1], 0.6f, 1e-7f); /* (3, 4) has length 5 */
    assert_float_equal(m.bone_keys[0].rotation[3], 0.8f, 1e-7f);
    assert_memory_equal(&m.bone_keys[0].curves[3], &linear, sizeof linear);
    assert_memory_equal(m.bone_keys[1].rotation, none, sizeof none);
    arena_destroy(arena);
}

static void test_lenient_and_strict(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        int bones, morphs; /* -1: refused */
        const char *expected;
    } rows[] = {
        {"no white space", "Vocaloid Pose Data file\nm.osm;1;Bone0{a\n1,2,3;0,0,0,1;}", 1, 0, ""},
        {"blanks everywhere", HEAD " 1 ;\n Bone 0 {  a  \n 1 , 2\n,3 ; 0,0, 0,1 ; } \n", 1, 0, ""},
        {"empty pose", HEAD "0;", 0, 0, ""},
        {"wrong count", HEAD "5;\nBone0{a\n1,2,3;\n0,0,0,1;\n}", 1, 0,
         "warning: a.vpd: number of bones is 5, but the file has 1\n"},
        {"a morph of MikuMikuMoving", HEAD "0;\nMorph0{smile\n  0.5;\n}\n", 0, 1, ""},
        {"UTF-8 and a BOM", "\xef\xbb\xbf" HEAD "1;\nBone0{頭\n1,2,3;\n0,0,0,1;\n}", 1, 0, ""},
        {"truncated in a block", HEAD "1;\nBone0{a\n1,2,3;\n0,0", 0, 0,
         "a.vpd:7:4: file ends inside this block; the block is ignored\n"},
        {"not a number", HEAD "1;\nBone0{a\n1,x,3;\n0,0,0,1;\n}", -1, 0,
         "error: a.vpd:6:3: expected a block"},
        {"infinite number", HEAD "1;\nBone0{a\n1,1e99,3;\n0,0,0,1;\n}", -1, 0, "error: a.vpd:6:3:"},
        {"large number", HEAD "1;\nBone0{a\n1,1e7,3;\n0,0,0,1;\n}", -1, 0, "error: a.vpd:6:3:"},
        {"the largest numbers", HEAD "1;\nBone0{a\n1e6,-1e6,1000000.0;\n0,0,0,1;\n}", 1, 0, ""},
        {"just too large", HEAD "1;\nBone0{a\n1,1000001,3;\n0,0,0,1;\n}", -1, 0, "a.vpd:6:3:"},
        {"just too small", HEAD "1;\nBone0{a\n1,-1000001,3;\n0,0,0,1;\n}", -1, 0, "a.vpd:6:3:"},
        {"a number of 63 characters",
         HEAD "1;\nBone0{a\n1,2.5000000000000000000000000000000000000000000000000000000000000,3;\n"
              "0,0,0,1;\n}",
         1, 0, ""},
        {"a number of 64 characters",
         HEAD "1;\nBone0{a\n1,2.50000000000000000000000000000000000000000000000000000000000000,3;\n"
              "0,0,0,1;\n}",
         -1, 0, "a.vpd:6:3:"},
        {"another block", HEAD "1;\nLight0{a\n1;\n}", -1, 0, "error: a.vpd:5:1: expected a block"},
        {"no count", HEAD "Bone0{a\n1,2,3;\n0,0,0,1;\n}", -1, 0,
         "error: a.vpd:4:1: expected 'model name;'"},
        {"another file", "Vocaloid Motion Data", -1, 0, "not a VPD pose"},
        {"empty file", "", -1, 0, "not a VPD pose"},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        VmdMotion m;
        diag_log_init(&log);
        diag_file(&log.diag, "a.vpd");
        const bool ok = vpd_load(&m, bytes_of(rows[i].text), arena, &log.diag);
        const bool right = ok ? (int)m.bone_key_count == rows[i].bones &&
                                    (int)m.morph_key_count == rows[i].morphs &&
                                    vmd_check(&m, &log.diag)
                              : rows[i].bones < 0;
        if (!right || !strstr(log.text, rows[i].expected) || (!*rows[i].expected && *log.text))
            fail_msg("%s: reported '%s'", rows[i].what, log.text);
    }
    arena_destroy(arena);
}

static void test_the_first_bytes_decide(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    VmdMotion m;
    diag_log_init(&log);
    assert_true(motion_file_load(&m, bytes_of(pose), arena, &log.diag));
    assert_true(m.is_pose);
    static const char motion[50] = "Vocaloid Motion Data 0002";
    assert_true(
        motion_file_load(&m, (Bytes){(const uint8_t *)motion, sizeof motion}, arena, &log.diag));
    assert_false(m.is_pose);
    assert_false(motion_file_load(&m, bytes_of("PMX"), arena, &log.diag));
    assert_false(motion_file_load(&m, (Bytes){NULL, 0}, arena, &log.diag));
    arena_destroy(arena);
}

/* At every length: loaded, or refused with a message. */
static void test_truncated_files(void **state)
{
    (void)state;
    for (size_t size = 0; size < sizeof pose; size++) {
        Arena *arena = arena_create();
        DiagLog log;
        VmdMotion m;
        diag_log_init(&log);
        const bool ok =
            vpd_load(&m, (Bytes){arena_copy(arena, pose, size), size}, arena, &log.diag);
        assert_int_equal(log.diag.errors, !ok);
        assert_true(!ok || vmd_check(&m, &log.diag));
        arena_destroy(arena);
    }
}

/* 139 bones, as counted by an independent program; the translation of the first one. */
static void test_real_pose(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Bytes bytes;
    DiagLog log;
    VmdMotion m;
    diag_log_init(&log);
    if (!shared_data_load(&bytes, "vpvp/im2019083.vpd", arena)) {
        arena_destroy(arena);
        skip();
    }
    assert_true(motion_file_load(&m, bytes, arena, &log.diag));
    assert_true(vmd_check(&m, &log.diag));
    assert_string_equal(log.text, "");
    assert_int_equal(m.bone_key_count, 139);
    assert_string_equal(vmd_name_to_utf8(&m.bone_keys[0].name, arena), "センター");
    assert_float_equal(m.bone_keys[0].translation[1], -1.35f, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_pose_has_one_key_per_bone),
        cmocka_unit_test(test_lenient_and_strict),
        cmocka_unit_test(test_the_first_bytes_decide),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_real_pose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
