// SPDX-License-Identifier: MIT
/* subtitle_fonts: fonts that a script contains, and sizes of glyphs worked out by hand */
#include <string.h>

#include "base/text_stream.h"
#include "diag_log.h"
#include "font_fixture.h"
#include "typesetting/subtitle_fonts.h"
#include "unit_test.h"

/* ---- attached fonts ---- */

/* As programs that attach fonts write them: 80 characters a line. */
static void put_attached(FILE *out, const char *name, Bytes bytes)
{
    fprintf(out, "fontname: %s\n", name);
    size_t column = 0;
    for (size_t i = 0; i < bytes.size; i += 3) {
        uint32_t bits = 0;
        for (size_t k = 0; k < 3; k++)
            bits = bits << 8 | (i + k < bytes.size ? bytes.data[i + k] : 0u);
        for (size_t k = 0; k < 4 && k < bytes.size - i + 1; k++) {
            fputc((int)(33 + (bits >> (18 - 6 * k) & 63)), out);
            if (++column % 80 == 0)
                fputc('\n', out);
        }
    }
    fputc('\n', out);
}

static void test_attached(void **state)
{
    static const char text[] = "abcdefghijk";
    Arena *arena = arena_create();
    TextStream stream;
    const Bytes font = fixture_font(arena);
    (void)state;
    FILE *out = text_stream_open(&stream, arena);
    fputs("[Script Info]\nfontname: none\n!!!!\n  [fonts]\nignored\n", out);
    put_attached(out, "a.ttf", font);
    for (size_t size = 1; size < sizeof text; size++)
        put_attached(out, "  text", (Bytes){(const uint8_t *)text, size});
    fputs("fontname: text\n[\"#D\n", out); /* a line that is no section */
    fputs("fontname: incomplete\n!!!!!\nfontname: empty\n[Events]\nDialogue: !!!!\n", out);
    FontSources fonts = {0};
    subtitle_fonts_add_attached(&fonts, text_stream_close(&stream), arena);
    assert_int_equal(fonts.count, sizeof text + 1);
    assert_string_equal(fonts.items[0].path, "a.ttf");
    assert_int_equal(fonts.items[0].bytes.size, font.size);
    assert_memory_equal(fonts.items[0].bytes.data, font.data, font.size);
    for (size_t size = 1; size < sizeof text; size++) {
        assert_string_equal(fonts.items[size].path, "text");
        assert_int_equal(fonts.items[size].bytes.size, size);
        assert_memory_equal(fonts.items[size].bytes.data, text, size);
    }
    assert_int_equal(fonts.items[sizeof text].bytes.size, 3);
    assert_memory_equal(fonts.items[sizeof text].bytes.data, "\xE8\x10\xA3", 3);
    arena_destroy(arena);
}

/* ---- sizes ---- */

/* Sets a number in a table of the font. */
static void set16(Bytes font, const char *table, size_t offset, int value)
{
    uint8_t *bytes = (uint8_t *)(uintptr_t)font.data, *entry = bytes + 12;
    while (memcmp(entry, table, 4) != 0)
        entry += 16;
    uint8_t *at = bytes + ((size_t)entry[10] << 8 | entry[11]) + offset;
    at[0] = (uint8_t)((unsigned)value >> 8);
    at[1] = (uint8_t)value;
}

enum { UNITS_PER_EM = 18, ASCENT = 4, DESCENT = 6 }; /* offsets in head and hhea */

static void test_sizes(void **state)
{
    /* The largest glyph reaches 600 to the right, has an advance of 700, and is 500 high. */
    static const struct {
        int em, ascent, descent;
        double growth;
        const char *message;
    } rows[] = {
        {1000, 800, -200, 1, NULL},
        {1000, 200, -50, 700 / 500.0, NULL},
        {1000, 100, -149, 0,
         "the line height of the font, 249 units, is too small (at least 1/4 em: 250)"},
        {1000, 9, 0, 0,
         "the line height of the font, 9 units, is too small (at least 1/4 em: 250)"},
        {1000, 30000, -30000, 1, NULL},
        {100, 80, -20, 700 / 200.0 * 500 / 200.0, NULL},
        {16, 12, -4, 700 / 32.0 * 500 / 32.0, NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        double growth = 1;
        const Bytes font = fixture_font(arena);
        set16(font, "head", UNITS_PER_EM, rows[i].em);
        set16(font, "hhea", ASCENT, rows[i].ascent);
        set16(font, "hhea", DESCENT, rows[i].descent);
        diag_log_init(&log);
        assert_int_equal(subtitle_fonts_measure(&growth, font, &log.diag), !rows[i].message);
        if (rows[i].message)
            assert_non_null(strstr(log.text, rows[i].message));
        else
            assert_float_equal(growth, rows[i].growth, 1e-6);
        arena_destroy(arena);
    }
}

static void test_other_files(void **state)
{
    DiagLog log;
    double growth = 1;
    (void)state;
    diag_log_init(&log);
    assert_false(subtitle_fonts_measure(&growth, (Bytes){(const uint8_t *)"none", 4}, &log.diag));
    assert_non_null(strstr(log.text, "not a TrueType or OpenType font"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_attached),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_other_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
