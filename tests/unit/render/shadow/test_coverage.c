// SPDX-License-Identifier: MIT
/* Scan conversion: samples worked by hand, a fan that fills a square without gaps, and random
 * triangles against the definition (a sample is covered if its center is inside). */
#include <math.h>

#include <stdbool.h>
#include <string.h>

#include "random_value.h"
#include "render/shadow/coverage.h"
#include "unit_test.h"

enum { WIDTH = 70, HEIGHT = 40, TRIALS = 3000, SPOKES = 37 };

static bool is_set(const Coverage *c, int x, int y)
{
    return c->bits[(size_t)y * c->words + (size_t)x / 32] >> (x % 32) & 1;
}

static int count(const Coverage *c)
{
    int sum = 0;

    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            sum += is_set(c, x, y);
    return sum;
}

static void test_samples_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Coverage c = {0};
    size_t left, right;

    coverage_begin(&c, WIDTH, HEIGHT, arena);
    /* Columns 30 to 33 of row 2, 30 to 31 of row 4: the hypotenuse runs from (34, 2) to (30, 6). */
    coverage_add(&c, (CoveragePoint){30, 2}, (CoveragePoint){30, 6.2f}, (CoveragePoint){34.2f, 2});
    assert_int_equal(count(&c), 4 + 3 + 2 + 1);
    assert_true(is_set(&c, 30, 2) && is_set(&c, 33, 2) && is_set(&c, 31, 4) && is_set(&c, 30, 5));
    assert_int_equal(c.top, 2);
    assert_int_equal(c.bottom, 6);
    coverage_extent(&left, &right, &c, 0, HEIGHT);
    assert_true(left == 0 && right == 2);
    coverage_extent(&left, &right, &c, 4, 5);
    assert_true(left == 0 && right == 1);
    coverage_extent(&left, &right, &c, 6, HEIGHT);
    assert_true(left == right);

    coverage_begin(&c, WIDTH, HEIGHT, arena);
    assert_int_equal(count(&c), 0);
    /* The whole surface, and nothing: outside, without area, between samples. */
    coverage_add(&c, (CoveragePoint){-900, -900}, (CoveragePoint){900, -900},
                 (CoveragePoint){0, 2e9f});
    assert_int_equal(count(&c), WIDTH * HEIGHT);
    coverage_begin(&c, WIDTH, HEIGHT, arena);
    coverage_add(&c, (CoveragePoint){-9, -9}, (CoveragePoint){-1, 9}, (CoveragePoint){-9, 90});
    coverage_add(&c, (CoveragePoint){3, 3}, (CoveragePoint){9, 9}, (CoveragePoint){6, 6});
    coverage_add(&c, (CoveragePoint){3, 4}, (CoveragePoint){9, 4}, (CoveragePoint){6, 4});
    coverage_add(&c, (CoveragePoint){3.6f, 3.6f}, (CoveragePoint){4.4f, 3.6f},
                 (CoveragePoint){3.6f, 4.4f});
    coverage_add(&c, (CoveragePoint){5, -1e30f}, (CoveragePoint){9, -1e30f},
                 (CoveragePoint){7, -1e29f});
    assert_int_equal(count(&c), 0);
    arena_destroy(arena);
}

static void test_a_fan_has_no_gaps(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const CoveragePoint center = {33.37f, 17.61f};
    CoveragePoint rim[SPOKES];
    Coverage c = {0};

    coverage_begin(&c, WIDTH, HEIGHT, arena);
    for (int i = 0; i < SPOKES; i++) {
        const float angle = 6.2831853f * (float)i / SPOKES;

        rim[i] = (CoveragePoint){center.x + 16 * cosf(angle), center.y + 16 * sinf(angle)};
    }
    for (int i = 0; i < SPOKES; i++)
        coverage_add(&c, rim[i], center, rim[(i + 1) % SPOKES]);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            const float distance = hypotf((float)x + 0.5f - center.x, (float)y + 0.5f - center.y);

            if (distance < 15.9f && !is_set(&c, x, y))
                fail_msg("gap at (%d, %d)", x, y);
            if (distance > 16.0f && is_set(&c, x, y))
                fail_msg("(%d, %d) is outside", x, y);
        }
    arena_destroy(arena);
}

/* The least of the signed distances of a point from three edges; positive inside. */
static double depth_inside(const CoveragePoint t[3], double x, double y)
{
    double least = INFINITY, area = 0;

    for (int i = 0; i < 3; i++) {
        const double ax = (double)t[i].x, ay = (double)t[i].y;
        const double bx = (double)t[(i + 1) % 3].x, by = (double)t[(i + 1) % 3].y;

        area += ax * by - bx * ay;
    }
    for (int i = 0; i < 3; i++) {
        const double ax = (double)t[i].x, ay = (double)t[i].y;
        const double bx = (double)t[(i + 1) % 3].x, by = (double)t[(i + 1) % 3].y;
        const double side = (bx - ax) * (y - ay) - (by - ay) * (x - ax);
        const double distance = side / hypot(bx - ax, by - ay) * (area < 0 ? -1 : 1);

        least = distance < least ? distance : least;
    }
    return least;
}

static void test_random_triangles(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Coverage c = {0};
    uint32_t seed = 3;
    int covered = 0;

    for (int trial = 0; trial < TRIALS; trial++) {
        const float size = random_value(&seed, 1, 60);
        CoveragePoint t[3];

        for (int i = 0; i < 3; i++)
            t[i] = (CoveragePoint){WIDTH / 2 + random_value(&seed, -size, size),
                                   HEIGHT / 2 + random_value(&seed, -size, size)};
        coverage_begin(&c, WIDTH, HEIGHT, arena);
        coverage_add(&c, t[0], t[1], t[2]);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < WIDTH; x++) {
                const double inside = depth_inside(t, x + 0.5, y + 0.5);

                if (fabs(inside) > 1e-4 && is_set(&c, x, y) != (inside > 0))
                    fail_msg("trial %d, sample (%d, %d)", trial, x, y);
                covered += inside > 0;
            }
    }
    assert_true(covered > TRIALS * 20);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_samples_by_hand),
        cmocka_unit_test(test_a_fan_has_no_gaps),
        cmocka_unit_test(test_random_triangles),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
