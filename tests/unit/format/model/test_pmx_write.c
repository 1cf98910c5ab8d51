// SPDX-License-Identifier: MIT
#include <string.h>

#include "asset_check.h"
#include "diag_log.h"
#include "format/model/pmx.h"
#include "model_equal.h"
#include "model_fixture.h"
#include "shared_data.h"
#include "unit_test.h"

static PmxModel strip_bdef4(Arena *arena)
{
    return fixture_strip_of(PMX_BDEF4, arena);
}

static PmxModel strip_sdef(Arena *arena)
{
    return fixture_strip_of(PMX_SDEF, arena);
}

static PmxModel strip_qdef(Arena *arena)
{
    return fixture_strip_of(PMX_QDEF, arena);
}

static const struct {
    const char *what;
    PmxModel (*make)(Arena *arena);
    float version;
} fixtures[] = {
    {"bone only", fixture_bone_only, 2.0f}, {"strip", fixture_strip, 2.0f},
    {"strip BDEF4", strip_bdef4, 2.0f},     {"strip SDEF", strip_sdef, 2.0f},
    {"strip QDEF", strip_qdef, 2.1f},       {"leg", fixture_leg, 2.0f},
    {"append", fixture_append_chain, 2.0f}, {"quad", fixture_quad, 2.0f},
    {"full", fixture_full, 2.1f},
};

static void expect_same_after_load(const PmxModel *model, PmxWriteOptions options, float version,
                                   const char *what, Arena *arena)
{
    DiagLog log;
    PmxModel again;
    diag_log_init(&log);
    if (!pmx_check(model, &log.diag))
        fail_msg("%s: before writing: %s", what, log.text);
    if (!pmx_load(&again, pmx_write(model, options, arena), arena, &log.diag))
        fail_msg("%s: refused: %s", what, log.text);
    const char *difference = model_difference(model, &again, arena);
    if (difference)
        fail_msg("%s, UTF-8 %d, index size %d: %s differs", what, options.utf8, options.index_size,
                 difference);
    assert_float_equal(again.version, version, 0);
}

static void test_written_models_load_as_they_were(void **state)
{
    (void)state;
    static const int sizes[] = {0, 1, 2, 4};
    for (size_t i = 0; i < sizeof fixtures / sizeof *fixtures; i++) {
        for (int k = 0; k < 8; k++) {
            Arena *arena = arena_create();
            const PmxModel model = fixtures[i].make(arena);
            const PmxWriteOptions options = {.utf8 = k >= 4, .index_size = sizes[k % 4]};
            expect_same_after_load(&model, options, fixtures[i].version, fixtures[i].what, arena);
            arena_destroy(arena);
        }
    }
}

/* Counts at which an index grows; vertex indices are unsigned, bone indices signed. */
static void test_index_sizes_are_the_smallest_that_fit(void **state)
{
    (void)state;
    enum { VERTEX_SIZE_AT = 11, BONE_SIZE_AT = 14 };
    static const struct {
        uint32_t vertices, bones;
        int vertex_size, bone_size;
    } rows[] = {{256, 128, 1, 1}, {257, 129, 2, 2}, {65536, 32768, 2, 2}, {65537, 32769, 4, 4}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m = fixture_empty();
        m.vertex_count = rows[i].vertices;
        m.bone_count = rows[i].bones;
        m.vertices = arena_array(arena, PmxVertex, m.vertex_count);
        m.bones = arena_array(arena, PmxBone, m.bone_count);
        for (uint32_t k = 0; k < m.vertex_count; k++)
            m.vertices[k] = fixture_vertex(0, 0, 0, (int32_t)m.bone_count - 1);
        for (uint32_t k = 0; k < m.bone_count; k++)
            m.bones[k] = fixture_bone("", (int32_t)k - 1, 0, 0, 0);
        const uint32_t last[3] = {0, m.vertex_count - 1, m.vertex_count - 1};
        m.indices = arena_copy(arena, last, sizeof last);
        m.index_count = 3;
        const Bytes bytes = pmx_write(&m, (PmxWriteOptions){0}, arena);
        assert_int_equal(bytes.data[VERTEX_SIZE_AT], rows[i].vertex_size);
        assert_int_equal(bytes.data[BONE_SIZE_AT], rows[i].bone_size);
        expect_same_after_load(&m, (PmxWriteOptions){0}, 2.0f, "many", arena);
        arena_destroy(arena);
    }
}

