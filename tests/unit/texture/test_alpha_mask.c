/* alpha_mask: bits against the alphas of an image whose rows do not end with a word */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "texture/alpha_mask.h"

enum { WIDTH = 45, HEIGHT = 7 };

static uint8_t alpha_of(int x, int y)
{
    return (uint8_t)((x * 37 + y * 101) % 256);
}

static void test_bits(void **state)
{
    (void)state;
    static uint8_t pixels[4 * WIDTH * HEIGHT];
    const Image image = {.width = WIDTH, .height = HEIGHT, .has_alpha = true, .pixels = pixels};
    Arena *arena = arena_create();
    AlphaMask mask = {.level_count = 0};

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            pixels[4 * (y * WIDTH + x) + 3] = alpha_of(x, y);
    pixels[3] = 127;
    pixels[7] = 128;
    alpha_mask_add(&mask, &image, arena);
    assert_int_equal(mask.level_count, 1);
    assert_int_equal(mask.levels[0].width, WIDTH);
    assert_int_equal(mask.levels[0].height, HEIGHT);
    assert_false(alpha_level_at(&mask.levels[0], 0, 0));
    assert_true(alpha_level_at(&mask.levels[0], 1, 0));
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 2; x < WIDTH; x++)
            assert_int_equal(alpha_level_at(&mask.levels[0], x, y), alpha_of(x, y) >= 128);
    arena_destroy(arena);
}

static void test_most_levels(void **state)
{
    (void)state;
    uint8_t pixel[4] = {0, 0, 0, 255};
    const Image image = {.width = 1, .height = 1, .has_alpha = true, .pixels = pixel};
    Arena *arena = arena_create();
    AlphaMask mask = {.level_count = 0};

    for (int i = 0; i < 2 * ALPHA_MASK_LEVELS; i++)
        alpha_mask_add(&mask, &image, arena);
    assert_int_equal(mask.level_count, ALPHA_MASK_LEVELS);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits),
                                       cmocka_unit_test(test_most_levels)};

    return cmocka_run_group_tests_name("alpha_mask", tests, NULL, NULL);
}
