// SPDX-License-Identifier: MIT
/* alpha_mask: bits against the alphas of an image whose rows do not end with a word */

#include "render/texture/alpha_mask.h"
#include "unit_test.h"

enum { WIDTH = 45, HEIGHT = 7, SIDE = 30 };

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

/* Whether a rectangle has texels of a kind. */
static unsigned kinds_in(const AlphaLevel *level, int left, int top, int right, int bottom)
{
    unsigned kinds = 0;

    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            kinds |= alpha_level_at(level, x, y) ? ALPHA_OPAQUE : ALPHA_CLEAR;
    return kinds;
}

/* Never less than what is there, and no more where the rectangle consists of blocks. */
static void test_kinds(void **state)
{
    (void)state;
    static uint8_t pixels[4 * SIDE * SIDE];
    const Image image = {.width = SIDE, .height = SIDE, .has_alpha = true, .pixels = pixels};
    Arena *arena = arena_create();
    AlphaMask mask = {.level_count = 0};
    int single = 0;

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            pixels[4 * (y * SIDE + x) + 3] = x + 3 * y > SIDE ? 255 : 0;
    pixels[4 * (27 * SIDE + 19) + 3] = 0;
    alpha_mask_add(&mask, &image, arena);
    const AlphaLevel *level = &mask.levels[0];
    for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
        const int left = i % SIDE, top = i / SIDE % SIDE, right = left + (i * 7 % (SIDE - left));
        const int bottom = top + (i * 11 % (SIDE - top));
        const unsigned kinds = alpha_level_kinds(level, left, top, right, bottom);
        const unsigned wanted = kinds_in(level, left, top, right, bottom);

        assert_int_equal(kinds & wanted, wanted);
        single += kinds == ALPHA_CLEAR || kinds == ALPHA_OPAQUE;
        if (left % ALPHA_BLOCK == 0 && top % ALPHA_BLOCK == 0 &&
            (right == SIDE - 1 || right % ALPHA_BLOCK == ALPHA_BLOCK - 1) &&
            (bottom == SIDE - 1 || bottom % ALPHA_BLOCK == ALPHA_BLOCK - 1))
            assert_int_equal(kinds, wanted);
    }
    assert_true(single > SIDE * SIDE);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bits), cmocka_unit_test(test_kinds),
                                       cmocka_unit_test(test_most_levels)};

    return cmocka_run_group_tests_name("alpha_mask", tests, NULL, NULL);
}
