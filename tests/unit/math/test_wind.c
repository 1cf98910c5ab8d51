// SPDX-License-Identifier: MIT
/* Gusts: bounds, mean, continuity, and that they travel with the wind. */

#include <math.h>

#include "math/wind.h"
#include "unit_test.h"

static const Vec3 WIND = {6, 0, -8};

/* The gust at one position. */
static double gust_at(Vec3 position, Vec3 wind, double time_s)
{
    double lull;
    gust_factors(&lull, &position, 1, wind, time_s);
    return lull;
}

/* Correlation of the lulls of 40 x 40 places with those of the same places moved by `shift`, later.
 */
static double correlation(Vec3 shift, double later)
{
    double sums[5] = {0};

    for (int i = 0; i < 1600; i++) {
        const Vec3 p = {i % 40 * 1.3, 3, i / 40 * 1.7};
        const double a = gust_at(p, WIND, 2), b = gust_at(vec3_add(p, shift), WIND, 2 + later);
        sums[0] += a;
        sums[1] += b;
        sums[2] += a * a;
        sums[3] += b * b;
        sums[4] += a * b;
    }
    const double n = 1600, cov = sums[4] - sums[0] * sums[1] / n;
    return cov / sqrt((sums[2] - sums[0] * sums[0] / n) * (sums[3] - sums[1] * sums[1] / n));
}

static void test_bounds(void **state)
{
    double low = 1, high = 0, sum = 0;
    (void)state;

    for (int i = 0; i < 20000; i++) {
        const double lull = gust_at((Vec3){i % 37 * 2.3, i % 11 * 1.9, i * -0.7}, WIND, i * 0.05);
        low = fmin(low, lull);
        high = fmax(high, lull);
        sum += lull;
    }
    assert_true(low >= 0 && low < 0.15);
    assert_true(high <= 1 && high > 0.85);
    assert_float_equal(sum / 20000, 0.5, 0.02);
}

/* The slope of the eased lattice is at most 1.5 a cell: 1.5 (0.65 + 2 * 0.35) / 6 along an axis. */
static void test_is_continuous(void **state)
{
    (void)state;
    for (int i = -5000; i < 5000; i++) {
        const Vec3 p = {i * 0.01, 1, 2}, q = {i * 0.01 + 0.001, 1, 2};
        assert_true(fabs(gust_at(p, WIND, 0) - gust_at(q, WIND, 0)) < 0.001 * 0.34 + 1e-12);
    }
}

static void test_travels_with_the_wind(void **state)
{
    (void)state;
    const double moved = correlation(vec3_scale(WIND, 0.25), 0.25);
    const double stayed = correlation((Vec3){0, 0, 0}, 0.25);
    assert_true(moved > 0.7);
    assert_true(moved > stayed + 0.1);
    assert_true(fabs(correlation((Vec3){0, 0, 0}, 30)) < 0.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bounds),
                                       cmocka_unit_test(test_is_continuous),
                                       cmocka_unit_test(test_travels_with_the_wind)};
    return cmocka_run_group_tests_name("wind", tests, NULL, NULL);
}
