/* Masses that come too near: what is moved, how far, and what is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "evaluate/cloth_apart.h"

/* Two masses d apart along x approach each other at a speed of 2; the wanted distance is 1. */
static void test_two_masses(void **state)
{
    static const struct {
        const char *what;
        double x, rest;
        bool fixed[2];
        double moved[2], speed[2];
    } rows[] = {
        {"half of what is missing, shared", 0.6, 5, {false, false}, {-0.1, 0.1}, {0, 0}},
        {"one is fixed", 0.6, 5, {true, false}, {0, 0.2}, {1, 1}},
        {"both are fixed", 0.6, 5, {true, true}, {0, 0}, {1, -1}},
        {"far enough", 1.01, 5, {false, false}, {0, 0}, {1, -1}},
        {"neighbours at rest", 0.6, 2.9, {false, false}, {0, 0}, {1, -1}},
        {"not quite neighbours", 0.6, 3.1, {false, false}, {-0.1, 0.1}, {0, 0}},
        {"at one place: no direction", 0, 5, {false, false}, {0, 0}, {1, -1}},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int separate = 0; separate < 2; separate++) { /* in one cloth, or in two */
            Arena *arena = arena_create();
            Vec3 x[2] = {{-0.3, 7, -2}, {-0.3 + rows[i].x, 7, -2}}, v[2] = {{1, 0, 0}, {-1, 0, 0}};
            const Vec3 rest[2] = {{0, 0, 0}, {rows[i].rest, 0, 0}};
            const ClothMasses all = {2, x, v, rest, rows[i].fixed, 1};
            const ClothMasses parts[2] = {{1, x, v, rest, rows[i].fixed, 1},
                                          {1, x + 1, v + 1, rest + 1, rows[i].fixed + 1, 1}};

            if (rows[i].rest < 3 && separate) { /* nothing is a neighbour of another cloth */
                arena_destroy(arena);
                continue;
            }
            cloth_apart(cloth_apart_create(2, arena), separate ? parts : &all, separate ? 2 : 1);
            for (int k = 0; k < 2; k++) {
                const double start = k ? -0.3 + rows[i].x : -0.3;
                if (fabs(x[k].x - start - rows[i].moved[k]) > 1e-12 ||
                    fabs(v[k].x - rows[i].speed[k]) > 1e-12)
                    fail_msg("%s: mass %d at %g with %g", rows[i].what, k, x[k].x, v[k].x);
                assert_true(fabs(x[k].y - 7) < 1e-12 && fabs(x[k].z + 2) < 1e-12);
            }
            arena_destroy(arena);
        }
}

/* A grid finds the same pairs as a search of all, in any direction and across cells. */
static void test_all_directions(void **state)
{
    (void)state;
    for (int n = 0; n < 27; n++) {
        const Vec3 d = {n / 9 - 1, n / 3 % 3 - 1, n % 3 - 1};
        if (n == 13)
            continue;
        for (int k = 0; k < 10; k++) {
            Arena *arena = arena_create();
            const Vec3 from = {-2.1 + 0.41 * k, 0.37 * k, 5 - 0.73 * k};
            const Vec3 step = vec3_scale(vec3_normalize(d), 0.9);
            Vec3 x[2] = {from, vec3_add(from, step)}, v[2] = {{0, 0, 0}, {0, 0, 0}};
            const Vec3 rest[2] = {{0, 0, 0}, {9, 0, 0}};
            const bool fixed[2] = {false, false};
            const ClothMasses all = {2, x, v, rest, fixed, 1};

            cloth_apart(cloth_apart_create(2, arena), &all, 1);
            assert_true(fabs(vec3_length(vec3_sub(x[1], x[0])) - 0.95) < 1e-9);
            arena_destroy(arena);
        }
    }
}

/* A cloth without a distance takes no part. */
static void test_switched_off(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Vec3 x[2] = {{0, 0, 0}, {0.1, 0, 0}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
    const Vec3 rest[2] = {{0, 0, 0}, {9, 0, 0}};
    const bool fixed[2] = {false, false};
    const ClothMasses two[2] = {{1, x, v, rest, fixed, 1}, {1, x + 1, v + 1, rest, fixed, 0}};

    cloth_apart(cloth_apart_create(2, arena), two, 2);
    assert_true(x[0].x == 0 && x[1].x == 0.1);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_masses),
                                       cmocka_unit_test(test_all_directions),
                                       cmocka_unit_test(test_switched_off)};
    return cmocka_run_group_tests_name("cloth_apart", tests, NULL, NULL);
}
