// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/motion/vmd.h"
#include "motion_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

/* ---- fixtures ---- */

enum { BONES_AT = 50 };

static void write_u32(uint8_t *at, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(value >> (8 * i));
}

/* Loads, expects success, and confirms with vmd_check. */
static VmdMotion load(Bytes bytes, DiagLog *log, Arena *arena)
{
    VmdMotion m;
    diag_log_init(log);
    assert_true(vmd_load(&m, bytes, arena, &log->diag));
    assert_true(vmd_check(&m, &log->diag));
    return m;
}

/* ---- tests ---- */

static void test_what_is_written_reads_back(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const VmdMotion a = fixture_full_motion(arena);
    const VmdMotion b = load(vmd_write(&a, arena), &log, arena);

    assert_string_equal(log.text, "");
    assert_string_equal(b.model_name, a.model_name);
    assert_int_equal(b.bone_key_count, 2);
    assert_memory_equal(b.bone_keys[0].curves, a.bone_keys[0].curves, sizeof a.bone_keys[0].curves);
    assert_memory_equal(b.bone_keys[1].curves, a.bone_keys[1].curves, sizeof a.bone_keys[1].curves);
    assert_int_equal(b.bone_keys[0].physics, VMD_PHYSICS_OFF);
    assert_int_equal(b.bone_keys[1].physics, VMD_PHYSICS_UNSPECIFIED);
    assert_true(vmd_name_equal(&b.bone_keys[0].name, &a.bone_keys[0].name));
    assert_memory_equal(b.bone_keys[0].translation, a.bone_keys[0].translation, 12);
    assert_float_equal(b.bone_keys[0].rotation[1], 0.6f, 1e-7f);
    assert_int_equal(b.morph_key_count, 1);
    assert_float_equal(b.morph_keys[0].weight, 0.25f, 0);
    assert_int_equal(b.camera_key_count, 1);
    assert_memory_equal(b.camera_keys[0].curves, a.camera_keys[0].curves,
                        sizeof a.camera_keys[0].curves);
    assert_float_equal(b.camera_keys[0].distance, -45, 0);
    assert_memory_equal(b.camera_keys[0].target, a.camera_keys[0].target, 12);
    assert_memory_equal(b.camera_keys[0].rotation, a.camera_keys[0].rotation, 12);
    assert_float_equal(b.camera_keys[0].fov_deg, 30, 0);
    assert_true(b.camera_keys[0].orthographic);
    assert_int_equal(b.light_key_count, 1);
    assert_memory_equal(b.light_keys, a.light_keys, sizeof *a.light_keys);
    assert_int_equal(b.shadow_key_count, 1);
    assert_int_equal(b.shadow_keys[0].mode, 2);
    assert_float_equal(b.shadow_keys[0].distance, 0.01125f, 0);
    assert_int_equal(b.property_key_count, 2);
    assert_true(b.property_keys[0].visible);
    assert_false(b.property_keys[1].visible);
    assert_int_equal(b.property_keys[0].ik_count, 2);
    assert_string_equal(b.property_keys[0].ik[0].bone.bytes, "legIK_fifteen_b");
    assert_true(b.property_keys[0].ik[0].enabled);
    assert_false(b.property_keys[0].ik[1].enabled);
    assert_int_equal(vmd_last_frame(&b), 61);
    arena_destroy(arena);
}

/* The easing of one key as written by MMD, byte by byte (format/motion/README.md 1.2). */
static void test_channels_come_from_their_own_rows(void **state)
{
    (void)state;
    static const uint8_t easing[64] = {
        0x14, 0x14, 0x00, 0x00, 0x14, 0x14, 0x14, 0x00, 0x6b, 0x6b, 0x6b, 0x55, 0x6b,
        0x6b, 0x6b, 0x5f, 0x14, 0x14, 0x2a, 0x14, 0x14, 0x14, 0x00, 0x6b, 0x6b, 0x6b,
        0x55, 0x6b, 0x6b, 0x6b, 0x5f, 0x00, 0x14, 0x2a, 0x14, 0x14, 0x14, 0x00, 0x6b,
        0x6b, 0x6b, 0x55, 0x6b, 0x6b, 0x6b, 0x5f, 0x00, 0x00, 0x2a, 0x14, 0x14, 0x14,
        0x00, 0x6b, 0x6b, 0x6b, 0x55, 0x6b, 0x6b, 0x6b, 0x5f, 0x00, 0x00, 0x00};
    static const Curve linear = {0x14, 0x14, 0x6b, 0x6b}, rotation = {0x2a, 0x00, 0x55, 0x5f};
    Arena *arena = arena_create();
    DiagLog log;
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    memcpy(copy + BONES_AT + 4 + 47, easing, sizeof easing);
    const VmdMotion m = load((Bytes){copy, bytes.size}, &log, arena);

    for (int i = 0; i < 3; i++)
        assert_memory_equal(&m.bone_keys[0].curves[i], &linear, sizeof linear);
    assert_memory_equal(&m.bone_keys[0].curves[3], &rotation, sizeof rotation);
    assert_int_equal(m.bone_keys[0].physics, VMD_PHYSICS_ON);
    arena_destroy(arena);
}

