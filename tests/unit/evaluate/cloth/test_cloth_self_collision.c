// SPDX-License-Identifier: MIT
/* Masses that come too near: what is moved, how far, and what is left alone. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cloth_tuning.h"
#include "evaluate/cloth/cloth.h"
#include "evaluate/cloth/cloth_self_collision.h"
#include "unit_test.h"

/* Two masses d apart along x approach each other at a speed of 2; the wanted distance is 1. */
static void test_two_masses(void **state)
{
    static const struct {
        const char *what;
        double x, rest;
        bool fixed[2];
        double moved[2], speed[2];
    } rows[] = {
        {"three quarters of what is missing, shared",
         0.6,
         5,
         {false, false},
         {-0.15, 0.15},
         {0, 0}},
        {"one is fixed", 0.6, 5, {true, false}, {0, 0.3}, {1, 1}},
        {"both are fixed", 0.6, 5, {true, true}, {0, 0}, {1, -1}},
        {"far enough", 1.01, 5, {false, false}, {0, 0}, {1, -1}},
        {"neighbours at rest", 0.6, 2.9, {false, false}, {0, 0}, {1, -1}},
        {"not quite neighbours", 0.6, 3.1, {false, false}, {-0.15, 0.15}, {0, 0}},
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
            cloth_self_collision(cloth_self_collision_create(2, arena), separate ? parts : &all,
                                 separate ? 2 : 1);
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

            cloth_self_collision(cloth_self_collision_create(2, arena), &all, 1);
            assert_true(fabs(vec3_length(vec3_sub(x[1], x[0])) - 0.975) < 1e-9);
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

    cloth_self_collision(cloth_self_collision_create(2, arena), two, 2);
    assert_true(x[0].x == 0 && x[1].x == 0.1);
    arena_destroy(arena);
}

/* The distance of a cloth is 0.7 of the mean length of its structural springs, which the others,
 * that are softer or stiffer by their factors, do not change. */
static void test_distance_of_a_cloth(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double length; /* of the rows; columns are 1 apart */
        double shear, bend;
        bool self_collision;
        double distance;
    } rows[] = {
        /* 3 x 3: six springs of 1, six of `length` */
        {"squares", 1, 0.5, 0.1, true, 0.7},     {"oblongs", 3, 0.5, 0.1, true, 1.4},
        {"no shear", 3, 0, 0, true, 1.4},        {"switched off", 3, 0.5, 0.1, false, 0},
        {"small", 0.01, 0.5, 0.1, true, 0.3535},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        ClothTuning t = CLOTH_TUNING_DEFAULT;
        ClothTopology topology;
        t.shear = rows[i].shear;
        t.bend = rows[i].bend;
        t.self_collision = rows[i].self_collision;
        cloth_topology_init(&topology, &t, 9, arena);
        for (uint32_t k = 0; k < 9; k++)
            topology.rest[k] = (Vec3){k % 3, rows[i].length * (k / 3), 0};
        topology.pins[0] = 0.999;
        topology.pins[1] = 0.998;
        cloth_topology_from_grid(&topology, 3, 3, false, arena);
        Cloth *cloth = cloth_create(&topology, 0);
        cloth_reset(cloth, topology.rest, NULL);
        const ClothMasses masses = cloth_masses(cloth);
        if (fabs(masses.distance - rows[i].distance) > 1e-12)
            fail_msg("%s: %g", rows[i].what, masses.distance);
        assert_int_equal(masses.count, 9);
        assert_ptr_equal(masses.position, cloth_positions(cloth));
        assert_ptr_equal(masses.rest, topology.rest);
        for (uint32_t k = 0; k < 9; k++) {
            assert_int_equal(masses.fixed[k], k == 0);
            assert_true(vec3_length(masses.velocity[k]) == 0);
        }
        cloth_destroy(cloth);

        /* without springs there is no length */
        topology.spring_count = 0;
        cloth = cloth_create(&topology, 0);
        assert_true(cloth_masses(cloth).distance == 0);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* Masses of one cloth that were nearer than three distances at rest are neighbours. */
static void test_neighbours(void **state)
{
    (void)state;
    static const struct {
        double rest; /* between two masses that are 0.5 apart now */
        bool moved;
    } rows[] = {{0, false}, {1, false}, {2.99, false}, {3.01, true}, {9, true}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int axis = 0; axis < 3; axis++) {
            Arena *arena = arena_create();
            Vec3 x[2] = {{0, 0, 0}, {0.5, 0, 0}}, v[2] = {{1, 0, 0}, {-1, 0, 0}};
            const double r = rows[i].rest;
            const Vec3 rest[2] = {{1, 2, 3},
                                  {1 + r * (axis == 0), 2 + r * (axis == 1), 3 + r * (axis == 2)}};
            const bool fixed[2] = {false, false};
            const ClothMasses all = {2, x, v, rest, fixed, 1};
            cloth_self_collision(cloth_self_collision_create(2, arena), &all, 1);
            /* three quarters of what is missing, shared; and none of the approach is left */
            assert_true(fabs(x[0].x - (rows[i].moved ? -0.1875 : 0)) < 1e-12);
            assert_true(fabs(x[1].x - (rows[i].moved ? 0.6875 : 0.5)) < 1e-12);
            assert_true(fabs(v[0].x - (rows[i].moved ? 0 : 1)) < 1e-12);
            assert_true(fabs(v[1].x + (rows[i].moved ? 0 : 1)) < 1e-12);
            arena_destroy(arena);
        }
}

/* Of many masses every close pair is found, and no other is moved: compared with all pairs. */
static void test_many_masses(void **state)
{
    (void)state;
    enum { COUNT = 300 };
    Arena *arena = arena_create();
    Vec3 x[COUNT], v[COUNT], rest[COUNT];
    bool fixed[COUNT], near[COUNT] = {false};
    uint32_t random = 12345;
    for (int i = 0; i < COUNT; i++) {
        double p[3];
        for (int k = 0; k < 3; k++) {
            random = random * 1664525 + 1013904223;
            p[k] = (random >> 8) * (20.0 / (1 << 24)) - 10;
        }
        x[i] = (Vec3){p[0], p[1], p[2]};
        v[i] = (Vec3){0, 0, 0};
        rest[i] = (Vec3){10 * i, 0, 0};
        fixed[i] = i % 5 == 0;
    }
    Vec3 before[COUNT];
    memcpy(before, x, sizeof x);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < COUNT; k++)
            near[i] |= i != k && vec3_length(vec3_sub(x[i], x[k])) < 1.2 && !fixed[i];
    const ClothMasses all[2] = {{100, x, v, rest, fixed, 1.2},
                                {200, x + 100, v + 100, rest + 100, fixed + 100, 1.2}};
    cloth_self_collision(cloth_self_collision_create(COUNT, arena), all, 2);
    int moved = 0;
    for (int i = 0; i < COUNT; i++) {
        const bool changed = memcmp(&before[i], &x[i], sizeof x[i]) != 0;
        moved += changed;
        if (near[i] && !changed)
            fail_msg("mass %d is near another one", i);
        if (fixed[i] && changed)
            fail_msg("mass %d is fixed", i);
    }
    assert_true(moved > 20 && moved < 200);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_masses),   cmocka_unit_test(test_all_directions),
        cmocka_unit_test(test_switched_off), cmocka_unit_test(test_distance_of_a_cloth),
        cmocka_unit_test(test_neighbours),   cmocka_unit_test(test_many_masses)};
    return cmocka_run_group_tests_name("cloth_self_collision", tests, NULL, NULL);
}
