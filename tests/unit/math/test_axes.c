// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>

#include "math/axes.h"
#include "unit_test.h"

static const double DEGREE = 3.14159265358979323846 / 180;

static double random_unit(uint64_t *seed) /* -1..1 */
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / (double)(1ull << 52) - 1;
}

static Axes random_axes(uint64_t *seed)
{
    Quat q;
    do
        q = (Quat){random_unit(seed), random_unit(seed), random_unit(seed), random_unit(seed)};
    while (quat_dot(q, q) > 1 || quat_dot(q, q) < 0.01);
    q = quat_normalize(q);
    return (Axes){quat_rotate(q, (Vec3){1, 0, 0}), quat_rotate(q, (Vec3){0, 1, 0}),
                  quat_rotate(q, (Vec3){0, 0, 1})};
}

/* How far three axes are from unit length, right angles and the right hand. */
static double fault(const Axes *a)
{
    const Vec3 x = vec3_sub(vec3_cross(a->y, a->z), a->x);
    double worst = vec3_length(x);
    worst = fmax(worst, fabs(vec3_dot(a->x, a->y)));
    worst = fmax(worst, fabs(vec3_dot(a->y, a->z)));
    worst = fmax(worst, fabs(vec3_dot(a->z, a->x)));
    worst = fmax(worst, fabs(vec3_length(a->x) - 1));
    worst = fmax(worst, fabs(vec3_length(a->y) - 1));
    return fmax(worst, fabs(vec3_length(a->z) - 1));
}

static Axes slerp_three(const Axes *a, const Axes *b, double t)
{
    return (Axes){axes_slerp(a->x, b->x, t), axes_slerp(a->y, b->y, t), axes_slerp(a->z, b->z, t)};
}

static double apart(const Axes *a, const Axes *b)
{
    return fmax(vec3_length(vec3_sub(a->x, b->x)),
                fmax(vec3_length(vec3_sub(a->y, b->y)), vec3_length(vec3_sub(a->z, b->z))));
}

static void right_angles_stay(void **state)
{
    (void)state;
    uint64_t seed = 1;
    double worst = 0, worst_of_three = 0;
    for (int i = 0; i < 100000; i++) {
        const Axes a = random_axes(&seed), b = random_axes(&seed);
        const double t = (random_unit(&seed) + 1) / 2;
        const Axes two = axes_interpolate(&a, &b, t), three = slerp_three(&a, &b, t);
        worst = fmax(worst, fault(&two));
        worst_of_three = fmax(worst_of_three, fault(&three));
        if (i % 100 == 0) {
            const Axes start = axes_interpolate(&a, &b, 0), end = axes_interpolate(&a, &b, 1);
            assert_true(apart(&start, &a) < 1e-9 && apart(&end, &b) < 1e-9);
        }
    }
    if (!(worst < 1e-6))
        fail_msg("off by %g", worst);
    assert_true(worst_of_three > 0.5);
}

/*
 * The published measurement of the naive way: axes led independently stand at these angles instead
 * of 90 degrees.  The two orientations are not printed; this turn was found by a search as one that
 * gives all nine numbers.
 */
static void separate_axes_lose_right_angles(void **state)
{
    (void)state;
    const double published[] = {96.2, 101.2, 104.5, 105.9, 105.4, 103.3, 100.1, 96.4, 92.8};
    const Axes a = AXES_IDENTITY;
    const Axes b =
        axes_from_quat(quat_from_euler_yxz(-126.874 * DEGREE, 133.188 * DEGREE, -51.654 * DEGREE));
    for (int i = 0; i < 9; i++) {
        const double t = (i + 1) / 10.0;
        const Axes three = slerp_three(&a, &b, t), two = axes_interpolate(&a, &b, t);
        const double angle = axes_angle(three.x, three.y) / DEGREE;
        if (fabs(angle - published[i]) > 0.05)
            fail_msg("t %.1f: %.2f degrees, published %.1f", t, angle, published[i]);
        assert_true(fabs(axes_angle(two.x, two.y) / DEGREE - 90) < 1e-6);
    }
}

