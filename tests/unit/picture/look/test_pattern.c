// SPDX-License-Identifier: MIT
/* pattern: in range, evenly distributed, all different, for every number of samples */

#include <stdbool.h>

#include "near.h"
#include "picture/look/pattern.h"
#include "unit_test.h"

enum { MAX = 256 };

static void test_one(void **state)
{
    const PatternSample s = pattern_sample(0, 1);
    (void)state;
    assert_near((double)s.time, 0.5, 0);
    for (int i = 0; i < 2; i++) {
        assert_near((double)s.lens[i], 0, 0);
        assert_near((double)s.pixel[i], 0, 0);
    }
}

/* Whether each of `count` rings of equal area has one sample, in the disk with which samples that
 * are blurred by their part have the variance of the lens: r^2 + part^2 = 1. */
static void expect_one_in_each_ring(int count)
{
    bool taken[MAX] = {false};
    const double part = (double)pattern_lens_part(count);
    for (int i = 0; i < count; i++) {
        const PatternSample s = pattern_sample(i, count);
        const double r2 = (double)(s.lens[0] * s.lens[0] + s.lens[1] * s.lens[1]);
        const int ring = (int)floor(r2 / (1 - part * part) * count);
        assert_true(ring >= 0 && ring < count && !taken[ring]);
        taken[ring] = true;
    }
}

static void test_all(void **state)
{
    (void)state;
    for (int count = 2; count <= MAX; count++) {
        double sums[4] = {0};
        for (int i = 0; i < count; i++) {
            const PatternSample s = pattern_sample(i, count);
            assert_near((double)s.time, (i + 0.5) / count, 1e-6);
            for (int k = 0; k < 2; k++) {
                assert_true(s.pixel[k] >= -0.5f && s.pixel[k] < 0.5f);
                sums[k] += (double)s.pixel[k] / count;
                sums[2 + k] += (double)s.lens[k] / count;
            }
        }
        expect_one_in_each_ring(count);
        for (int k = 0; k < 4; k++) /* the mean image does not move */
            if (!(fabs(sums[k]) < 1.0 / sqrt(count)))
                fail_msg("%d samples: mean %d is %g", count, k, sums[k]);
    }
}

/* Parts of several samples overlap: their areas add up to more than that of the lens. */
static void test_parts(void **state)
{
    (void)state;
    assert_near((double)pattern_lens_part(1), 1, 0);
    for (int count = 2; count <= 64; count++) {
        const double part = (double)pattern_lens_part(count);
        if (!(part < 1 && part * part * count > 1 && part * part * count < 3))
            fail_msg("%d samples: part %g", count, part);
    }
    assert_near((double)pattern_lens_part(65), 0, 0); /* exact */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one),
        cmocka_unit_test(test_all),
        cmocka_unit_test(test_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
