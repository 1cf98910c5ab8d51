// SPDX-License-Identifier: MIT
/* pyramid: laws of blurs, and small ones worked by hand */

#include "near.h"
#include "picture/look/pyramid.h"
#include "unit_test.h"

static void fill(const PyramidLevel *level, float value)
{
    for (int i = 0; i < level->width * level->height; i++)
        for (int c = 0; c < 3; c++)
            level->pixels[i][c] = value * (float)(c + 1);
}

static double sum(const PyramidLevel *level, int channel)
{
    double total = 0;
    for (int i = 0; i < level->width * level->height; i++)
        total += (double)level->pixels[i][channel];
    return total;
}

static void test_sizes(void **state)
{
    static const struct {
        int width, height;
        float radius;
        int levels, last_width, last_height;
    } rows[] = {
        {100, 60, 0, 1, 100, 60}, {100, 60, 1.9f, 1, 100, 60}, {100, 60, 2, 2, 50, 30},
        {100, 60, 17, 5, 7, 4},   {5, 3, 1e9f, 4, 1, 1},       {1, 1, 100, 1, 1, 1},
    };
    Arena *arena = arena_create();
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Pyramid *p = pyramid_create(rows[i].width, rows[i].height, rows[i].radius, arena);
        const PyramidLevel *last = &p->levels[p->level_count - 1];
        if (p->level_count != rows[i].levels || last->width != rows[i].last_width ||
            last->height != rows[i].last_height)
            fail_msg("%d x %d, radius %g: %d levels, last %d x %d", rows[i].width, rows[i].height,
                     (double)rows[i].radius, p->level_count, last->width, last->height);
    }
    arena_destroy(arena);
}

/* An even image stays even, also at the edges of odd sizes; the sum of n blurs is n times it. */
static void test_even(void **state)
{
    static const int sizes[][2] = {{1, 1}, {2, 7}, {13, 9}, {64, 33}};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        Arena *arena = arena_create();
        Pyramid *p = pyramid_create(sizes[i][0], sizes[i][1], 8, arena);
        const PyramidLevel *level = &p->levels[0];
        fill(level, 0.25f);
        pyramid_blur(p);
        for (int k = 0; k < level->width * level->height; k++)
            assert_near((double)level->pixels[k][2], 0.75, 1e-5);
        fill(level, 0.25f);
        pyramid_glow(p);
        for (int k = 0; k < level->width * level->height; k++)
            assert_near((double)level->pixels[k][0], 0.25 * p->level_count, 1e-5);
        arena_destroy(arena);
    }
}

/* Light is spread, not lost, far from the edges. */
static void test_conserved(void **state)
{
    Arena *arena = arena_create();
    Pyramid *p = pyramid_create(128, 128, 4, arena);
    const PyramidLevel *level = &p->levels[0];
    (void)state;
    assert_int_equal(p->level_count, 3);
    level->pixels[128 * 61 + 66][1] = 7;
    pyramid_blur(p);
    assert_near(sum(level, 1), 7, 1e-4);
    assert_near(sum(level, 0), 0, 0);
    assert_true(level->pixels[128 * 61 + 66][1] < 1);
    assert_near((double)level->pixels[128 * 30 + 66][1], 0, 0);
    arena_destroy(arena);
}

/* A row of four pixels 0 8 0 0, two levels: (1 3 3 1) / 8 around each pair, beyond the edge its
 * pixel, gives 3 and 1; back with 3/4 and 1/4, beyond the edge again its pixel: 3, 2.5, 1.5, 1. */
static void test_by_hand(void **state)
{
    static const double expected[4] = {3, 2.5, 1.5, 1};
    Arena *arena = arena_create();
    Pyramid *p = pyramid_create(4, 1, 2, arena);
    float(*pixels)[3] = p->levels[0].pixels;
    (void)state;
    pixels[1][0] = 8;
    pyramid_blur(p);
    for (int i = 0; i < 4; i++)
        assert_near((double)pixels[i][0], expected[i], 1e-6);
    for (int i = 0; i < 4; i++)
        pixels[i][0] = i == 1 ? 8 : 0;
    pyramid_glow(p);
    for (int i = 0; i < 4; i++)
        assert_near((double)pixels[i][0], expected[i] + (i == 1 ? 8 : 0), 1e-6);
    arena_destroy(arena);
}

static void test_sample(void **state)
{
    float pixels[4][3] = {{0}, {4}, {8}, {16}};
    const PyramidLevel level = {2, 2, pixels};
    static const struct {
        float x, y;
        double expected;
    } rows[] = {{0.5f, 0.5f, 0}, {1.5f, 1.5f, 16}, {1, 0.5f, 2}, {1, 1, 7},
                {-3, -3, 0},     {9, 9, 16},       {9, 1, 10},   {0.75f, 0.5f, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        float out[3];
        pyramid_sample(out, &level, rows[i].x, rows[i].y);
        assert_near((double)out[0], rows[i].expected, 1e-6);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sizes),     cmocka_unit_test(test_even),
        cmocka_unit_test(test_conserved), cmocka_unit_test(test_by_hand),
        cmocka_unit_test(test_sample),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
