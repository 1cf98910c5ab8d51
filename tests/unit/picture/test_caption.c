// SPDX-License-Identifier: MIT
/* caption, burn_in: shapes, positions and texts computed by hand */

#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "font_fixture.h"
#include "job/burn_in_text.h"
#include "picture/caption.h"
#include "typesetting/font.h"
#include "unit_test.h"

/* ---- caption ---- */

enum { WIDTH = 18, HEIGHT = 14 };

static void test_places(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text;
        bool font;
        CaptionCorner corner;
        const char *rows[HEIGHT]; /* # white, o black, . as it was */
    } cases[] = {
        {"a dash, 3 from the corner, its row 3 below the top of letters",
         "-",
         false,
         CAPTION_TOP_LEFT,
         {"..................", "..................", "..................", "..................",
          "..................", "..ooooooo.........", "..o#####o.........", "..ooooooo.........",
          "..................", "..................", "..................", "..................",
          "..................", ".................."}},
        {"2 rows under the line, 3 from the corner",
         "_",
         false,
         CAPTION_BOTTOM_RIGHT,
         {"..................", "..................", "..................", "..................",
          "..................", "..................", "..................", "..................",
          ".........ooooooo..", ".........o#####o..", ".........ooooooo..", "..................",
          "..................", ".................."}},
        {"outlines are drawn below letters",
         "--",
         false,
         CAPTION_TOP_RIGHT,
         {"..................", "..................", "..................", "..................",
          "..................", "...ooooooooooooo..", "...o#####o#####o..", "...ooooooooooooo..",
          "..................", "..................", "..................", "..................",
          "..................", ".................."}},
        {"too long: the beginning is seen",
         "---",
         false,
         CAPTION_BOTTOM_RIGHT,
         {"..................", "..................", "..................", "..................",
          "..oooooooooooooooo", "..o#####o#####o###", "..oooooooooooooooo", "..................",
          "..................", "..................", "..................", "..................",
          "..................", ".................."}},
        {"a font's square: 1 right of the pen, its baseline 2 above the descent",
         "A",
         true,
         CAPTION_BOTTOM_LEFT,
         {"..................", "..................", "..................", "...ooooooo........",
          "...o#####o........", "...o#####o........", "...o#####o........", "...o#####o........",
          "...o#####o........", "...ooooooo........", "..................", "..................",
          "..................", ".................."}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        uint8_t pixels[4 * WIDTH * HEIGHT];
        memset(pixels, 100, sizeof pixels);
        Image image = {WIDTH, HEIGHT, true, pixels};
        const CaptionSpec spec = {.fonts = cases[i].font ? fixture_fonts(arena) : (FontSources){0},
                                  .corner = cases[i].corner,
                                  .longest = cases[i].text,
                                  .width = WIDTH,
                                  .height = HEIGHT};
        Caption *caption = caption_create(&spec, arena, &log.diag);
        assert_non_null(caption);
        caption_draw(&image, caption, cases[i].text);
        for (int p = 0; p < WIDTH * HEIGHT; p++) {
            const char want = cases[i].rows[p / WIDTH][p % WIDTH];
            const uint8_t shade = want == '#' ? 255 : want == 'o' ? 0 : 100;
            const uint8_t alpha = want == '.' ? 100 : 255;
            const uint8_t *got = pixels + 4 * p;
            if (got[0] != shade || got[1] != shade || got[2] != shade || got[3] != alpha)
                fail_msg("%s: pixel %d, %d is %d with alpha %d", cases[i].what, p % WIDTH,
                         p / WIDTH, got[0], got[3]);
        }
        caption_destroy(caption);
        arena_destroy(arena);
    }
}

/* Where there is ink of full white: left, right, top, bottom. */
static void find_ink(int box[4], const CaptionSpec *spec, const char *text)
{
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    Caption *caption = caption_create(spec, arena, &log.diag);
    const size_t count = (size_t)spec->width * (size_t)spec->height;
    Image image = {spec->width, spec->height, true, arena_calloc(arena, count, 4)};
    assert_non_null(caption);
    caption_draw(&image, caption, text);
    box[0] = spec->width, box[1] = -1, box[2] = spec->height, box[3] = -1;
    for (int y = 0; y < spec->height; y++)
        for (int x = 0; x < spec->width; x++)
            if (image.pixels[4 * (y * spec->width + x)] == 255) {
                box[0] = x < box[0] ? x : box[0];
                box[1] = x > box[1] ? x : box[1];
                box[2] = y < box[2] ? y : box[2];
                box[3] = y > box[3] ? y : box[3];
            }
    caption_destroy(caption);
    arena_destroy(arena);
}

