// SPDX-License-Identifier: MIT
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "unit_test.h"

#ifdef ARENA_REDZONES
#include <sanitizer/asan_interface.h>
#endif

static void test_aligned_zeroed_apart(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 63, 64, 65, 1000, 65536, 65537, 300000, 7};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    unsigned char *taken[COUNT];
    Arena *arena = arena_create();
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < COUNT; i++) {
            taken[i] = arena_alloc(arena, sizes[i]);
            assert_int_equal((uintptr_t)taken[i] % 64, 0);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(taken[i][k], 0);
            memset(taken[i], (int)i + 1, sizes[i]);
        }
        for (size_t i = 0; i < COUNT; i++)
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(taken[i][k], i + 1);
        arena_reset(arena); /* and all is zero again in the next round */
    }
    arena_destroy(arena);
    arena_destroy(NULL);
}

static void test_reset_keeps_no_more_than_one_block(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    assert_int_equal(arena_bytes(arena), 0);
    for (int i = 0; i < 10; i++)
        arena_alloc(arena, 100000);
    assert_true(arena_bytes(arena) >= 1000000);
    arena_reset(arena);
    assert_true(arena_bytes(arena) < 200000);
    arena_destroy(arena);
}

static void test_text(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    assert_string_equal(arena_strdup(arena, "abc"), "abc");
    assert_string_equal(arena_strndup(arena, "abc", 2), "ab");
    assert_string_equal(arena_printf(arena, "%s-%d", "x", 5), "x-5");
    assert_string_equal(arena_printf(arena, "%200d", 5) + 199, "5");
    arena_destroy(arena);
}

static void test_list_grows(void **state)
{
    (void)state;
    struct {
        int *items;
        size_t count, capacity;
    } list = {0};
    Arena *arena = arena_create();
    for (int i = 0; i < 1000; i++)
        *arena_push(arena, &list) = i;
    assert_int_equal(list.count, 1000);
    for (int i = 0; i < 1000; i++)
        assert_int_equal(list.items[i], i);
    arena_destroy(arena);
}

/* A product that wraps is no memory: the program ends with status 69. */
static void test_a_product_that_wraps(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        fclose(stderr);
        Arena *arena = arena_create();
        arena_calloc(arena, SIZE_MAX / 8 + 2, 8);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 69);
}

/* Sanitizers see a read of one byte behind an item, and any access to items after a reset. */
static void test_sanitizers_see_the_ends(void **state)
{
    (void)state;
#ifdef ARENA_REDZONES
    static const size_t sizes[] = {1, 63, 64, 65, 128, 65536, 300000};
    Arena *arena = arena_create();
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        const char *item = arena_alloc(arena, sizes[i]);
        assert_false(__asan_address_is_poisoned(item));
        assert_false(__asan_address_is_poisoned(item + sizes[i] - 1));
        assert_true(__asan_address_is_poisoned(item + sizes[i]));
    }
    arena_reset(arena);
    const char *again = arena_alloc(arena, 10);
    assert_false(__asan_address_is_poisoned(again));
    assert_true(__asan_address_is_poisoned(again + 100));
    arena_destroy(arena);
#else
    skip();
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aligned_zeroed_apart),
        cmocka_unit_test(test_reset_keeps_no_more_than_one_block),
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_list_grows),
        cmocka_unit_test(test_a_product_that_wraps),
        cmocka_unit_test(test_sanitizers_see_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
