// SPDX-License-Identifier: MIT
/* The five integrators: order of the error, limits of stability known from theory, straight motion.
 */
#include <math.h>

#include "math/integrator.h"
#include "near.h"
#include "unit_test.h"

/* x'' = -x: from (1, 0) the exact motion is cos t, -sin t. */
static void swing(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time, void *user)
{
    (void)velocity;
    (void)time;
    (void)user;
    out[0] = vec3_scale(position[0], -1);
}

/* x'' = cos(time) */
static void driven(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time, void *user)
{
    (void)position;
    (void)velocity;
    (void)user;
    out[0] = (Vec3){cos(time), 0, 0};
}

static void nothing(Vec3 *out, const Vec3 *position, const Vec3 *velocity, double time, void *user)
{
    (void)position;
    (void)velocity;
    (void)time;
    (void)user;
    out[0] = (Vec3){0, 0, 0};
}

static double swing_error(const Integrator *integrator, int steps)
{
    Vec3 x = {1, 0, 0}, v = {0, 0, 0}, work[INTEGRATOR_WORK];
    const MassSystem system = {1, &x, &v, work, swing, NULL};
    const double h = 3.0 / steps;
    for (int i = 0; i < steps; i++)
        integrator->step(&system, i * h, h);
    return hypot(x.x - cos(3), v.x + sin(3));
}

static double driven_error(const Integrator *integrator, int steps)
{
    Vec3 x = {-1, 0, 0}, v = {0, 0, 0}, work[INTEGRATOR_WORK];
    const MassSystem system = {1, &x, &v, work, driven, NULL};
    const double h = 2.0 / steps;
    for (int i = 0; i < steps; i++)
        integrator->step(&system, i * h, h);
    return hypot(x.x + cos(2), v.x - sin(2));
}

/* Half the step divides the error by 2^order. */
static void order_of_convergence(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATOR_COUNT; i++) {
        const Integrator *integrator = &INTEGRATORS[i];
        const double order = log2(swing_error(integrator, 128) / swing_error(integrator, 256));
        const double in_time = log2(driven_error(integrator, 128) / driven_error(integrator, 256));
        if (fabs(order - integrator->order) > 0.1)
            fail_msg("%s: order %g, not %d", integrator->name, order, integrator->order);
        if (in_time < integrator->order - 0.1)
            fail_msg("%s: order %g with a force of time", integrator->name, in_time);
    }
}

/* Limits from the theory of the methods: h w on the undamped axis, h c on the purely damped one. */
static void limits_of_theory(void **state)
{
    (void)state;
    enum { EULER, SYMPLECTIC, RK2, RK4, LEAPFROG };
    const struct {
        const char *what;
        int integrator;
        double stiffness, damping, limit; /* of h */
    } rows[] = {
        {"symplectic swings up to h w = 2", SYMPLECTIC, 1, 0, 2},
        {"leapfrog swings up to h w = 2", LEAPFROG, 1, 0, 2},
        {"rk4 swings up to h w = 2 sqrt 2", RK4, 1, 0, 2.8284271247461903},
        {"euler damps up to h c = 2", EULER, 0, 1, 2},
        {"rk2 damps up to h c = 2", RK2, 0, 1, 2},
        {"rk4 damps up to h c = 2.785", RK4, 0, 1, 2.785293563405282},
        {"euler swings up to h = c / w^2", EULER, 4, 1, 0.25},
        {"symplectic: h^2 w^2 + 2 h c = 4", SYMPLECTIC, 2, 1, 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Integrator *integrator = &INTEGRATORS[rows[i].integrator];
        const double below = integrator_growth(integrator, rows[i].limit * (1 - 1e-6),
                                               rows[i].stiffness, rows[i].damping);
        const double above = integrator_growth(integrator, rows[i].limit * (1 + 1e-3),
                                               rows[i].stiffness, rows[i].damping);
        if (below > 1 + 1e-12 || above <= 1)
            fail_msg("%s: grows by %.9g below and %.9g above", rows[i].what, below, above);
    }
    for (double h = 1; h > 1e-3; h /= 2) { /* |1 + i h w| and |1 + i z - z^2 / 2|, z = h w */
        assert_near(integrator_growth(&INTEGRATORS[EULER], h, 1, 0), sqrt(1 + h * h), 1e-12);
        assert_near(integrator_growth(&INTEGRATORS[RK2], h, 1, 0), sqrt(1 + h * h * h * h / 4),
                    1e-12);
    }
}

static void free_masses_move_straight(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATOR_COUNT; i++) {
        Vec3 x = {1, 2, 3}, v = {8, -4, 2}, work[INTEGRATOR_WORK];
        const MassSystem system = {1, &x, &v, work, nothing, NULL};
        INTEGRATORS[i].step(&system, 0, 0.25);
        if (fabs(x.x - 3) > 1e-14 || fabs(x.y - 1) > 1e-14 || fabs(x.z - 3.5) > 1e-14 || v.x != 8)
            fail_msg("%s: (%g %g %g)", INTEGRATORS[i].name, x.x, x.y, x.z);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(order_of_convergence),
        cmocka_unit_test(limits_of_theory),
        cmocka_unit_test(free_masses_move_straight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
