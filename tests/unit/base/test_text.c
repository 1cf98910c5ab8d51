// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "unit_test.h"

/* What is read from bytes that are not UTF-8, and so may hold NUL. */
typedef struct Row {
    const char *what;
    const char *bytes;
    size_t size;
    const char *expected;
} Row;

static void expect_rows(const Row *rows, size_t count, char *(*from)(const void *, size_t, Arena *))
{
    Arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        const char *text = from(rows[i].bytes, rows[i].size, arena);
        if (strcmp(text, rows[i].expected))
            fail_msg("%s: '%s', not '%s'", rows[i].what, text, rows[i].expected);
        assert_true(text_is_utf8(text, strlen(text)));
    }
    arena_destroy(arena);
}

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define BAD "\xEF\xBF\xBD"

static void test_from_utf16le(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"nothing", "", 0, ""},
        {"ASCII", "a\0b\0", 4, "ab"},
        {"mark and NULs at the ends",
         "\xFF\xFE"
         "a\0\0\0\0\0",
         8, "a"},
        {"kana", "\xBB\x30\xF3\x30", 4, "セン"},
        {"pair", "\x3D\xD8\x00\xDE", 4, "😀"},
        {"half a pair",
         "\x3D\xD8"
         "a\0",
         4, BAD "a"},
        {"the other half",
         "\x00\xDE"
         "a\0",
         4, BAD "a"},
        {"half a pair at the end", "\x3D\xD8", 2, BAD},
        {"an odd byte", "a\0b", 3, "a" BAD},
        {"one byte", "a", 1, BAD},
    };
    expect_rows(rows, COUNT(rows), text_from_utf16le);
}

static void test_from_utf8(void **state)
{
    (void)state;
    static const Row rows[] = {
        {"nothing", "", 0, ""},
        {"good", "センター😀", 16, "センター😀"},
        {"mark", "\xEF\xBB\xBFz", 4, "z"},
        {"NUL", "a\0b", 3, "a"},
        {"a lone byte", "a\xFFz", 3, "a" BAD "z"},
        {"cut", "\xE3\x82", 2, BAD BAD},
        {"too long a form", "\xC0\x80", 2, BAD BAD},
        {"a surrogate", "\xED\xA0\x80", 3, BAD BAD BAD},
        {"above U+10FFFF", "\xF4\x90\x80\x80", 4, BAD BAD BAD BAD},
    };
    expect_rows(rows, COUNT(rows), text_from_utf8);
}

static void test_fold(void **state)
{
    (void)state;
    static const struct {
        const char *what, *in, *folded;
    } rows[] = {
        {"ASCII", "Tex.PNG", "tex.png"},  {"kana with its mark apart", "か\u3099", "が"},
        {"accent apart", "E\u0301", "é"}, {"full width keeps its width", "Ａ", "ａ"},
        {"sharp s", "ß", "ss"},           {"empty", "", ""},
    };
    Arena *arena = arena_create();
    for (size_t i = 0; i < COUNT(rows); i++)
        if (strcmp(text_fold(rows[i].in, arena), rows[i].folded))
            fail_msg("%s: %s", rows[i].what, text_fold(rows[i].in, arena));
    arena_destroy(arena);
}

static void test_distance(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        unsigned distance;
    } rows[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "abc", 0},
        {"kitten", "sitting", 3},
        {"fps", "fsp", 1},
        {"size", "sizes", 1},
        {"saturday", "sunday", 3},
        {"ca", "abc", 3},
    };
    for (size_t i = 0; i < COUNT(rows); i++)
        if (text_distance(rows[i].a, rows[i].b) != rows[i].distance ||
            text_distance(rows[i].b, rows[i].a) != rows[i].distance)
            fail_msg("%s, %s: %u", rows[i].a, rows[i].b, text_distance(rows[i].a, rows[i].b));
    char longer[500];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_int_equal(text_distance(longer, ""), TEXT_SHORT);
}

static TextNames known(const char *const *names, size_t count)
{
    return (TextNames){names, count, sizeof *names, 0};
}

