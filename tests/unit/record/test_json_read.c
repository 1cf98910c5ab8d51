// SPDX-License-Identifier: MIT
/* json_read: what RFC 8259 allows, and nothing else; rows beside the grammar there; kinds of
 * values, members and items that exist or do not */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "record/json_read.h"
#include "unit_test.h"

typedef struct TextRow {
    const char *json, *expected; /* NULL: refused */
} TextRow;

static void check_texts(const TextRow *rows, size_t count,
                        const JsonValue *(*read)(unsigned *line, const void *text, size_t size,
                                                 Arena *arena))
{
    Arena *arena = arena_create();
    for (size_t i = 0; i < count; i++) {
        const JsonValue *value = read(NULL, rows[i].json, strlen(rows[i].json), arena);
        const char *text = json_string(value, NULL);
        if (!text != !rows[i].expected || (text && strcmp(text, rows[i].expected) != 0))
            fail_msg("%s: '%s'", rows[i].json, text ? text : "");
    }
    arena_destroy(arena);
}

static void test_texts(void **state)
{
    static const TextRow rows[] = {
        {"\"\"", ""},
        {" \"a b\"\n", "a b"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u30AB\"", "A\xC3\xA9\xE3\x82\xAB"},
        {"\"\\uD83D\\uDE00\"", "\xF0\x9F\x98\x80"}, /* U+1F600, by its surrogates */
        {"\"\xE8\xB8\x8A\xE3\x82\x8A\"", "\xE8\xB8\x8A\xE3\x82\x8A"},
        {"\"a", NULL},
        {"a", NULL},
        {"\"a\\\"", NULL},
        {"\"\\x41\"", NULL},
        {"\"\\u004\"", NULL},
        {"\"\\u00g1\"", NULL},
        {"\"\\u0000\"", NULL}, /* no NUL in our texts */
        {"\"\\uD83D\"", NULL},
        {"\"\\uDE00\"", NULL},
        {"\"\\uD83D\\u0041\"", NULL},
        {"\"\n\"", NULL},
        {"\"\xFF\"", NULL},
        {"\"\xC0\x80\"", NULL},
        {"\"a\" 1", NULL},
    };
    (void)state;
    check_texts(rows, sizeof rows / sizeof *rows, json_read);
}

/* What json.h writes for bytes that are not UTF-8: bytes again in files of this program only. */
static void test_bytes(void **state)
{
    static const TextRow rows[] = {
        {"\"f\\udc8a\\udcE7.pmx\"", "f\x8A\xE7.pmx"},
        {"\"\\udc80\\udcff\"", "\x80\xFF"},
        {"\"\\uD83D\\uDE00\"", "\xF0\x9F\x98\x80"},
        {"\"\\udc7f\"", NULL}, /* not of a byte that is not ASCII */
        {"\"\\udd00\"", NULL},
        {"\"\\ud83d\\udc\"", NULL},
        {"\"\\udc8\"", NULL},
        {"\"\xFF\"", NULL},
    };
    static const TextRow foreign[] = {{"\"\\udc8a\"", NULL}};
    (void)state;
    check_texts(rows, sizeof rows / sizeof *rows, json_read_own);
    check_texts(foreign, 1, json_read);
}

/* Every file name is the same after it was written and read. */
static void test_names_survive(void **state)
{
    Arena *arena = arena_create();
    uint32_t seed = 1;
    (void)state;
    for (int i = 0; i < 2000; i++) {
        char name[32], *text = NULL;
        size_t size = 0, length = (size_t)(i % 31);
        for (size_t k = 0; k < length; k++) {
            seed = seed * 1664525u + 1013904223u;
            name[k] = (char)((seed >> 24) % 255 + 1);
        }
        name[length] = '\0';
        FILE *out = open_memstream(&text, &size);
        Json json = json_init(out);
        json_text(&json, name);
        assert_int_equal(fclose(out), 0);
        assert_true(text_is_utf8(text, size));
        assert_string_equal(json_string(json_read_own(NULL, text, size, arena), NULL), name);
        free(text);
    }
    arena_destroy(arena);
}

static void test_whole_numbers(void **state)
{
    static const struct {
        const char *json;
        int64_t expected;
        bool refused;
    } rows[] = {
        {"0", 0, false},
        {"-0", 0, false},
        {" 12 ", 12, false},
        {"-7", -7, false},
        {"999999999999999999", 999999999999999999, false},
        {"1000000000000000000", 0, true}, /* more than 18 digits */
        {"01", 0, true},
        {"-", 0, true},
        {"- 1", 0, true},
        {"+1", 0, true},
        {"1.0", 0, true},
        {"1e3", 0, true},
        {"", 0, true},
        {"x", 0, true},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const JsonValue *root = json_read(NULL, rows[i].json, strlen(rows[i].json), arena);
        int64_t value = 0;
        if ((!root || !json_get_integer(&value, root)) != rows[i].refused ||
            value != rows[i].expected)
            fail_msg("'%s': %lld", rows[i].json, (long long)value);
    }
    arena_destroy(arena);
}