/* Four letters are 23 wide and 7 high, 3 from the corner; all of it grows by whole factors. */
static void test_sizes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int width, height, scale;
    } rows[] = {
        {"a thumbnail", 64, 36, 1},
        {"359 rows", 640, 359, 1},
        {"360 rows", 640, 360, 2},
        {"of television", 1920, 1080, 5},
        {"29 of 3 are 87", 87, 1080, 3},
        {"and no more", 86, 1080, 2},
        {"where even one is too large", 20, 1080, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int s = rows[i].scale, w = rows[i].width;
        const CaptionSpec spec = {.longest = "HHHH", .width = w, .height = rows[i].height};
        int box[4];
        find_ink(box, &spec, "HHHH");
        const int right = 26 * s - 1 < w ? 26 * s - 1 : w - 1;
        if (box[0] != 3 * s || box[1] != right || box[2] != 3 * s || box[3] != 10 * s - 1)
            fail_msg("%s: %d..%d, %d..%d", rows[i].what, box[0], box[1], box[2], box[3]);
    }
    /* A shorter text has letters of the same size. */
    const CaptionSpec spec = {
        .longest = "HHHH", .width = 87, .height = 1080, .corner = CAPTION_BOTTOM_RIGHT};
    int box[4];
    find_ink(box, &spec, "H");
    assert_int_equal(box[0], 87 - 9 - 15);
    assert_int_equal(box[1], 87 - 9 - 1);
    assert_int_equal(box[3], 1080 - 9 - 6 - 1);
}

static void test_clear(void **state)
{
    (void)state;
    uint8_t pixels[4 * 12 * 12] = {0};
    Arena *arena = arena_create();
    DiagLog log;
    diag_log_init(&log);
    Image image = {12, 12, true, pixels};
    const CaptionSpec spec = {.longest = "|", .width = 12, .height = 12};
    Caption *caption = caption_create(&spec, arena, &log.diag);
    caption_draw(&image, caption, "|");
    caption_destroy(caption);
    static const uint8_t white[4] = {255, 255, 255, 255}, dark[4] = {0, 0, 0, 255}, clear[4] = {0};
    assert_memory_equal(pixels + 4 * (5 * 12 + 5), white, 4); /* the third column from 3 */
    assert_memory_equal(pixels + 4 * (5 * 12 + 4), dark, 4);
    assert_memory_equal(pixels + 4 * (5 * 12 + 3), clear, 4);
    arena_destroy(arena);
}

static void test_boxes(void **state)
{
    (void)state;
    /* As high as letters, and as wide. */
    const CaptionSpec spec = {.longest = "\u8e0a", .width = 64, .height = 36};
    int box[4];
    find_ink(box, &spec, "\u8e0a");
    assert_int_equal(box[1] - box[0] + 1, 5);
    assert_int_equal(box[3] - box[2] + 1, 7);
}

/* ---- texts ---- */

static void test_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        Rational fps;
        int64_t frame;
        const char *wanted;
    } rows[] = {
        {"{name} {frame} {time}", {60, 1}, 0, "dance 0 0:00.000"},
        {"{name} {frame} {time}", {60, 1}, 1234, "dance 1234 0:20.567"}, /* 20.5666... */
        {"{time}", {30000, 1001}, 1, "0:00.033"},
        {"{time}", {30000, 1001}, 1800, "1:00.060"},
        {"{time}", {24, 1}, 86400, "60:00.000"},
        {"{time}", {240, 1}, 14399, "0:59.996"}, /* 59.99583 */
        {"{time}", {60, 1}, 99999999, "27777:46.650"},
        {"{{name}} {{ }} } {{{frame}}}", {30, 1}, 7, "{name} { } } {7}"},
        {"\u8e0a\u308a {frame}", {30, 1}, 7, "\u8e0a\u308a 7"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        JobBurnIn burn_in = {.text = rows[i].text};
        const Job job = {.name = "dance", .render.fps = rows[i].fps, .burn_in = &burn_in};
        char text[BURN_IN_TEXT_SIZE], word[16];
        assert_true(burn_in_text_check(rows[i].text, word, sizeof word));
        burn_in_text(text, &job, rows[i].frame);
        assert_string_equal(text, rows[i].wanted);
    }
}

static void test_unknown(void **state)
{
    (void)state;
    static const struct {
        const char *text, *word;
    } rows[] = {
        {"{frame} of {frames}", "{frames}"},
        {"{}", "{}"},
        {"{", "{"},
        {"a {name", "{name"},
        {"{{{Name}", "{Name}"},
        {"{ time }", "{ time }"},
        {"{0123456789abcdef", "{0123456789abcd"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char word[16] = "";
        assert_false(burn_in_text_check(rows[i].text, word, sizeof word));
        assert_string_equal(word, rows[i].word);
    }
}

/* Whole characters of three bytes: 341 of them are 1023. */
static void test_long(void **state)
{
    (void)state;
    for (size_t before = 0; before < 3; before++) {
        char text[4096] = "", out[BURN_IN_TEXT_SIZE];
        for (size_t i = 0; i < before; i++)
            strcat(text, "a");
        for (size_t i = 0; i < 500; i++)
            strcat(text, "\u8e0a");
        JobBurnIn burn_in = {.text = text};
        const Job job = {.name = "dance", .render.fps = {30, 1}, .burn_in = &burn_in};
        burn_in_text(out, &job, 0);
        assert_int_equal(strlen(out), before + 3 * ((1023 - before) / 3));
        assert_memory_equal(out, text, strlen(out));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_places), cmocka_unit_test(test_sizes), cmocka_unit_test(test_clear),
        cmocka_unit_test(test_boxes),  cmocka_unit_test(test_texts), cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
