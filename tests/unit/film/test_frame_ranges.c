// SPDX-License-Identifier: MIT
/* frame_ranges: lists of ranges and their texts, written by hand */

#include <string.h>

#include "film/film.h"
#include "film/frame_ranges.h"
#include "unit_test.h"

static void test_growing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameRangeList set = {0};
    frame_ranges_add(&set, (FrameRange){3, 3}, arena);
    frame_ranges_add(&set, (FrameRange){4, 4}, arena);
    frame_ranges_add(&set, (FrameRange){5, 9}, arena);
    frame_ranges_add(&set, (FrameRange){11, 11}, arena);
    const FrameRanges frames = {set.items, set.count};
    assert_string_equal(frame_ranges_text(&frames, arena), "3-9,11");
    arena_destroy(arena);
}

static void test_many(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    FrameRangeList set = {0};
    for (int64_t i = 0; i < 23; i++) /* numbers with the most digits */
        frame_ranges_add(&set, (FrameRange){99999900 + 4 * i, 99999901 + 4 * i}, arena);
    const FrameRanges frames = {set.items, set.count};
    const char *text = frame_ranges_text(&frames, arena);
    const char *start = "99999900-99999901,99999904-99999905,",
               *end = ",99999976-99999977 and 3 more ranges";
    assert_memory_equal(text, start, strlen(start));
    assert_string_equal(text + strlen(text) - strlen(end), end);
    arena_destroy(arena);
}

/* Indices 0..3 are the frames 5..8, indices 4..6 the frames 20..22. */
static void test_spans(void **state)
{
    static const struct {
        FilmSpan span;
        const char *text;
    } rows[] = {
        {{0, 7}, "5-8,20-22"}, {{0, 1}, "5"},    {{3, 5}, "8,20"}, {{4, 7}, "20-22"},
        {{1, 4}, "6-8"},       {{6, 100}, "22"}, {{2, 2}, ""},     {{7, 9}, ""},
    };
    FrameRange ranges[] = {{5, 8}, {20, 22}};
    const Film film = {.frames = {ranges, 2}};
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const FrameRanges frames = frame_ranges_of_span(&film, rows[i].span, arena);
        assert_string_equal(frame_ranges_text(&frames, arena), rows[i].text);
    }
    arena_destroy(arena);
}

static void test_written(void **state)
{
    FrameRange ranges[] = {{0, 99}, {400, 400}};
    const FrameRanges frames = {ranges, 2}, none = {NULL, 0};
    char text[128] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    (void)state;
    assert_non_null(out);
    frame_ranges_write(out, &frames);
    fputc(' ', out);
    frame_ranges_write(out, &none);
    fclose(out);
    assert_string_equal(text, "0-99,400 none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_growing), cmocka_unit_test(test_many),
                                       cmocka_unit_test(test_spans),
                                       cmocka_unit_test(test_written)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
