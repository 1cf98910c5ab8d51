// SPDX-License-Identifier: MIT
/* accumulator: means worked by hand in linear light; equal images are their own mean */

#include <string.h>

#include "picture/look/light.h"
#include "unit_test.h"

typedef struct Bench {
    Arena *arena;
    const LightTables *light;
} Bench;

static int set_up(void **state)
{
    Arena *arena = arena_create();
    Bench *bench = arena_array(arena, Bench, 1);
    *bench = (Bench){arena, light_tables_create(arena)};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    arena_destroy(((Bench *)*state)->arena);
    return 0;
}

/* Light of white is 1: of half, a quarter and a third of it, 188, 137 and 156 are stored.  With
 * alpha, a color counts in proportion to it. */
static void test_means(void **state)
{
    static const struct {
        const char *what;
        int count;
        uint8_t in[4][4], expected[4];
    } rows[] = {
        {"one", 1, {{1, 2, 3, 4}}, {1, 2, 3, 4}},
        {"black and white", 2, {{0, 255, 0, 255}, {255, 0, 0, 255}}, {188, 188, 0, 255}},
        {"a quarter",
         4,
         {{255, 0, 9, 255}, {0, 0, 9, 255}, {0, 0, 9, 255}, {0, 255, 9, 255}},
         {137, 137, 9, 255}},
        {"a third", 3, {{255, 0, 9, 255}, {0, 0, 9, 255}, {0, 0, 9, 255}}, {156, 0, 9, 255}},
        {"half transparent", 2, {{200, 100, 50, 255}, {0, 255, 0, 0}}, {200, 100, 50, 128}},
        {"by alpha", 2, {{255, 0, 0, 192}, {0, 0, 255, 64}}, {225, 0, 137, 128}},
        {"nothing", 2, {{7, 7, 7, 0}, {8, 8, 8, 0}}, {0, 0, 0, 0}},
    };
    const Bench *bench = *state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Accumulator *a = accumulator_create(1, 1, bench->light, bench->arena);
        uint8_t pixel[4];
        Image image = {1, 1, true, pixel};
        for (int round = 0; round < 2; round++) { /* cleared completely */
            accumulator_clear(a);
            for (int k = 0; k < rows[i].count; k++) {
                memcpy(pixel, rows[i].in[k], 4);
                accumulator_add(a, &image);
            }
            accumulator_mean(&image, a);
        }
        if (memcmp(pixel, rows[i].expected, 4) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].what, pixel[0], pixel[1], pixel[2], pixel[3]);
    }
}

/* For every stored value and the largest number of images. */
static void test_equal(void **state)
{
    static const int counts[] = {2, 3, 7, 64, ACCUMULATOR_MAX};
    const Bench *bench = *state;
    uint8_t pixels[256][4], expected[256][4];
    Image image = {16, 16, true, pixels[0]};
    Accumulator *a = accumulator_create(16, 16, bench->light, bench->arena);

    for (int i = 0; i < 256; i++) {
        const uint8_t value = (uint8_t)i, alpha = (uint8_t)(i % 5 ? 255 : 1 + i / 2);
        memcpy(expected[i], (uint8_t[4]){value, (uint8_t)(255 - i), value, alpha}, 4);
    }
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        memcpy(pixels, expected, sizeof pixels);
        accumulator_clear(a);
        for (int i = 0; i < counts[c]; i++)
            accumulator_add(a, &image);
        memset(pixels, 77, sizeof pixels);
        accumulator_mean(&image, a);
        assert_memory_equal(pixels, expected, sizeof pixels);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_equal),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