/* One field of a good file changed, and what must come of it. */
static void test_odd_values_are_repaired(void **state)
{
    (void)state;
    enum {
        KEY = BONES_AT + 4,
        CAMERA = KEY + 2 * 111 + 4 + 23 + 4,
        SHADOW = CAMERA + 61 + 4 + 28 + 4
    };
    static const struct {
        const char *what;
        size_t at;
        uint32_t value;
        const char *message;
    } rows[] = {
        {"NaN in an offset", KEY + 19, 0x7fc00000, "bone key 0: value is not finite; 0 is used"},
        {"1e25 in an offset", KEY + 19, 0x6904595a,
         "bone key 0: value is out of range (-1000000..1000000); the nearest is used"},
        {"the largest offset, 1e6", KEY + 19, 0x49742400, ""},
        {"-1e25 in a distance", CAMERA + 4, 0xe904595a,
         "camera key 0: value is out of range (-1000000..1000000); the nearest is used"},
        {"infinity in a rotation", KEY + 31, 0x7f800000,
         "bone key 0: rotation is not finite; the identity is used"},
        {"negative frame", KEY + 15, 0xffffffff,
         "bone key 0: frame 4294967295 is out of range (0..2147483647); the key is ignored"},
        {"view angle 0", CAMERA + 56, 0,
         "camera key 0: field of view of 0 degrees is out of range (1..179); 1 is used"},
        {"view angle 200", CAMERA + 56, 200,
         "camera key 0: field of view of 200 degrees is out of range (1..179); 179 is used"},
        {"shadow mode 3", SHADOW + 4, 3,
         "self-shadow key 0: self-shadow mode 3 is out of range (0..2); off is used"},
        {"curve points above 127", KEY + 47, 0xffffffff, ""},
    };
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes good = vmd_write(&a, arena);

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        uint8_t *copy = arena_copy(arena, good.data, good.size);
        write_u32(copy + rows[i].at, rows[i].value);
        diag_log_init(&log);
        diag_file(&log.diag, "a.vmd");
        VmdMotion m;
        const bool ok =
            vmd_load(&m, (Bytes){copy, good.size}, arena, &log.diag) && vmd_check(&m, &log.diag);
        if (!ok || !strstr(log.text, rows[i].message) || !*rows[i].message != !*log.text)
            fail_msg("%s: message '%s'", rows[i].what, log.text);
    }
    arena_destroy(arena);
}

static void test_zero_quaternion_is_identity(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    VmdMotion a = fixture_full_motion(arena);
    memset(a.bone_keys[0].rotation, 0, sizeof a.bone_keys[0].rotation);
    const VmdMotion m = load(vmd_write(&a, arena), &log, arena);
    static const float none[4] = {0, 0, 0, 1};
    assert_memory_equal(m.bone_keys[0].rotation, none, sizeof none);
    arena_destroy(arena);
}

static uint32_t count_keys(const VmdMotion *m)
{
    return m->bone_key_count + m->morph_key_count + m->camera_key_count + m->light_key_count +
           m->shadow_key_count + m->property_key_count;
}

/* At every length: refused if shorter than the header, else loaded with the complete keys. */
static void test_truncated_files(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint32_t last = 0;

    for (size_t size = 0; size <= bytes.size; size++) {
        DiagLog log;
        VmdMotion m;
        Arena *own = arena_create();
        diag_log_init(&log);
        const bool ok =
            vmd_load(&m, (Bytes){arena_copy(own, bytes.data, size), size}, own, &log.diag);
        assert_int_equal(ok, size >= BONES_AT);
        assert_int_equal(log.diag.errors, !ok);
        if (ok) {
            assert_true(vmd_check(&m, &log.diag));
            assert_true(count_keys(&m) >= last);
            last = count_keys(&m);
        }
        arena_destroy(own);
    }
    assert_int_equal(last, count_keys(&a));
    arena_destroy(arena);
}

