// SPDX-License-Identifier: MIT
/* font: bitmaps and positions computed by hand; laws of shaping with an installed font */

#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "font_fixture.h"
#include "typesetting/font.h"
#include "typesetting/font_catalog.h"
#include "typesetting/text_draw.h"
#include "typesetting/text_fonts.h"
#include "unit_test.h"

static Font *open_fixture(int pixels_per_em, int outline_width, Arena *arena)
{
    DiagLog log;
    diag_log_init(&log);
    const FontSpec spec = {
        .sources = fixture_fonts(arena), .size = pixels_per_em, .outline_width = outline_width};
    Font *font = font_open(&spec, &log.diag);
    assert_non_null(font);
    return font;
}

/* 100..600 of 1000 units, 20 pixels an em */
static void test_glyphs(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Font *font = open_fixture(20, 1, arena);
    ShapedText line;
    assert_int_equal(font_ascent(font), 16);
    assert_int_equal(font_descent(font), 4);
    assert_string_equal(font_family(font, arena), "Fixture");
    font_shape(&line, font, "A\u8e0a A", arena);
    assert_int_equal(line.count, 4);
    static const struct {
        uint32_t character;
        int x; /* pixels */
        bool ink;
    } wanted[] = {{'A', 0, true}, {0x8E0A, 14, true}, {' ', 28, false}, {'A', 34, true}};
    for (size_t i = 0; i < 4; i++) {
        const PlacedGlyph *placed = &line.items[i];
        const FontGlyph *g = font_glyph(font, placed);
        assert_int_equal(placed->character, wanted[i].character);
        assert_int_equal(placed->x, wanted[i].x * FONT_UNITS_PER_PIXEL);
        assert_int_equal(placed->y, 0);
        assert_false(placed->missing);
        assert_int_equal(g->width, wanted[i].ink ? 10 : 0);
        if (!wanted[i].ink)
            continue;
        assert_int_equal(g->left, 2);
        assert_int_equal(g->top, 10);
        assert_int_equal(g->height, 10);
        for (int p = 0; p < 100; p++)
            assert_int_equal(g->coverage[p], 255);
        for (int p = 0; p < 144; p++) /* one pixel more on each side */
            assert_int_equal(g->outline[p], 255);
    }
    assert_int_equal(line.advance, 48 * FONT_UNITS_PER_PIXEL);
    assert_int_equal(text_width(font, "AA"), 14 + 12);
    font_close(font);
    arena_destroy(arena);
}

/* 5.5 pixels wide: the last column is half covered. */
static void test_half_pixels(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Font *font = open_fixture(11, 0, arena);
    ShapedText line;
    font_shape(&line, font, "AA", arena);
    const FontGlyph *g = font_glyph(font, &line.items[0]); /* 1.1 .. 6.6, 0 .. 5.5 */
    assert_int_equal(g->left, 1);
    assert_int_equal(g->top, 6);
    assert_int_equal(g->width, 6);
    assert_true(g->coverage[0] >= 255 * 45 / 100 - 4 &&
                g->coverage[0] <= 255 * 45 / 100 + 4); /* 0.9 x 0.5 */
    assert_true(g->coverage[6 + 5] >= 255 * 60 / 100 - 4 &&
                g->coverage[6 + 5] <= 255 * 60 / 100 + 4); /* 0.6 x 1 */
    assert_int_equal(g->coverage[6 + 3], 255);
    /* The pen moves by 7.7 pixels, not by 8. */
    assert_true(abs(line.items[1].x - 77 * FONT_UNITS_PER_PIXEL / 10) <= 1);
    font_close(font);
    arena_destroy(arena);
}