/* Bytes written by hand: the header of a model named あ, and its bone. */
static void test_bytes(void **state)
{
    (void)state;
    static const uint8_t
        utf16[] = {'P',  'M', 'X',  ' ',  0,    0,    0,    0x40, 8, 0, 0, 1,
                   1,    1,   1,    1,    1, /* globals */
                   2,    0,   0,    0,    0x42, 0x30, 0,    0,    0, 0, 0, 0,
                   0,    0,   0,    0,    0,    0, /* texts */
                   0,    0,   0,    0,    0,    0,    0,    0,    0, 0, 0, 0,
                   0,    0,   0,    0,    1,    0,    0,    0, /* counts up to the bones */
                   4,    0,   0,    0,    0x42, 0xD8, 0xB7, 0xDF, 0, 0, 0, 0, /* U+20BB7 */
                   0,    0,   0x80, 0x3F, 0,    0,    0,    0,    0, 0, 0, 0xC0,
                   0xFF, 3,   0,    0,    0,    0x1E, 0,    0,    0, 0, 0, 0,
                   0,    0,   0,    0,    0,    0,    0, /* tail offset */
                   0,    0,   0,    0,    0,    0,    0,    0,    0, 0, 0, 0,
                   0,    0,   0,    0}; /* the other counts */
    Arena *arena = arena_create();
    PmxModel m = fixture_bone_only(arena);
    m.name = "あ";
    m.bones[0] = fixture_bone("𠮷", PMX_NONE, 1, 0, -2);
    m.bones[0].layer = 3;
    const Bytes bytes = pmx_write(&m, (PmxWriteOptions){0}, arena);
    assert_int_equal(bytes.size, sizeof utf16);
    assert_memory_equal(bytes.data, utf16, sizeof utf16);
    arena_destroy(arena);
}

/* Code points at the ends of the ranges of UTF-8 and UTF-16. */
static void test_utf16(void **state)
{
    (void)state;
    static const struct {
        const char *text; /* UTF-8 */
        uint8_t utf16[4];
        size_t size;
    } rows[] = {
        {"\x01", {0x01, 0x00}, 2},
        {"\x7F", {0x7F, 0x00}, 2},
        {"\xC2\x80", {0x80, 0x00}, 2},
        {"\xDF\xBF", {0xFF, 0x07}, 2},
        {"\xE0\xA0\x80", {0x00, 0x08}, 2},
        {"\xED\x9F\xBF", {0xFF, 0xD7}, 2},
        {"\xEE\x80\x80", {0x00, 0xE0}, 2},
        {"\xEF\xBF\xBD", {0xFD, 0xFF}, 2},
        {"\xF0\x90\x80\x80", {0x00, 0xD8, 0x00, 0xDC}, 4}, /* U+10000 */
        {"\xF0\x90\x8F\xBF", {0x00, 0xD8, 0xFF, 0xDF}, 4}, /* U+103FF */
        {"\xF0\x90\x90\x80", {0x01, 0xD8, 0x00, 0xDC}, 4}, /* U+10400 */
        {"\xF4\x8F\xBF\xBF", {0xFF, 0xDB, 0xFF, 0xDF}, 4}, /* U+10FFFF */
    };
    enum { NAME_AT = 17 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel m = fixture_bone_only(arena);
        m.name = rows[i].text;
        const Bytes bytes = pmx_write(&m, (PmxWriteOptions){0}, arena);
        assert_int_equal(bytes.data[NAME_AT], rows[i].size);
        assert_memory_equal(bytes.data + NAME_AT + 4, rows[i].utf16, rows[i].size);
        const Bytes utf8 = pmx_write(&m, (PmxWriteOptions){.utf8 = true}, arena);
        assert_int_equal(utf8.data[NAME_AT], strlen(rows[i].text));
        assert_memory_equal(utf8.data + NAME_AT + 4, rows[i].text, strlen(rows[i].text));
        arena_destroy(arena);
    }
}

static void test_a_real_model_survives(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Bytes bytes;
    PmxModel model;
    DiagLog log;
    diag_log_init(&log);
    if (!shared_data_load(&bytes, "glasses/glasses.pmx", arena)) {
        arena_destroy(arena);
        skip();
    }
    assert_true(pmx_load(&model, bytes, arena, &log.diag));
    expect_same_after_load(&model, (PmxWriteOptions){.utf8 = true}, 2.0f, "glasses", arena);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_written_models_load_as_they_were),
        cmocka_unit_test(test_index_sizes_are_the_smallest_that_fit),
        cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_utf16),
        cmocka_unit_test(test_a_real_model_survives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