/* Truncated in each section: the message, and the number of keys of all sections that are kept. */
static void test_truncated_sections(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint32_t keys;
        const char *expected;
    } rows[] = {
        {50, 0, ""},
        {53, 0, "warning: file ends inside the bone key count; no bone keys are read\n"},
        {54, 0, "warning: bone key count is 2, but the file ends after 0; those are kept\n"},
        {54 + 221, 1, "warning: bone key count is 2, but the file ends after 1; those are kept\n"},
        {276, 2, ""},
        {278, 2, "warning: file ends inside the morph key count; no morph keys are read\n"},
        {280 + 22, 2, "warning: morph key count is 1, but the file ends after 0; those are kept\n"},
        {303, 3, ""},
        {307 + 60, 3,
         "warning: camera key count is 1, but the file ends after 0; those are kept\n"},
        {368, 4, ""},
        {372 + 27, 4, "warning: light key count is 1, but the file ends after 0; those are kept\n"},
        {400, 5, ""},
        {404 + 8, 5,
         "warning: self-shadow key count is 1, but the file ends after 0; those are kept\n"},
        {413, 6, ""},
        {417 + 8, 6,
         "warning: property key count is 2, but the file ends after 0; those are kept\n"},
        {417 + 9 + 41, 6, "warning: file ends inside this key; the key is ignored\n"},
        {417 + 51 + 8, 7, "warning: file ends inside this key; the key is ignored\n"},
        {477, 8, ""},
        {478, 8, "warning: 1 bytes after the last section are ignored\n"},
    };
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint8_t *copy = arena_calloc(arena, bytes.size + 1, 1);
    assert_int_equal(bytes.size, 477);
    memcpy(copy, bytes.data, bytes.size);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        const VmdMotion m = load((Bytes){copy, rows[i].size}, &log, arena);
        if (strcmp(log.text, rows[i].expected) != 0 || count_keys(&m) != rows[i].keys)
            fail_msg("%zu bytes: %u keys, '%s'", rows[i].size, count_keys(&m), log.text);
    }
    arena_destroy(arena);
}

/* The largest count that a file of 1 GiB can hold is a truncated file, the next one is damage. */
static void test_largest_count(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    DiagLog log;
    write_u32(copy + BONES_AT, (1u << 30) / 111);
    assert_int_equal(load((Bytes){copy, bytes.size}, &log, arena).bone_key_count, 3);
    write_u32(copy + BONES_AT, (1u << 30) / 111 + 1);
    assert_int_equal(load((Bytes){copy, bytes.size}, &log, arena).bone_key_count, 0);
    arena_destroy(arena);
}

/* A key with an invalid frame is removed, and the next one is kept. */
static void test_ignored_keys(void **state)
{
    (void)state;
    static const size_t frames[] = {54 + 15, 280 + 15, 307, 372, 404, 417};
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    for (size_t i = 0; i < sizeof frames / sizeof *frames; i++) {
        uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
        DiagLog log;
        write_u32(copy + frames[i], 0x7fffffff);
        assert_int_equal(vmd_last_frame(&(VmdMotion){0}), 0);
        VmdMotion m = load((Bytes){copy, bytes.size}, &log, arena);
        assert_int_equal(count_keys(&m), 8);
        assert_int_equal(vmd_last_frame(&m), 0x7fffffff);
        write_u32(copy + frames[i], 0x80000000);
        m = load((Bytes){copy, bytes.size}, &log, arena);
        assert_int_equal(count_keys(&m), 7);
        if (i == 0)
            assert_int_equal(m.bone_keys[0].frame, 0);
        if (i == 5)
            assert_int_equal(m.property_keys[0].frame, 61);
    }
    arena_destroy(arena);
}