static void test_missing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Font *font = open_fixture(20, 0, arena);
    ShapedText line;
    font_shape(&line, font, "A\u308a\xFFz", arena);
    assert_int_equal(line.count, 4);
    static const uint32_t characters[] = {'A', 0x308A, 0xFFFD, 'z'};
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(line.items[i].character, characters[i]);
        assert_int_equal(line.items[i].missing, i > 0);
        assert_int_equal(line.items[i].x, (i ? 14 + 12 * ((int)i - 1) : 0) * FONT_UNITS_PER_PIXEL);
    }
    const FontGlyph *box = font_glyph(font, &line.items[1]); /* 5 x 7 pixels twice as large */
    assert_int_equal(box->width, 10);
    assert_int_equal(box->coverage[0], 255);
    assert_int_equal(box->coverage[2 * 10 + 2], 0);
    font_close(font);
    arena_destroy(arena);
}

static void test_built_in(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    ShapedText line;
    diag_log_init(&log);
    const FontSpec spec = {.size = 29}; /* two pixels a pixel */
    Font *font = font_open(&spec, &log.diag);
    font_shape(&line, font, "a\u8e0a", arena);
    assert_int_equal(line.count, 2);
    assert_int_equal(line.advance, 2 * 12 * FONT_UNITS_PER_PIXEL);
    assert_false(line.items[0].missing);
    assert_true(line.items[1].missing);
    assert_int_equal(font_ascent(font), 14);
    assert_int_equal(font_descent(font), 4);
    assert_int_equal(text_width(font, "aa"), 22);
    font_close(font);
    arena_destroy(arena);
}

/* Loaded, or refused with a message; what is loaded can be shaped and drawn. */
static void try_font(const uint8_t *data, size_t size)
{
    Arena *arena = arena_create();
    DiagLog log;
    uint8_t pixels[4 * 40 * 20] = {0};
    Image image = {40, 20, true, pixels};
    static const TextColors colors = {{255, 255, 255}, {0, 0, 0}};
    uint8_t *copy = malloc(size + !size); /* for sanitizers */
    diag_log_init(&log);
    memcpy(copy, data, size);
    FontSource source = {.bytes = {copy, size}};
    const FontSpec spec = {.sources = {&source, 1, 1}, .size = 20, .outline_width = 1};
    Font *font = font_open(&spec, &log.diag);
    assert_true(!!font == !log.diag.errors);
    if (font)
        text_draw(&image, font, &colors, 0, 15, "A A\u8e0a");
    font_close(font);
    free(copy);
    arena_destroy(arena);
}

static void damage(Bytes whole, Arena *arena)
{
    uint8_t *damaged = arena_alloc(arena, whole.size);
    for (size_t size = 0; size < whole.size; size++)
        try_font(whole.data, size);
    for (size_t at = 0; at < whole.size; at++) {
        memcpy(damaged, whole.data, whole.size);
        damaged[at] ^= 0xFF;
        try_font(damaged, whole.size);
    }
}

static void test_damage(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    damage(fixture_font(arena), arena);
    damage(fixture_color_font('A', 0x8E0A, arena), arena);
    DiagLog log;
    diag_log_init(&log);
    FontSource source = {.path = "a.ttf", .bytes = {(const uint8_t *)"text", 4}};
    const FontSpec spec = {.sources = {&source, 1, 1}, .size = 20};
    assert_null(font_open(&spec, &log.diag));
    assert_string_equal(log.text, "error: a.ttf: not a TrueType or OpenType font\n");
    assert_int_equal(log.diag.kind, DIAG_DATA);
    arena_destroy(arena);
}

static void test_drawing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Font *font = open_fixture(20, 0, arena);
    uint8_t pixels[4 * 30 * 20] = {0};
    Image image = {30, 20, true, pixels};
    static const TextColors colors = {{10, 20, 30}, {0, 0, 0}};
    static const uint8_t ink[] = {10, 20, 30, 255};
    text_draw(&image, font, &colors, -5, 16,
              "A\u8e0a"); /* clipped at the left: columns 0..6, 11..20 */
    for (int y = 0; y < 20; y++)
        for (int x = 0; x < 30; x++) {
            const bool inside = y >= 6 && y < 16 && (x < 7 || (x >= 11 && x < 21));
            const uint8_t *pixel = pixels + 4 * (y * 30 + x);
            static const uint8_t clear[4] = {0};
            assert_memory_equal(pixel, inside ? ink : clear, 4);
        }
    font_close(font);
    arena_destroy(arena);
}