static void test_any_value(void **state)
{
    static const struct {
        const char *json;
        bool good;
    } rows[] = {
        {"null", true},
        {"true", true},
        {"[false]", true},
        {"{}", true},
        {"[]", true},
        {" [ 1 , 2 ] ", true},
        {"-0.5e+10", true},
        {"1E5", true},
        {"{\"a\":{\"b\":[{}]}}", true},
        {"", false},
        {"nul", false},
        {"truex", false},
        {"[1,]", false},
        {"[,1]", false},
        {"[1 2]", false},
        {"{\"a\"}", false},
        {"{\"a\":}", false},
        {"{a:1}", false},
        {"{\"a\":1,}", false},
        {"[1", false},
        {"{\"a\":1", false},
        {"[1}", false},
        {"1.", false},
        {".5", false},
        {"00", false},
        {"1e", false},
        {"[]]", false},
        {"\xEF\xBB\xBF[]", false},
        {"['a']", false},
        {"// no\n1", false},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (!json_read(NULL, rows[i].json, strlen(rows[i].json), arena) == rows[i].good)
            fail_msg("'%s': %s", rows[i].json, rows[i].good ? "rejected" : "accepted");
    }
    arena_destroy(arena);
}

/* What is nested too deep is refused, not run out of stack for. */
static void test_depth(void **state)
{
    char text[200001];
    Arena *arena = arena_create();
    (void)state;
    memset(text, '[', sizeof text);
    for (int depth = 1; depth < 100000; depth = 2 * depth + 1) {
        memset(text + depth, ']', (size_t)depth);
        const JsonValue *root = json_read(NULL, text, 2 * (size_t)depth, arena);
        assert_int_equal(!root, depth >= JSON_READ_DEPTH);
        memset(text + depth, '[', (size_t)depth);
    }
    arena_destroy(arena);
}

static void test_values(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1,2.5,-3],\"b\":true,\"c\":\"x\",\"d\":null,\"e\":{},\"a\":7}";
    Arena *arena = arena_create();
    unsigned line = 0;
    const JsonValue *root = json_read(&line, text, strlen(text), arena);
    const JsonValue *list = json_member(root, "a");
    double numbers[3] = {0, 0, 0}, two[2] = {4, 5};
    assert_int_equal(json_count(root), 6);
    assert_true(json_numbers(numbers, 3, list));
    assert_true(numbers[0] == 1 && numbers[1] == 2.5 && numbers[2] == -3);
    assert_false(json_numbers(two, 2, list));
    assert_true(json_numbers(two, 2, NULL) && two[1] == 5);
    assert_int_equal(json_index(json_item(list, 0)), 1);
    assert_int_equal(json_index(json_item(list, 1)), -1);
    assert_int_equal(json_index(json_item(list, 2)), -1);
    assert_null(json_item(list, 3));
    assert_true(json_bool(json_member(root, "b"), false));
    assert_string_equal(json_string(json_member(root, "c"), "none"), "x");
    assert_string_equal(json_string(json_member(root, "b"), "none"), "none");
    assert_int_equal(json_member(root, "d")->kind, JSON_OTHER);
    assert_int_equal(json_count(json_member(root, "e")), 0);
    assert_null(json_member(root, "f"));
    assert_null(json_member(list, "a"));
    assert_true(json_number(NULL, 9) == 9);
    const char *c = "none";
    int64_t integer = 4;
    assert_true(json_get_text(&c, NULL) && !strcmp(c, "none"));
    assert_true(json_get_text(&c, json_member(root, "c")) && !strcmp(c, "x"));
    assert_false(json_get_text(&c, list));
    assert_true(json_get_integer(&integer, NULL) && integer == 4);
    assert_true(json_get_integer(&integer, json_item(list, 2)) && integer == -3);
    assert_false(json_get_integer(&integer, json_item(list, 1)));
    assert_false(json_get_integer(&integer, list));
    arena_destroy(arena);
}

static void test_lines(void **state)
{
    static const struct {
        const char *text;
        bool good;
        unsigned line;
    } rows[] = {
        {"{\"n\":3,\n\"list\":[4, 5],\n\"n\":x}", false, 3},
        {"[\n1\n]\n", true, 4},
        {"[1] 2", false, 1},
        {"{\"a\" 1}", false, 1},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        unsigned line = 0;
        const JsonValue *root = json_read(&line, rows[i].text, strlen(rows[i].text), arena);
        if (!root == rows[i].good || line != rows[i].line)
            fail_msg("'%s': line %u", rows[i].text, line);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),         cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_names_survive), cmocka_unit_test(test_whole_numbers),
        cmocka_unit_test(test_any_value),     cmocka_unit_test(test_depth),
        cmocka_unit_test(test_values),        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests_name("json_read", tests, NULL, NULL);
}
