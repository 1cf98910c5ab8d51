// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "scene/dynamics/dynamics.h"
#include "unit_test.h"

static void keys_are_linear(void **state)
{
    static const GravityKey keys[] = {{10, {0, -98, 0}, 0}, {20, {98, 0, 4}, 0}};
    PhysicsSpec spec = PHYSICS_DEFAULT;
    float g[3];
    (void)state;
    assert_false(dynamics_gravity_changes(&spec));
    dynamics_gravity(g, &spec, 3);
    assert_true(g[0] == 0 && g[1] == -98 && g[2] == 0);
    spec.gravity_keys = keys;
    spec.gravity_key_count = 2;
    assert_true(dynamics_gravity_changes(&spec));
    dynamics_gravity(g, &spec, 12.5);
    assert_true(g[0] == 24.5f && g[1] == -73.5f && g[2] == 1);
    dynamics_gravity(g, &spec, 0);
    assert_true(g[0] == 0 && g[1] == -98);
}

/* Uniform in -n..n, constant within a frame: mean 0 and variance n^2 / 3 over many frames, with
 * five standard errors of 3,000 values. */
static void noise_is_uniform(void **state)
{
    PhysicsSpec spec = PHYSICS_DEFAULT;
    double sum = 0, squares = 0, product = 0;
    float first[3], g[3];
    enum { FRAMES = 1000 };
    (void)state;
    spec.gravity_noise = 10;
    for (int frame = 0; frame < FRAMES; frame++) {
        dynamics_gravity(first, &spec, frame);
        dynamics_gravity(g, &spec, frame + 0.99);
        assert_memory_equal(first, g, sizeof g);
        const double d[3] = {(double)g[0], (double)g[1] + 98, (double)g[2]};
        for (int i = 0; i < 3; i++) {
            assert_true(fabs(d[i]) <= 10);
            sum += d[i];
            squares += d[i] * d[i];
        }
        product += d[0] * d[1];
    }
    assert_true(fabs(sum / (3 * FRAMES)) < 5 * sqrt(100.0 / 3 / (3 * FRAMES)));
    assert_true(fabs(squares / (3 * FRAMES) - 100.0 / 3) < 5 * sqrt(2000.0 * 4 / 9 / FRAMES));
    assert_true(fabs(product / FRAMES) < 5 * (100.0 / 3) / sqrt(FRAMES));
    dynamics_gravity(g, &spec, FRAMES);
    assert_memory_not_equal(first, g, sizeof g);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(keys_are_linear),
                                       cmocka_unit_test(noise_is_uniform)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
