// SPDX-License-Identifier: MIT
#include <stdbool.h>

#include "math/weld.h"
#include "unit_test.h"

static void equal_keys_share_the_first_index(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const uint64_t keys[][2] = {{5, 1}, {5, 2}, {5, 1}, {0, 0}, {6, 2}, {0, 0}, {5, 2}, {5, 1}};
    const uint32_t expected[] = {0, 1, 0, 3, 4, 3, 1, 0};
    const uint32_t *first = weld_keys(keys[0], 2, 8, arena);
    for (int i = 0; i < 8; i++)
        assert_int_equal(first[i], expected[i]);
    assert_non_null(weld_keys(keys[0], 2, 0, arena));
    arena_destroy(arena);
}

/* More keys than the smallest table holds, each three times. */
static void many_keys(void **state)
{
    (void)state;
    enum { COUNT = 3000 };
    Arena *arena = arena_create();
    uint64_t *keys = arena_array(arena, uint64_t, COUNT);
    for (uint32_t i = 0; i < COUNT; i++)
        keys[i] = i % 1000;
    const uint32_t *first = weld_keys(keys, 1, COUNT, arena);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_int_equal(first[i], i % 1000);
    arena_destroy(arena);
}

static void positions_weld_within_half_a_grid_cell(void **state)
{
    (void)state;
    const struct {
        const char *what;
        float a[3], b[3];
        bool equal;
    } rows[] = {
        {"same", {1, 2, 3}, {1, 2, 3}, true},
        {"within the cell", {1, 2, 3}, {1.0004f, 1.9996f, 3.0004f}, true},
        {"x", {1, 2, 3}, {1.0006f, 2, 3}, false},
        {"y", {1, 2, 3}, {1, 2.0006f, 3}, false},
        {"z", {1, 2, 3}, {1, 2, 2.9994f}, false},
        {"signs", {0.25f, 0, 0}, {-0.25f, 0, 0}, false},
        {"far outside any model", {1e30f, 0, 0}, {1e31f, 0, 0}, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t a[WELD_POSITION_WORDS], b[WELD_POSITION_WORDS];
        weld_position_key(a, rows[i].a);
        weld_position_key(b, rows[i].b);
        if ((a[0] == b[0] && a[1] == b[1] && a[2] == b[2]) != rows[i].equal)
            fail_msg("%s", rows[i].what);
    }
}

static void tables_stay_half_empty(void **state)
{
    (void)state;
    const size_t rows[][2] = {{0, 16}, {8, 16}, {9, 32}, {1000, 2048}, {1024, 2048}, {1025, 4096}};
    for (int i = 0; i < 6; i++)
        assert_int_equal(weld_table_size(rows[i][0]), rows[i][1]);
    assert_int_equal(weld_hash(0), 0); /* MurmurHash3 fmix64; its published value for 1: */
    assert_true(weld_hash(1) == 0xb456bcfc34c2cb2cu);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_keys_share_the_first_index),
        cmocka_unit_test(many_keys),
        cmocka_unit_test(positions_weld_within_half_a_grid_cell),
        cmocka_unit_test(tables_stay_half_empty),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