/* Opens installed fonts for a text; NULL, with the test skipped, if there is more or less than one.
 */
static Font *open_installed(const char *text, Arena *arena)
{
    const FontSpec spec = {.sources = text_fonts_find(NULL, text, arena), .size = 100};
    DiagLog log;
    diag_log_init(&log);
    if (!font_shaping_version() || spec.sources.count != 1 || !spec.sources.items[0].path)
        return NULL;
    uint32_t first;
    Font *font = font_open(&spec, &log.diag);
    assert_non_null(font);
    if (!font_missing(font, text, &first))
        return font;
    font_close(font);
    return NULL;
}

/* A letter and its mark have the width of the letter that has both. */
static void test_installed(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ShapedText line, letter;
    Font *font = open_installed("\u8e0a\u308aAV", arena);
    if (!font) {
        arena_destroy(arena);
        skip();
    }
    font_shape(&letter, font, "\u3071", arena);     /* pa */
    font_shape(&line, font, "\u306f\u309a", arena); /* ha with the mark of pa */
    assert_int_equal(line.advance, letter.advance);
    font_shape(&line, font, "e\u0301", arena);
    font_shape(&letter, font, "\u00e9", arena);
    assert_int_equal(line.advance, letter.advance);
    font_shape(&line, font, "A\u8e0aB", arena); /* three runs */
    assert_int_equal(line.count, 3);
    for (size_t i = 0; i < line.count; i++)
        assert_false(line.items[i].missing);
    font_close(font);
    arena_destroy(arena);
}

static void test_catalog(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FontSources first = {0}, again = {0};
    FontSource found;
    font_catalog_prepare();
    font_catalog_choose(&first, "A", arena);
    if (!first.count) {
        arena_destroy(arena);
        skip();
    }
    assert_int_equal(first.count, 1);
    font_catalog_choose(&again, "A", arena);
    assert_string_equal(first.items[0].path, again.items[0].path);
    again.count = 0;
    font_catalog_choose(&again, "\U0010FFFD", arena); /* of private use */
    assert_true(again.count <= 1);
    if (!first.items[0].colors) {
        assert_true(font_catalog_find(&found, first.items[0].family, arena));
        assert_non_null(found.path);
    }
    assert_false(font_catalog_find(&found, "No such family 1234", arena));
    const char **directories = font_catalog_directories(arena);
    assert_non_null(directories[0]);
    arena_destroy(arena);
}

/*
 * Faces: 0 with 'A' and a kanji, 1 with 'B' and a Hangul syllable, 2 with colors, '1' and a symbol,
 * 3 the built-in font.  All outlines have advances of 14 pixels, spaces of 6.
 */
