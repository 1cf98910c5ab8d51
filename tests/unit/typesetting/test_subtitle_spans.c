// SPDX-License-Identifier: MIT
/* subtitle_spans: the times of a script, and what changes the digest of each */

#include <string.h>

#include "typesetting/subtitle_spans.h"
#include "unit_test.h"

#define HEAD                                                                                   \
    "[Script Info]\nPlayResX: 64\n[V4+ Styles]\nFormat: Name, Fontname\nStyle: Default,sans\n" \
    "[Events]\nFormat: Layer, Start, End, Style, Text\n"
#define LINE(start, end, text) "Dialogue: 0,0:00:" start ",0:00:" end ",Default," text "\n"

static SubtitleSpans spans_of(const char *script, Arena *arena)
{
    SubtitleSpans spans;
    subtitle_spans_find(&spans, script, arena);
    return spans;
}

/* Lines that meet in time are one span, in whatever order; before, between and after is nothing. */
static void test_times(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const SubtitleSpans spans =
        spans_of(HEAD LINE("05.00", "06.00", "c") LINE("01.00", "03.00", "a")
                     LINE("02.50", "04.00", "b") LINE("04.00", "04.50", "d"),
                 arena);
    static const struct {
        int64_t ms;
        int span; /* -1: none */
    } rows[] = {{0, -1},    {999, -1}, {1000, 0}, {2999, 0},  {3999, 0}, {4000, 1},  {4499, 1},
                {4500, -1}, {5000, 2}, {5999, 2}, {6000, -1}, {-10, -1}, {99999, -1}};
    assert_int_equal(spans.count, 3);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const SubtitleSpan *span = subtitle_spans_at(&spans, rows[i].ms);
        assert_int_equal(span ? span - spans.items : -1, rows[i].span);
    }
    arena_destroy(arena);
}

/* A word changes the span of its line, a style all of them; another line moves none. */
static void test_digests(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    static const char a[] = HEAD LINE("01.00", "02.00", "a") LINE("03.00", "04.00", "b");
    static const char word[] = HEAD LINE("01.00", "02.00", "a") LINE("03.00", "04.00", "c");
    static const char more[] =
        HEAD LINE("00.10", "00.20", "x") LINE("01.00", "02.00", "a") LINE("03.00", "04.00", "b");
    char style[sizeof a];
    strcpy(style, a);
    memcpy(strstr(style, "sans"), "mono", 4);
    const SubtitleSpans first = spans_of(a, arena), second = spans_of(word, arena),
                        third = spans_of(more, arena), fourth = spans_of(style, arena);
    assert_true(digest_equal(&first.items[0].digest, &second.items[0].digest));
    assert_false(digest_equal(&first.items[1].digest, &second.items[1].digest));
    assert_true(digest_equal(&first.items[0].digest, &third.items[1].digest));
    assert_true(digest_equal(&first.items[1].digest, &third.items[2].digest));
    assert_false(digest_equal(&first.items[0].digest, &fourth.items[0].digest));
    assert_false(digest_equal(&first.items[1].digest, &fourth.items[1].digest));
    arena_destroy(arena);
}

/* Scripts whose times are not read are one span. */
static void test_other_scripts(void **state)
{
    (void)state;
    static const char *const scripts[] = {
        HEAD LINE("01.00", "xx", "a"),
        HEAD "Dialogue: 0,0:00:01.00\n",
        HEAD "Dialogue:\n",
        "[Events]\nFormat: Start, End, Layer, Text\nDialogue: 0:00:01.00,0:00:02.00,0,a\n",
        HEAD LINE("9999999.00", "04.00", "a"),
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        const SubtitleSpans spans = spans_of(scripts[i], arena);
        assert_int_equal(spans.count, 1);
        assert_non_null(subtitle_spans_at(&spans, -1));
        assert_non_null(subtitle_spans_at(&spans, 1 << 30));
    }
    assert_int_equal(spans_of("", arena).count, 0);
    assert_int_equal(spans_of(HEAD, arena).count, 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_times),
        cmocka_unit_test(test_digests),
        cmocka_unit_test(test_other_scripts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