static void test_nearest(void **state)
{
    (void)state;
    static const char *const names[] = {"size",    "fps",         "frames",
                                        "samples", "supersample", "workers"};
    static const struct {
        const char *text, *nearest;
    } rows[] = {
        {"fsp", "fps"},
        {"FPS", "fps"},
        {"frame", "frames"},
        {"sample", "samples"},
        {"suprsampel", "supersample"},
        {"super", "supersample"}, /* a part of it */
        {"ample", "samples"},     /* the shortest with this part */
        {"color", NULL},
        {"x", NULL},
        {"er", NULL}, /* too short to be a part */
        {"", NULL},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        const char *nearest = text_nearest(rows[i].text, names, COUNT(names));
        if (nearest != rows[i].nearest &&
            (!nearest || !rows[i].nearest || strcmp(nearest, rows[i].nearest)))
            fail_msg("%s: %s", rows[i].text, nearest ? nearest : "none");
    }
    assert_null(text_nearest("size", names, 0));

    Arena *arena = arena_create();
    assert_string_equal(text_suggestion("fsp", known(names, 6), arena), "; did you mean 'fps'?");
    assert_string_equal(text_suggestion("color", known(names, 3), arena),
                        "; known here: size, fps, frames");
    const char *const many[] = {"a", "b", "c", "d", "e", "f", "g"};
    assert_string_equal(text_suggestion("color", known(many, 7), arena),
                        "; known here: a, b, c, d, e, f, ... (7)");
    assert_string_equal(text_suggestion("color", known(many, 0), arena), "");
    arena_destroy(arena);
}

static void test_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool is_double, is_int;
        double value;
    } rows[] = {
        {"0", true, true, 0},
        {"-12", true, true, -12},
        {"+5", true, true, 5},
        {"0.25", true, false, 0.25},
        {".5", true, false, 0.5},
        {"1e3", true, false, 1000},
        {"9223372036854775807", true, true, 9223372036854775807.0},
        {"9223372036854775808", true, false, 9223372036854775808.0},
        {"12x80", false, false, 0},
        {" 1", false, false, 0},
        {"1 ", false, false, 0},
        {"1,5", false, false, 0},
        {"", false, false, 0},
        {"-", false, false, 0},
        {"1e", false, false, 0},
        {"nan", false, false, 0},
        {"inf", false, false, 0},
        {"1e999", false, false, 0},
        {"0x10", false, false, 0},
        {"sixty", false, false, 0},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        double d = 0;
        int64_t n = 0;
        if (text_to_double(&d, rows[i].text) != rows[i].is_double || d != rows[i].value)
            fail_msg("'%s' as a double", rows[i].text);
        if (text_to_int64(&n, rows[i].text) != rows[i].is_int ||
            (rows[i].is_int && (double)n != rows[i].value))
            fail_msg("'%s' as an integer", rows[i].text);
    }
}

/* Words of POSIX shells, XCU 2.2. */
static void test_shell_words(void **state)
{
    (void)state;
    static const char *const rows[][2] = {{"render", "render"}, {"--set=a.b,c", "--set=a.b,c"},
                                          {"", "''"},           {"a b", "'a b'"},
                                          {"$x", "'$x'"},       {"it's", "'it'\\''s'"},
                                          {"'", "''\\'''"},     {"踊り.yaml", "'踊り.yaml'"}};
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(text_shell_word(rows[i][0], arena), rows[i][1]);
    assert_string_equal(text_shell_quote("plain", arena), "'plain'");
    arena_destroy(arena);
}

/* The first of equal names is found; NULL is no name, and ends a list of choices. */
static void test_find(void **state)
{
    (void)state;
    static const char *const words[] = {"a", NULL, "b", "B", "b"};
    typedef struct Item {
        int number;
        const char *name;
    } Item;
    static const Item items[] = {{1, "x"}, {2, "y"}};
    const TextNames choices = text_choices(words);

    assert_int_equal(text_find(TEXT_ARRAY(words), "b"), 2);
    assert_int_equal(text_find(TEXT_ARRAY(words), "B"), 3);
    assert_int_equal(text_find(TEXT_ARRAY(words), "c"), -1);
    assert_int_equal(text_find(TEXT_WORDS(words, 2), "b"), -1);
    assert_int_equal(text_find_ignoring_case(TEXT_ARRAY(words), "A"), 0);
    assert_int_equal(text_find_ignoring_case(TEXT_ARRAY(words), "B"), 2);
    assert_int_equal(text_find_ignoring_case(TEXT_ARRAY(words), ""), -1);
    assert_int_equal(text_find(TEXT_NAMES(Item, name, items, 2), "y"), 1);
    assert_int_equal(choices.count, 1);
    assert_int_equal(text_find(choices, "a"), 0);
    assert_int_equal(text_find(text_choices(NULL), "a"), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shell_words), cmocka_unit_test(test_from_utf16le),
        cmocka_unit_test(test_from_utf8),   cmocka_unit_test(test_fold),
        cmocka_unit_test(test_distance),    cmocka_unit_test(test_nearest),
        cmocka_unit_test(test_numbers),     cmocka_unit_test(test_find),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