/* Fields with a value at and beyond a limit, and what is loaded. */
static void test_field_limits(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    DiagLog log;
    static const struct {
        uint32_t fov;
        float expected;
        bool is_valid;
    } fovs[] = {{0, 1, false}, {1, 1, true}, {179, 179, true}, {180, 179, false}};
    for (size_t i = 0; i < sizeof fovs / sizeof *fovs; i++) {
        write_u32(copy + 307 + 56, fovs[i].fov);
        assert_float_equal(load((Bytes){copy, bytes.size}, &log, arena).camera_keys[0].fov_deg,
                           fovs[i].expected, 0);
        assert_int_equal(!*log.text, fovs[i].is_valid);
    }
    static const uint8_t switches[][3] = {{0, 0, VMD_PHYSICS_ON},
                                          {0x63, 0x0F, VMD_PHYSICS_OFF},
                                          {0, 1, VMD_PHYSICS_UNSPECIFIED},
                                          {1, 0, VMD_PHYSICS_UNSPECIFIED},
                                          {0x63, 0, VMD_PHYSICS_UNSPECIFIED},
                                          {0, 0x0F, VMD_PHYSICS_UNSPECIFIED}};
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        memcpy(copy + 54 + 47 + 2, switches[i], 2);
        assert_int_equal(load((Bytes){copy, bytes.size}, &log, arena).bone_keys[0].physics,
                         switches[i][2]);
    }
    copy[404 + 4] = 3;                     /* self-shadow mode */
    copy[307 + 60] = 0;                    /* perspective */
    write_u32(copy + 54 + 31, 0x7f800000); /* rotation */
    copy[54 + 47 + 32] = 200;              /* x1 of channel z */
    const VmdMotion m = load((Bytes){copy, bytes.size}, &log, arena);
    const float *q = m.bone_keys[0].rotation;
    assert_int_equal(m.shadow_keys[0].mode, 0);
    assert_false(m.camera_keys[0].orthographic);
    assert_true(q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 1);
    assert_int_equal(m.bone_keys[0].curves[2].x1, 127);
    arena_destroy(arena);
}

/* Each value that vmd.h excludes is found by vmd_check. */
static void test_check(void **state)
{
    (void)state;
    enum { CASES = 25 };
    for (int i = 0; i <= CASES; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        VmdMotion m = fixture_full_motion(arena);
        VmdCameraKey *camera = m.camera_keys;
        /* clang-format off */
        switch (i) {
        case 0: m.model_name = NULL; break;
        case 1: m.bone_keys[1].frame = 0x80000000; break;
        case 2: m.bone_keys[1].name.bytes[15] = 'x'; break;
        case 3: m.bone_keys[0].name.bytes[9] = 'x'; break;
        case 4: m.bone_keys[0].translation[2] = NAN; break;
        case 5: m.bone_keys[0].rotation[3] = 0.81f; break;
        case 6: m.bone_keys[0].rotation[0] = NAN; break;
        case 7: m.bone_keys[0].curves[3].y2 = 128; break;
        case 8: m.bone_keys[0].curves[0].x1 = 128; break;
        case 9: m.bone_keys[0].physics = 3; break;
        case 10: m.morph_keys[0].weight = INFINITY; break;
        case 11: m.morph_keys[0].name.bytes[15] = 'x'; break;
        case 12: m.morph_keys[0].frame = 0x80000000; break;
        case 13: camera->distance = NAN; break;
        case 14: camera->target[0] = NAN; break;
        case 15: camera->rotation[2] = NAN; break;
        case 16: camera->curves[5].x2 = 128; break;
        case 17: camera->curves[5].y1 = 128; break;
        case 18: camera->fov_deg = 0.5f; break;
        case 19: camera->fov_deg = 180; break;
        case 20: m.light_keys[0].color[1] = NAN; break;
        case 21: m.light_keys[0].direction[1] = NAN; break;
        case 22: m.shadow_keys[0].mode = 3; break;
        case 23: m.shadow_keys[0].distance = NAN; break;
        case 24: m.property_keys[0].ik[1].bone.bytes[15] = 'x'; break;
        default: break;
        }
        /* clang-format on */
        diag_log_init(&log);
        if (vmd_check(&m, &log.diag) != (i == CASES))
            fail_msg("case %d: '%s'", i, log.text);
        arena_destroy(arena);
    }
}

/* Such a file exists: 4294967271 camera keys after valid bone and morph keys. */
static void test_impossible_count_stops_reading(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    const VmdMotion a = fixture_full_motion(arena);
    const Bytes bytes = vmd_write(&a, arena);
    uint8_t *copy = arena_copy(arena, bytes.data, bytes.size);
    write_u32(copy + BONES_AT + 4 + 2 * 111 + 4 + 23, 4294967271u);
    const VmdMotion m = load((Bytes){copy, bytes.size}, &log, arena);

    assert_int_equal(m.bone_key_count, 2);
    assert_int_equal(m.morph_key_count, 1);
    assert_int_equal(m.camera_key_count + m.light_key_count + m.property_key_count, 0);
    assert_string_equal(log.text, "warning: camera key count 4294967271 exceeds the file size; "
                                  "the rest of the file is ignored\n");
    arena_destroy(arena);
}

