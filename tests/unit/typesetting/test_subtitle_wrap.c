// SPDX-License-Identifier: MIT
/* subtitle_wrap: rows worked out by hand, in a font whose letters are all 7/10 of their size wide
 */

#include <stdlib.h>
#include <string.h>

#include "diag_log.h"
#include "font_fixture.h"
#include "typesetting/subtitle_wrap.h"
#include "unit_test.h"

/* The text of the only line of a file, in a frame; free with the arena. */
static const char *wrapped(const char *text, int width, int height, Arena *arena)
{
    DiagLog log;
    SubtitleScript script;
    diag_log_init(&log);
    const char *file = arena_printf(arena, "00:00:01,000 --> 00:00:02,000\n%s\n", text);
    const Bytes bytes = {(const uint8_t *)file, strlen(file)};
    assert_true(subtitle_text_read(&script, bytes, width, height, arena, &log.diag));
    const SubtitleWrap wrap = {fixture_fonts(arena), width, height, 1};
    assert_true(subtitle_wrap(&script, &wrap, arena, &log.diag));
    const char *event = strstr(script.text, ",Default,,0,0,0,,");
    assert_non_null(event);
    return arena_strndup(arena, event + 17, strcspn(event + 17, "\n"));
}

#define K "\u8e0a" /* a kanji of the font, as wide as its letters */
#define K5 K K K K K

/*
 * A square frame: (1920 - 120) / 1920 of 1080 pixels for letters of 72 * 0.7 = 50.4: 20 of them.
 * 9:16: 950 of 1080 script pixels: 18.  16:9: 1800 pixels: 35.
 */
static void test_rows(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        int width, height;
        const char *text, *expected;
    } rows[] = {
        {"20 fit a square", 100, 100, K5 K5 K5 K5, K5 K5 K5 K5},
        {"21 are two rows of similar widths", 100, 100, K5 K5 K5 K5 K, K5 K5 K "\\N" K5 K5},
        {"18 fit a tall frame", 90, 160, K5 K5 K5 K K K, K5 K5 K5 K K K},
        {"19 do not", 90, 160, K5 K5 K5 K K K K, K5 K5 "\\N" K5 K K K K},
        {"in another size of it", 1080, 1920, K5 K5 K5 K K K K, K5 K5 "\\N" K5 K K K K},
        {"35 fit 16:9", 160, 90, K5 K5 K5 K5 K5 K5 K5, K5 K5 K5 K5 K5 K5 K5},
        {"36 do not", 160, 90, K5 K5 K5 K5 K5 K5 K5 K, K5 K5 K5 K K K "\\N" K5 K5 K5 K K K},
        {"45 fit 21:9", 210, 90, K5 K5 K5 K5 K5 K5 K5 K5 K5, K5 K5 K5 K5 K5 K5 K5 K5 K5},
        {"after a space, which is dropped", 100, 100, K5 K5 K K " " K5 K5, K5 K5 K K "\\N" K5 K5},
        {"words of Latin letters stay whole", 100, 100, K5 K K K K "AAAAAAAAAAAAAA",
         K5 K K K K "\\NAAAAAAAAAAAAAA"},
        {"Latin lines are left to libass", 100, 100, "AAAAAAAAAAAAAAAAAAAA AAAAAAAAAAAAA",
         "AAAAAAAAAAAAAAAAAAAA AAAAAAAAAAAAA"},
        {"three rows", 100, 100, K5 K5 K5 K5 K5 K5 K5 K5 K,
         K5 K5 K K K K "\\N" K5 K5 K K K K "\\N" K5 K5 K K K},
        {"tags", 100, 100, "<b>" K5 K5 "</b>" K5 K5 "<i>" K "</i>",
         "{\\b1}" K5 K5 "{\\b0}" K "\\N" K K K K K5 "{\\i1}" K "{\\i0}"},
        {"lines of their own", 100, 100, K "\n" K5 K5 K5 K5 K, K "\\N" K5 K5 K "\\N" K5 K5},
        {"a brace is a letter", 100, 100, "{" K5 K5 K5 K5, "\\{" K5 K5 "\\N" K5 K5},
        {"nothing", 100, 100, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const char *got = wrapped(rows[i].text, rows[i].width, rows[i].height, arena);
        if (strcmp(got, rows[i].expected) != 0)
            fail_msg("%s: %s", rows[i].what, got);
        arena_destroy(arena);
    }
}

/* What a row holds is never wider than the frame, and breaks only add bytes. */
static void test_long_lines(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    enum { COUNT = 5000 };
    char *text = arena_alloc(arena, 3 * COUNT + 1);
    for (int i = 0; i < COUNT; i++)
        memcpy(text + 3 * (size_t)i, K, 4);
    const char *got = wrapped(text, 100, 100, arena);
    size_t rows = 1;
    for (const char *at = got; (at = strstr(at, "\\N")) != NULL; at += 2)
        rows++;
    assert_int_equal(rows, COUNT / 20);
    assert_int_equal(strlen(got), 3 * COUNT + 2 * (rows - 1));
    arena_destroy(arena);
}

/* The letters are 72/1080 of the shorter side; margins of a tall frame. */
static void test_layouts(void **state)
{
    (void)state;
    static const struct {
        int width, height;
        SubtitleLayout expected;
    } rows[] = {
        {1920, 1080, {1920, 1080, 60, 54, 72}},  {320, 180, {1920, 1080, 60, 54, 72}},
        {2520, 1080, {1920, 1080, 60, 54, 72}},  {1080, 1080, {1920, 1080, 60, 54, 72}},
        {1080, 1920, {1080, 1920, 65, 384, 72}}, {90, 160, {1080, 1920, 65, 384, 72}},
        {1080, 2160, {1080, 2160, 65, 432, 72}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        SubtitleScript script;
        static const char file[] = "00:00:01,000 --> 00:00:02,000\na\n";
        diag_log_init(&log);
        assert_true(subtitle_text_read(&script, (Bytes){(const uint8_t *)file, sizeof file - 1},
                                       rows[i].width, rows[i].height, arena, &log.diag));
        if (memcmp(&script.layout, &rows[i].expected, sizeof script.layout) != 0)
            fail_msg("row %zu: %d %d %d %d", i, script.layout.width, script.layout.height,
                     script.layout.side, script.layout.bottom);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows),
                                       cmocka_unit_test(test_long_lines),
                                       cmocka_unit_test(test_layouts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
