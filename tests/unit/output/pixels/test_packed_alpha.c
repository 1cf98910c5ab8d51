// SPDX-License-Identifier: MIT
/* packed_alpha: colors left, alpha as grey right */

#include <string.h>

#include "output/pixels/packed_alpha.h"
#include "unit_test.h"

/* Straight colors stay as they are; a transparent pixel gets the color beside it. */
static void test_halves(void **state)
{
    static uint8_t pixels[][4] = {{200, 100, 50, 128},
                                  {0, 0, 0, 0}, /* */
                                  {200, 100, 50, 255},
                                  {200, 100, 50, 1}};
    static const uint8_t expected[][4] = {
        {200, 100, 50, 255}, {200, 100, 50, 255}, {128, 128, 128, 255}, {0, 0, 0, 255},
        {200, 100, 50, 255}, {200, 100, 50, 255}, {255, 255, 255, 255}, {1, 1, 1, 255},
    };
    Arena *arena = arena_create();
    PackedAlpha *packed = packed_alpha_create(2, 2, arena);
    (void)state;
    for (int again = 0; again < 2; again++) {
        const Image image = packed_alpha_image(
            packed, &(Image){.width = 2, .height = 2, .has_alpha = true, .pixels = pixels[0]});
        assert_int_equal(image.width, 4);
        assert_int_equal(image.height, 2);
        assert_false(image.has_alpha);
        assert_memory_equal(image.pixels, expected, sizeof expected);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_halves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