static void test_faces(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *faces; /* '-': a box */
    } rows[] = {
        {"each character in the first face", "A\u8e0aB\uac00\u2600", "00112"},
        {"spaces stay", "A B A", "00110"},
        {"letters do not", "AzB", "031"},
        {"punctuation stays in the built-in font", "z-A", "330"},
        {"colors keep no spaces or digits", "\u2600 1", "202"},
        {"a letter of colors before the built-in one", "z1", "33"},
        {"a mark is in the face of its letter", "1\u2600\uFE0F", "22"},
        {"no face", "A\u3042", "0-"},
        {"", "", ""},
    };
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    FontSource sources[] = {{.bytes = fixture_font(arena)},
                            {.bytes = fixture_font_of('B', 0xAC00, arena)},
                            {.bytes = fixture_color_font('1', 0x2600, arena)},
                            {0}};
    const FontSpec spec = {.sources = {sources, 4, 4}, .size = 20};
    Font *font = font_open(&spec, &log.diag);
    assert_non_null(font);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ShapedText line;
        char faces[16] = "";
        font_shape(&line, font, rows[i].text, arena);
        size_t count = 0;
        for (size_t k = 0; k < line.count; k++)
            if (line.items[k].character != 0xFE0F)
                faces[count++] =
                    line.items[k].missing ? '-' : (char)('0' + (int)line.items[k].face);
        if (strcmp(faces, rows[i].faces) != 0)
            fail_msg("%s: %s", rows[i].what, faces);
    }
    uint32_t missing = 0;
    assert_int_equal(font_missing(font, "A\u3042\n\u3042\u3044", &missing), 2);
    assert_int_equal(missing, 0x3042);
    assert_true(font_has(font, 0xAC00) && font_has(font, 'z') && !font_has(font, 0x3042));
    font_close(font);
    arena_destroy(arena);
}

/* A face alone, and first of several: the same glyphs at the same places. */
static void test_first_face(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Font *alone = open_fixture(20, 1, arena);
    DiagLog log;
    diag_log_init(&log);
    FontSource sources[] = {{.bytes = fixture_font(arena)}, {0}};
    const FontSpec spec = {.sources = {sources, 2, 2}, .size = 20, .outline_width = 1};
    Font *first = font_open(&spec, &log.diag);
    ShapedText a, b;
    font_shape(&a, alone, "A\u8e0a A", arena);
    font_shape(&b, first, "A\u8e0a A", arena);
    assert_int_equal(a.count, b.count);
    for (size_t i = 0; i < a.count; i++)
        assert_true(a.items[i].x == b.items[i].x && a.items[i].glyph == b.items[i].glyph);
    assert_int_equal(font_ascent(alone), font_ascent(first));
    font_close(alone);
    font_close(first);
    arena_destroy(arena);
}

/* 16 pixels per em: a picture of 8 x 8 from 2 right of the pen, in its own color. */
static void test_colors(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    FontSource source = {.bytes = fixture_color_font('A', 0x2600, arena)};
    const FontSpec spec = {.sources = {&source, 1, 1}, .size = 16};
    Font *font = font_open(&spec, &log.diag);
    assert_non_null(font);
    uint8_t pixels[4 * 16 * 16] = {0};
    Image image = {16, 16, true, pixels};
    static const TextColors colors = {{10, 20, 30}, {0, 0, 0}};
    static const uint8_t red[] = {200, 0, 0, 255}, clear[4] = {0};
    text_draw(&image, font, &colors, 1, 12, "\u2600");
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 16; x++) {
            const bool inside = x >= 3 && x < 11 && y >= 4 && y < 12;
            assert_memory_equal(pixels + 4 * (y * 16 + x), inside ? red : clear, 4);
        }
    font_close(font);
    arena_destroy(arena);
}

/* Ascent and descent are one em together: a line of 20 pixels has 20 pixels per em. */
static void test_line_height(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    DiagLog log;
    ShapedText line;
    diag_log_init(&log);
    const FontSpec spec = {.sources = fixture_fonts(arena), .size = 20, .unit = FONT_PER_LINE};
    Font *font = font_open(&spec, &log.diag);
    font_shape(&line, font, "AA", arena);
    assert_int_equal(line.advance, 28 * FONT_UNITS_PER_PIXEL);
    font_close(font);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glyphs),    cmocka_unit_test(test_half_pixels),
        cmocka_unit_test(test_missing),   cmocka_unit_test(test_built_in),
        cmocka_unit_test(test_damage),    cmocka_unit_test(test_drawing),
        cmocka_unit_test(test_installed), cmocka_unit_test(test_catalog),
        cmocka_unit_test(test_faces),     cmocka_unit_test(test_first_face),
        cmocka_unit_test(test_colors),    cmocka_unit_test(test_line_height),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
