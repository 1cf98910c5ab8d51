// SPDX-License-Identifier: MIT
/* json_tree: kinds of values, members and items that exist or do not, and refused texts */
#include <string.h>

#include "base/json_tree.h"
#include "unit_test.h"

static void test_values(void **state)
{
    (void)state;
    static const char text[] =
        "{\"a\":[1,2.5,-3],\"b\":true,\"c\":\"x\",\"d\":null,\"e\":{},\"a\":7}";
    Arena *arena = arena_create();
    unsigned line = 0;
    const JsonValue *root = json_tree_read(&line, text, strlen(text), arena);
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
    arena_destroy(arena);
}

static void test_refused(void **state)
{
    (void)state;
    static const char *const texts[] = {"", "{", "[1,]", "{\"a\" 1}", "tru", "[1] 2", "{a:1}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Arena *arena = arena_create();
        unsigned line = 0;
        if (json_tree_read(&line, texts[i], strlen(texts[i]), arena) || line != 1)
            fail_msg("'%s' is read", texts[i]);
        arena_destroy(arena);
    }
}

/* Nested deeper than the reader's limit. */
static void test_depth(void **state)
{
    (void)state;
    char text[100];
    unsigned line = 0;
    Arena *arena = arena_create();
    memset(text, '[', 50);
    memset(text + 50, ']', 50);
    assert_null(json_tree_read(&line, text, sizeof text, arena));
    assert_non_null(json_tree_read(&line, text + 40, 20, arena));
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values),
                                       cmocka_unit_test(test_refused),
                                       cmocka_unit_test(test_depth)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