static void along_the_sphere(void **state)
{
    (void)state;
    const Vec3 x = {1, 0, 0}, y = {0, 1, 0};
    const Vec3 third = axes_slerp(x, y, 1.0 / 3); /* 30 degrees on */
    assert_true(fabs(third.x - sqrt(3) / 2) < 1e-12 && fabs(third.y - 0.5) < 1e-12);

    uint64_t seed = 3; /* even speed: the angle gone is the part of the whole */
    for (int i = 0; i < 1000; i++) {
        const Axes a = random_axes(&seed), b = random_axes(&seed);
        const double t = (random_unit(&seed) + 1) / 2, whole = axes_angle(a.z, b.z);
        assert_true(fabs(axes_angle(a.z, axes_slerp(a.z, b.z, t)) - t * whole) < 1e-7);
    }
}

static void guards(void **state)
{
    (void)state;
    const Vec3 z = {0, 0, 1};
    const double angles[] = {0, 1e-300, 1e-12, 1e-8, 1e-7, 1e-4};
    for (size_t i = 0; i < sizeof angles / sizeof *angles; i++)
        for (double t = 0; t <= 1; t += 0.125) {
            const Vec3 near = {sin(angles[i]), 0, cos(angles[i])};
            const Vec3 same = axes_slerp(z, near, t);
            const Vec3 far = axes_slerp(z, vec3_scale(near, -1), t);
            assert_true(fabs(vec3_length(same) - 1) < 1e-9 && fabs(vec3_length(far) - 1) < 1e-9);
            assert_true(vec3_length(vec3_sub(same, z)) < 1e-4 + 1e-9);
            assert_true(fabs(axes_angle(z, far) - t * (M_PI - angles[i])) < 1e-6);
        }
    const Vec3 over = axes_slerp(z, (Vec3){0, 0, -1}, 0.5),
               again = axes_slerp(z, (Vec3){0, 0, -1}, 0.5);
    assert_true(fabs(vec3_dot(over, z)) < 1e-12);
    assert_true(over.x == again.x && over.y == again.y && over.z == again.z);

    const Vec3 hard[][2] = {
        /* view and up that do not define all axes */
        {{0, 0, 0}, {0, 1, 0}}, {{0, 5, 0}, {0, 1, 0}}, {{0, -5, 0}, {0, 1, 0}},
        {{1, 2, 3}, {0, 0, 0}}, {{0, 0, 0}, {0, 0, 0}}, {{1e-12, 1, 0}, {0, 1, 0}},
    };
    for (size_t i = 0; i < sizeof hard / sizeof *hard; i++) {
        const Axes axes = axes_from_view(hard[i][0], hard[i][1]);
        if (!(fault(&axes) < 1e-6))
            fail_msg("row %zu: off by %g", i, fault(&axes));
    }

    /* half way, view and up would fall on one line: a half turn about it */
    const Axes front = AXES_IDENTITY, up = {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}};
    const Axes between = axes_interpolate(&front, &up, 0.5);
    assert_true(fault(&between) < 1e-6);
}

static void quaternion_round_trip(void **state)
{
    (void)state;
    uint64_t seed = 5;
    for (int i = 0; i < 10000; i++) {
        const Axes a = random_axes(&seed), back = axes_from_quat(axes_to_quat(&a));
        assert_true(apart(&a, &back) < 1e-9);
    }
    const Axes halves[] = {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}},
                           {{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}},
                           {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}}};
    for (int i = 0; i < 3; i++) {
        const Axes back = axes_from_quat(axes_to_quat(&halves[i]));
        assert_true(apart(&halves[i], &back) < 1e-12);
    }
}

static void rolling(void **state)
{
    (void)state;
    const Axes front = AXES_IDENTITY, rolled = axes_roll(&front, 90 * DEGREE);
    assert_true(vec3_length(vec3_sub(rolled.x, (Vec3){0, 1, 0})) < 1e-12);
    assert_true(vec3_length(vec3_sub(rolled.y, (Vec3){-1, 0, 0})) < 1e-12);
    assert_true(vec3_length(vec3_sub(rolled.z, front.z)) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_angles_stay),     cmocka_unit_test(separate_axes_lose_right_angles),
        cmocka_unit_test(along_the_sphere),      cmocka_unit_test(guards),
        cmocka_unit_test(quaternion_round_trip), cmocka_unit_test(rolling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