static void test_headers(void **state)
{
    (void)state;
    static const struct {
        const char *what, *bytes;
        size_t size;
        const char *name; /* NULL: refused */
    } rows[] = {
        {"new, name of 20",
         "Vocaloid Motion Data 0002\0\0\0\0\0"
         "abcdefghijklmnopqrst",
         50, "abcdefghijklmnopqrst"},
        {"undefined bytes after the magic",
         "Vocaloid Motion Data 0002\0\xfd\xfd\xfd\xfd"
         "abc\0\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd\xfd",
         50, "abc"},
        {"first version, name of 10",
         "Vocaloid Motion Data file\0\0\0\0\0"
         "abcdefghij",
         40, "abcdefghij"},
        {"no version, name of 20",
         "Vocaloid Motion Data\0abcdefghi"
         "abcdefghijklmnopqrst\0\0\0\0",
         54, "abcdefghijklmnopqrst"},
        {"no version, name of 10",
         "Vocaloid Motion Data\0abcdefghi"
         "abcdefghij\0\0\0\0",
         44, "abcdefghij"},
        {"another magic",
         "Vocaloid Motion Data 0003\0\0\0\0\0"
         "abcdefghijklmnopqrst",
         50, NULL},
        {"truncated name",
         "Vocaloid Motion Data 0002\0\0\0\0\0"
         "abcdefghijklmnopqrs",
         49, NULL},
        {"empty file", "", 0, NULL},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        DiagLog log;
        VmdMotion m;
        diag_log_init(&log);
        const Bytes bytes = {(const uint8_t *)rows[i].bytes, rows[i].size};
        const bool ok = vmd_load(&m, bytes, arena, &log.diag);
        if (ok != (rows[i].name != NULL) || (ok && strcmp(m.model_name, rows[i].name)))
            fail_msg("%s: message '%s'", rows[i].what, log.text);
    }
    arena_destroy(arena);
}

