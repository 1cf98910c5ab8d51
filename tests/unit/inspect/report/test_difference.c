// SPDX-License-Identifier: MIT
/* difference: the worst frames, their distance, colors of differences */

#include <math.h>
#include <string.h>

#include "diag_log.h"
#include "inspect/report/difference.h"
#include "unit_test.h"

enum { SIZE = 16 };

static Image grey(uint8_t value, Arena *arena)
{
    const Image image = {SIZE, SIZE, false, arena_alloc(arena, 4 * SIZE * SIZE)};
    memset(image.pixels, value, 4 * SIZE * SIZE);
    return image;
}

static void expect_pixel(const Image *image, size_t index, int r, int g, int b)
{
    const uint8_t *p = image->pixels + 4 * index;
    if (p[0] != r || p[1] != g || p[2] != b || p[3] != 255)
        fail_msg("pixel %zu is %d %d %d %d", index, p[0], p[1], p[2], p[3]);
}

static void maps_differences_to_colors(void **state)
{
    Arena *arena = arena_create();
    const Image a = grey(100, arena), b = grey(100, arena);
    (void)state;
    b.pixels[4 * 0 + 1] = 164; /* 64 in green */
    b.pixels[4 * 1 + 3] = 0;   /* 100 in alpha */
    b.pixels[4 * 2 + 2] = 68;  /* half of the range, downwards */
    Image map = difference_map(&a, &b, SIZE, arena);
    assert_int_equal(map.width, SIZE);
    assert_int_equal(map.height, SIZE);
    expect_pixel(&map, 0, 252, 255, 164);
    expect_pixel(&map, 1, 252, 255, 164);
    expect_pixel(&map, 2, (147 + 221) / 2, (38 + 81) / 2, (103 + 58) / 2);
    expect_pixel(&map, 3, 0, 0, 4);

    /* a single pixel stays visible in a smaller map */
    b.pixels[4 * (SIZE * SIZE - 1)] = 0;
    map = difference_map(&a, &b, 2, arena);
    assert_int_equal(map.height, 2);
    expect_pixel(&map, 0, 252, 255, 164);
    expect_pixel(&map, 1, 0, 0, 4);
    expect_pixel(&map, 2, 0, 0, 4);
    expect_pixel(&map, 3, 252, 255, 164);
    arena_destroy(arena);
}

/* Differences of all pixels, by frame; spacing 10. */
static const struct {
    const char *what;
    int frames[6], differences[6];
    int count;
    int worst[DIFFERENCE_WORST]; /* frames; -1: none */
} orders[] = {
    {"equal", {0, 1}, {0, 0}, 2, {-1, -1, -1}},
    {"by size", {0, 10, 20, 30}, {5, 9, 1, 7}, 4, {10, 30, 0}},
    {"ascending", {0, 20, 40, 60}, {1, 2, 3, 4}, 4, {60, 40, 20}},
    {"neighbours of a worse one", {0, 1, 2, 3, 20}, {1, 8, 9, 8, 2}, 5, {2, 20, -1}},
    {"a worse one replaces both neighbours", {0, 16, 8, 40}, {5, 6, 9, 2}, 4, {8, 40, -1}},
    {"at the spacing", {0, 10}, {4, 3}, 2, {0, 10, -1}},
};

static void keeps_the_worst(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        Arena *arena = arena_create(), *scratch = arena_create();
        DiagLog log;
        Difference d;
        diag_log_init(&log);
        difference_init(&d, 10, arena);
        for (int k = 0; k < orders[i].count; k++) {
            const Image a = grey(100, arena),
                        b = grey((uint8_t)(100 + orders[i].differences[k]), arena);
            assert_true(difference_add(&d, &a, &b, orders[i].frames[k], scratch, &log.diag));
        }
        assert_int_equal(d.points.count, orders[i].count);
        for (size_t k = 0; k < DIFFERENCE_WORST; k++) {
            const int64_t frame = k < d.worst_count ? d.worst[k].number : -1;
            if (frame != orders[i].worst[k])
                fail_msg("%s: worst %zu is frame %d, not %d", orders[i].what, k, (int)frame,
                         orders[i].worst[k]);
        }
        if (d.worst_count) /* 20 log10(255 / difference) */
            assert_true(d.worst[0].before.webp.size && d.worst[0].heat.width == SIZE);
        arena_destroy(arena);
        arena_destroy(scratch);
    }
}

static void refuses_other_sizes(void **state)
{
    Arena *arena = arena_create();
    DiagLog log;
    Difference d;
    const Image a = grey(0, arena);
    Image b = a;
    (void)state;
    b.width = SIZE / 2;
    diag_log_init(&log);
    difference_init(&d, 1, arena);
    assert_false(difference_add(&d, &a, &b, 7, arena, &log.diag));
    assert_string_equal(log.text, "error: frame 7: the sizes differ: 16x16 and 8x16\n");
    assert_int_equal(log.diag.kind, DIAG_FAILED);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_differences_to_colors),
        cmocka_unit_test(keeps_the_worst),
        cmocka_unit_test(refuses_other_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
