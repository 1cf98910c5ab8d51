// SPDX-License-Identifier: MIT
#include <math.h>

#include "math/curve.h"
#include "unit_test.h"

/* Values that MikuMikuDance 9.32 wrote for keys with these curves. */
static void test_values_of_mmd(void **state)
{
    (void)state;
    static const struct {
        Curve curve;
        int at, of;
        double fraction;
    } rows[] = {
        {{5, 120, 122, 7}, 1, 14, 0.31412615},   {{5, 120, 122, 7}, 7, 15, 0.49804750},
        {{0, 32, 96, 127}, 1, 14, 0.18599500},   {{0, 32, 96, 127}, 7, 14, 0.68209692},
        {{0, 32, 96, 127}, 7, 15, 0.65111096},   {{32, 0, 127, 96}, 1, 14, 0.01460229},
        {{32, 0, 127, 96}, 7, 14, 0.31735815},   {{32, 0, 127, 96}, 7, 15, 0.28704303},
        {{0, 127, 127, 127}, 5, 30, 0.59338671}, {{0, 127, 127, 127}, 10, 30, 0.76974920},
        {{0, 127, 127, 127}, 15, 30, 0.875},     {{0, 0, 127, 127}, 7, 15, 7.0 / 15},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double t = (double)rows[i].at / rows[i].of;
        const double y = curve_eval(rows[i].curve, t, CURVE_HALVINGS);
        if (fabs(y - rows[i].fraction) > 2e-7)
            fail_msg("row %zu: %.9f, not %.9f", i, y, rows[i].fraction);
    }
}

static double cubic(double a, double b, double s)
{
    return ((3 * a - 3 * b + 1) * s + (3 * b - 6 * a)) * s * s + 3 * a * s;
}

/* The root in full double precision, found until the bracket is as narrow as a double can be. */
static double exact(Curve c, double t)
{
    const double x1 = c.x1 / 127.0, x2 = c.x2 / 127.0;
    double low = 0, high = 1;
    while (high - low > 1e-15) {
        const double s = low + (high - low) / 2;
        if (cubic(x1, x2, s) < t)
            low = s;
        else
            high = s;
        if (s == low && s == high)
            break;
    }
    return cubic(c.y1 / 127.0, c.y2 / 127.0, (low + high) / 2);
}

/* Fifteen halvings leave the parameter at most 2^-16 off, and y rises at most three times as fast.
 */
static void test_bound_and_laws_of_fifteen(void **state)
{
    (void)state;
    static const uint8_t points[] = {0, 1, 20, 64, 107, 126, 127};
    enum { POINTS = sizeof points, STEPS = 40 };
    for (int n = 0; n < POINTS * POINTS * POINTS * POINTS; n++) {
        const Curve c = {points[n % POINTS], points[n / POINTS % POINTS],
                         points[n / POINTS / POINTS % POINTS],
                         points[n / POINTS / POINTS / POINTS]};
        double last = 0;
        for (int i = 0; i <= STEPS; i++) {
            const double t = (double)i / STEPS;
            const double y = curve_eval(c, t, 15);
            if (fabs(y - exact(c, t)) > 0x1p-14 || y < last - 1e-15 || y > 1)
                fail_msg("(%d,%d,%d,%d) at %g: %g, after %g, exactly %g", c.x1, c.y1, c.x2, c.y2, t,
                         y, last, exact(c, t));
            last = y;
        }
    }
}

static void test_ends(void **state)
{
    (void)state;
    static const Curve curves[] = {
        {5, 120, 122, 7}, {127, 0, 0, 127}, {0, 127, 127, 0}, {0, 0, 0, 0}};
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        for (int halvings = 1; halvings <= CURVE_MAX_HALVINGS; halvings += 17) {
            assert_true(curve_eval(curves[i], 0.0, halvings) == 0.0);
            assert_true(curve_eval(curves[i], 1.0, halvings) == 1.0);
            assert_true(curve_eval(curves[i], -3.0, halvings) == 0.0);
            assert_true(curve_eval(curves[i], 3.0, halvings) == 1.0);
            assert_true(curve_eval(curves[i], (double)NAN, halvings) == 0.0);
        }
    assert_true(curve_eval(CURVE_LINEAR, 0.3, CURVE_HALVINGS) == 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_mmd),
        cmocka_unit_test(test_bound_and_laws_of_fifteen),
        cmocka_unit_test(test_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
