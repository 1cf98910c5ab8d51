// SPDX-License-Identifier: MIT
/* image_scale: means of areas, computed by hand */

#include <string.h>

#include "base/image_scale.h"
#include "unit_test.h"

static const struct {
    const char *what;
    int width, height, to_width, to_height;
    uint8_t from[6][4], to[6][4];
} rows[] = {
    {"the same", 2, 1, 2, 1, {{1, 2, 3, 255}, {4, 5, 6, 255}}, {{1, 2, 3, 255}, {4, 5, 6, 255}}},
    {"half",
     4,
     1,
     2,
     1,
     {{0, 0, 0, 255}, {10, 20, 31, 255}, {255, 0, 0, 255}, {255, 0, 0, 255}},
     {{5, 10, 16, 255}, {255, 0, 0, 255}}},
    {"both axes",
     2,
     2,
     1,
     1,
     {{0, 0, 0, 255}, {0, 0, 0, 255}, {0, 0, 0, 255}, {200, 100, 4, 255}},
     {{50, 25, 1, 255}}},
    /* 3 to 2: a whole pixel and half of the middle one: (2 * 90 + 30) / 3 */
    {"a shared pixel",
     3,
     1,
     2,
     1,
     {{90, 0, 0, 255}, {30, 0, 0, 255}, {0, 60, 0, 255}},
     {{70, 0, 0, 255}, {10, 40, 0, 255}}},
    {"colors weighted by alpha", 2, 1, 1, 1, {{255, 0, 0, 0}, {0, 80, 0, 100}}, {{0, 80, 0, 50}}},
    {"transparent", 2, 1, 1, 1, {{255, 0, 0, 0}, {0, 80, 0, 0}}, {{0, 0, 0, 0}}},
    {"larger", 1, 1, 2, 1, {{7, 8, 9, 255}}, {{7, 8, 9, 255}, {7, 8, 9, 255}}},
    /* Middles at -1/4, 1/4, 3/4 and 5/4 of the distance between the two. */
    {"larger, between pixels",
     2,
     1,
     4,
     1,
     {{0, 0, 0, 255}, {100, 0, 8, 255}},
     {{0, 0, 0, 255}, {25, 0, 2, 255}, {75, 0, 6, 255}, {100, 0, 8, 255}}},
};

static void averages_areas(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        uint8_t pixels[6][4];
        memcpy(pixels, rows[i].from, sizeof pixels);
        const Image image = {rows[i].width, rows[i].height, false, pixels[0]};
        const Image out = image_scale(&image, rows[i].to_width, rows[i].to_height, arena);
        const size_t size = 4 * (size_t)(rows[i].to_width * rows[i].to_height);
        if (memcmp(out.pixels, rows[i].to, size) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].what, out.pixels[0], out.pixels[1], out.pixels[2],
                     out.pixels[3]);
        arena_destroy(arena);
    }
}

static void keeps_the_aspect(void **state)
{
    Arena *arena = arena_create();
    const Image image = {30, 7, true, arena_alloc(arena, 4 * 30 * 7)};
    (void)state;
    Image out = image_scale_to_width(&image, 30, arena);
    assert_ptr_equal(out.pixels, image.pixels);
    out = image_scale_to_width(&image, 15, arena); /* 3.5, rounded up */
    assert_int_equal(out.width, 15);
    assert_int_equal(out.height, 4);
    assert_true(out.has_alpha);
    out = image_scale_to_width(&image, 1, arena);
    assert_int_equal(out.height, 1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(averages_areas),
        cmocka_unit_test(keeps_the_aspect),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
