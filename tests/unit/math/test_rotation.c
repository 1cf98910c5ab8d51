// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "math/rotation.h"
#include "unit_test.h"

static const double DEGREE = M_PI / 180;
static const Vec3 X = {1, 0, 0}, Y = {0, 1, 0}, Z = {0, 0, 1};

static void check_vector(const char *what, Vec3 got, Vec3 wanted)
{
    if (vec3_length(vec3_sub(got, wanted)) > 1e-12)
        fail_msg("%s: (%.15g %.15g %.15g), not (%.15g %.15g %.15g)", what, got.x, got.y, got.z,
                 wanted.x, wanted.y, wanted.z);
}

/* The textbook matrices: Rx takes y to z, Ry takes z to x, Rz takes x to y. */
static void rotation_senses(void **state)
{
    (void)state;
    const struct {
        const char *what;
        Vec3 axis, from, to;
    } rows[] = {
        {"Rx 90", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
        {"Ry 90", {0, 1, 0}, {0, 0, 1}, {1, 0, 0}},
        {"Rz 90", {0, 0, 1}, {1, 0, 0}, {0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_vector(rows[i].what,
                     quat_rotate(quat_from_axis_angle(rows[i].axis, 90 * DEGREE), rows[i].from),
                     rows[i].to);
}

static void products_apply_the_right_factor_first(void **state)
{
    (void)state;
    const Quat q =
        quat_mul(quat_from_axis_angle(Z, 90 * DEGREE), quat_from_axis_angle(X, 90 * DEGREE));
    check_vector("Rz Rx y", quat_rotate(q, Y), Z);               /* Rx: y -> z, Rz leaves z */
    check_vector("Rz Rx z", quat_rotate(q, Z), (Vec3){1, 0, 0}); /* Rx: z -> -y, Rz: -y -> x */
    check_vector("inverse", quat_rotate(quat_inverse(q), quat_rotate(q, (Vec3){1, 2, 3})),
                 (Vec3){1, 2, 3});
}

/* Ry Rx Rz: z first.  Rz(90) x = y, Rx(90) y = z, Ry(90) z = x. */
static void euler_order_is_yxz(void **state)
{
    (void)state;
    const double q = 90 * DEGREE;
    check_vector("Ry Rx Rz x", quat_rotate(quat_from_euler_yxz(q, q, q), X), X);
    check_vector("Ry Rx z", quat_rotate(quat_from_euler_yxz(q, q, 0), Z), (Vec3){0, -1, 0});
}

static double angle_about_z(Quat q)
{
    const Vec3 v = quat_rotate(q, X);
    return atan2(v.y, v.x) / DEGREE;
}

static void power_scales_the_angle(void **state)
{
    (void)state;
    const struct {
        const char *what;
        double degrees, exponent, wanted;
    } rows[] = {
        {"half", 90, 0.5, 45},
        {"none", 90, 0, 0},
        {"whole", 90, 1, 90},
        {"minus", 90, -1, -90},
        {"minus half", 80, -0.5, -40},
        {"double", 70, 2, 140},
        {"shorter side", 300, 0.5, -30},
        {"nothing to scale", 0, 3, 0},
        {"tiny", 1e-7, 0.25, 0.25e-7},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Quat q =
            quat_power(quat_from_axis_angle(Z, rows[i].degrees * DEGREE), rows[i].exponent);
        if (fabs(angle_about_z(q) - rows[i].wanted) > 1e-9)
            fail_msg("%s: %.12g, not %.12g", rows[i].what, angle_about_z(q), rows[i].wanted);
    }
}

static void slerp_is_even_on_the_shorter_arc(void **state)
{
    (void)state;
    const struct {
        const char *what;
        double from, to, t, wanted;
    } rows[] = {
        {"start", 10, 90, 0, 10},
        {"end", 10, 90, 1, 90},
        {"quarter", 10, 90, 0.25, 30},
        {"over the far side", -170, 170, 0.5, 180},
        {"nearly the same", 10, 10.05, 0.5, 10.025},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Quat q = quat_slerp(quat_from_axis_angle(Z, rows[i].from * DEGREE),
                                  quat_from_axis_angle(Z, rows[i].to * DEGREE), rows[i].t);
        double difference = fmod(fabs(angle_about_z(q) - rows[i].wanted), 360);
        if (fmin(difference, 360 - difference) > 1e-9)
            fail_msg("%s: %.12g, not %.12g", rows[i].what, angle_about_z(q), rows[i].wanted);
    }
}

static void zero_normalizes_to_the_identity(void **state)
{
    (void)state;
    assert_true(quat_normalize((Quat){0, 0, 0, 0}).w == 1);
    assert_true(vec3_normalize((Vec3){0, 0, 0}).x == 0);
    assert_true(fabs(quat_dot(quat_normalize((Quat){1, 2, 3, 4}), (Quat){1, 2, 3, 4}) - sqrt(30)) <
                1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotation_senses),
        cmocka_unit_test(products_apply_the_right_factor_first),
        cmocka_unit_test(euler_order_is_yxz),
        cmocka_unit_test(power_scales_the_angle),
        cmocka_unit_test(slerp_is_even_on_the_shorter_arc),
        cmocka_unit_test(zero_normalizes_to_the_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