/* Names as described in format/motion/README.md 1.5; the bytes are those of the CP932 table. */
static void test_names(void **state)
{
    (void)state;
    static const struct {
        const char *what, *utf8, *bytes;
    } rows[] = {
        {"kana and kanji", "左ひざ", "\x8d\xb6\x82\xd0\x82\xb4"},
        {"cut in the middle of a character", "あああああああああ",
         "\x82\xa0\x82\xa0\x82\xa0\x82\xa0\x82\xa0\x82\xa0\x82\xa0\x82"},
        {"half width", "ｾﾝﾀｰ", "\xbe\xdd\xc0\xb0"},
        {"a character that is not in CP932", "a한b", "a?b"},
        {"not in CP932 and first: empty", "한b", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const VmdName name = vmd_name_from_utf8(rows[i].utf8);
        if (strcmp(name.bytes, rows[i].bytes))
            fail_msg("%s", rows[i].what);
    }
    const VmdName empty = vmd_name_from_utf8(""), a = vmd_name_from_utf8("a"),
                  b = vmd_name_from_utf8("b");
    assert_false(vmd_name_equal(&empty, &empty));
    assert_true(vmd_name_equal(&a, &a));
    assert_false(vmd_name_equal(&a, &b));
}

/* Counts that an independent program found in published files. */
/* A name in another encoding matches that of the model; one that fills its field may have been cut
 * there. */
static void test_encodings(void **state)
{
    (void)state;
    static const struct {
        const char *what, *bytes, *model;
    } rows[] = {
        {"CP932, IBM's extension as NEC selected it", "\xEE\xE0\x82\xA0", "髙あ"},
        {"CP932, IBM's extension", "\xFB\xFC\x82\xA0", "髙あ"},
        {"CP932, cut", "\x82\xA0\x82\xA0\x82\xA0\x82\xA0\x82\xA0\x82\xA0\x82\xA0\x82",
         "あああああああい"},
        {"UTF-8", "右足ＩＫ", "右足ＩＫ"},
        {"UTF-8, full", "左つま先Ｉ", "左つま先ＩＫ"},
        {"UTF-8, cut in a character", "a右足ＩＫ\xEF\xBC", "a右足ＩＫ２"},
        {"GBK", "\xA5\xBB\xA5\xF3\xA5\xBF\xA9\x60", "センター"},
        {"GBK, cut in a character", "\xA5\xBB\xA5\xF3\xA5\xBF\xA9\x60\xA5\xBB\xA5\xF3\xA5\xBF\xA9",
         "センターセンター"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        VmdBoneKey keys[1] = {{.rotation = {0, 0, 0, 1}}};
        memcpy(keys[0].name.bytes, rows[i].bytes, strlen(rows[i].bytes));
        const VmdMotion written = {.model_name = "m", .bone_keys = keys, .bone_key_count = 1};
        const VmdMotion m = load(vmd_write(&written, arena), &log, arena);
        const VmdName name = vmd_name_from_utf8(rows[i].model);
        const VmdName other = vmd_name_from_utf8("右足");
        assert_string_equal(log.text, "");
        if (!vmd_name_equal(&m.bone_keys[0].name, &name) ||
            !vmd_name_equal(&name, &m.bone_keys[0].name) ||
            vmd_name_equal(&m.bone_keys[0].name, &other))
            fail_msg("%s: '%s'", rows[i].what, vmd_name_to_utf8(&m.bone_keys[0].name, arena));
        arena_destroy(arena);
    }
}

static void test_real_files(void **state)
{
    (void)state;
    static const struct {
        const char *file, *model;
        uint32_t last, bones, morphs, cameras, lights, shadows, properties;
    } rows[] = {
        {"miu-mmd-base/dance_7403frames.vmd", "日本 roco式 トレス用", 7403, 23720, 0, 0, 0, 0, 0},
        {"gene/motion/02_laugh.vmd", "ジェネ / Gene", 300, 548, 393, 0, 0, 0, 1},
        {"vpvp/camera_light_shadow.vmd", "カメラ・照明", 1, 0, 0, 2, 2, 2, 0},
        {"vpvp/motion_ikprops.vmd", "初音ミク", 1, 164, 30, 0, 0, 0, 2},
        {"vmdgadgets/camera_7230frames.vmd", "カメラ・照明", 7230, 0, 0, 67, 0, 0, 0},
        {"mmdjs-motions/zoom_in.vmd", "カメラ・照明", 60, 0, 0, 3, 2, 0, 0},
    };
    Arena *arena = arena_create();
    bool absent = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows && !absent; i++) {
        Bytes bytes;
        DiagLog log;
        absent = !shared_data_load(&bytes, rows[i].file, arena);
        if (absent)
            break;
        const VmdMotion m = load(bytes, &log, arena);
        if (strcmp(m.model_name, rows[i].model) || vmd_last_frame(&m) != rows[i].last ||
            m.bone_key_count != rows[i].bones || m.morph_key_count != rows[i].morphs ||
            m.camera_key_count != rows[i].cameras || m.light_key_count != rows[i].lights ||
            m.shadow_key_count != rows[i].shadows || m.property_key_count != rows[i].properties)
            fail_msg("%s: %s, %u, message '%s'", rows[i].file, m.model_name, vmd_last_frame(&m),
                     log.text);
    }
    arena_destroy(arena);
    if (absent)
        skip();
}

static void test_real_physics_switch(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Bytes bytes;
    DiagLog log;
    if (!shared_data_load(&bytes, "babylon-fixtures/physics_toggle_test_v2.vmd", arena)) {
        arena_destroy(arena);
        skip();
    }
    const VmdMotion m = load(bytes, &log, arena);
    bool off = false;
    for (uint32_t i = 0; i < m.bone_key_count; i++)
        off = off || m.bone_keys[i].physics == VMD_PHYSICS_OFF;
    assert_true(off);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_field_limits),
        cmocka_unit_test(test_truncated_sections),
        cmocka_unit_test(test_largest_count),
        cmocka_unit_test(test_ignored_keys),
        cmocka_unit_test(test_check),
        cmocka_unit_test(test_what_is_written_reads_back),
        cmocka_unit_test(test_channels_come_from_their_own_rows),
        cmocka_unit_test(test_odd_values_are_repaired),
        cmocka_unit_test(test_zero_quaternion_is_identity),
        cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_impossible_count_stops_reading),
        cmocka_unit_test(test_headers),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_encodings),
        cmocka_unit_test(test_real_files),
        cmocka_unit_test(test_real_physics_switch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
