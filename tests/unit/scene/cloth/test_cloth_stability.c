// SPDX-License-Identifier: MIT
/* The number of substeps, worked out from the theory of two integrators. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cloth_tuning.h"
#include "diag_log.h"
#include "scene/cloth/cloth_topology.h"
#include "unit_test.h"

enum { EULER, SYMPLECTIC };

static ClothTuning quiet_tuning(int integrator)
{
    ClothTuning t = CLOTH_TUNING_DEFAULT;
    t.integrator = integrator;
    t.step_hz = 100;
    t.stiffness = 10000;
    t.damping = t.drag = t.air = t.contact = 0;
    return t;
}

/* A triangle with legs of 1 and 2 without springs. */
static ClothTopology triangle(const ClothTuning *t, Arena *arena)
{
    ClothTopology topology;
    cloth_topology_init(&topology, t, 3, arena);
    topology.rest[1] = (Vec3){1, 0, 0};
    topology.rest[2] = (Vec3){0, 2, 0};
    topology.springs = arena_array(arena, ClothSpring, 3);
    topology.faces = arena_calloc(arena, 1, sizeof *topology.faces);
    topology.face_count = 1;
    for (uint32_t i = 0; i < 3; i++)
        topology.faces[0][i] = i;
    return topology;
}

static void add_spring(ClothTopology *topology, uint32_t a, uint32_t b, double stiffness,
                       double damping)
{
    topology->springs[topology->spring_count++] = (ClothSpring){a, b, 1, stiffness, damping};
}

/*
 * Symplectic Euler, v += h (-K x - C v), x += h v, has determinant 1 - hC and trace
 * 2 - hC - h^2 K, so it is stable if h^2 K + 2 h C <= 4.
 */
static int fewest_symplectic(double stiffness, double damping, int step_hz)
{
    int n = 1;
    for (double h = 1.0 / step_hz; h * h * stiffness + 2 * h * damping > 4; h = 1.0 / (step_hz * n))
        n++;
    return n;
}

static void check_steps(const char *what, ClothTopology *topology, int expected)
{
    DiagLog log;
    diag_log_init(&log);
    if (!cloth_stability_choose_steps(topology, &log.diag))
        fail_msg("%s: %s", what, log.text);
    if (topology->substeps != expected)
        fail_msg("%s: %d substeps, expected %d", what, topology->substeps, expected);
}

/* Each term alone: K and C are the bounds of stiffness and damping, per mass. */
static void terms_of_the_bounds(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double springs[2][2]; /* 0-1 and 1-2: stiffness and damping */
        double pins[3];
        double mass, stiffness, drag, air, contact;
        double k, c; /* expected, for the whole mass */
    } rows[] = {
        /* a spring between free masses counts with both ends */
        {"one spring", {{4.2e6, 0}}, {0}, 1, 0, 0, 0, 0, 8.4e6, 0},
        {"at its other end", {{0, 0}, {4.2e6, 0}}, {0}, 1, 0, 0, 0, 0, 8.4e6, 0},
        {"one end fixed", {{4.2e6, 0}}, {1, 0, 0}, 1, 0, 0, 0, 0, 4.2e6, 0},
        {"the other end fixed", {{4.2e6, 0}}, {0, 1, 0}, 1, 0, 0, 0, 0, 4.2e6, 0},
        {"both springs of a mass", {{4.2e6, 0}, {1e6, 0}}, {0}, 1, 0, 0, 0, 0, 10.4e6, 0},
        {"a fixed mass has no bound", {{4.2e6, 0}, {9e6, 0}}, {0, 1, 1}, 1, 0, 0, 0, 0, 4.2e6, 0},
        {"damping of a spring", {{0, 1500}}, {0}, 1, 0, 0, 0, 0, 0, 3000},
        {"damping at the other end", {{0, 0}, {0, 1500}}, {0}, 1, 0, 0, 0, 0, 0, 3000},
        {"damping, one end fixed", {{0, 3000}}, {1, 0, 0}, 1, 0, 0, 0, 0, 0, 3000},
        {"mass", {{4.2e6, 2000}}, {0}, 4, 0, 0, 0, 0, 8.4e6, 4000},
        /* half of the stiffness; sqrt(k m) is half of the critical damping, contacts have a quarter
         */
        {"pull of a pin", {{0}}, {0, 0.5, 0}, 1, 9e6, 0, 0, 0, 4.5e6, 2121.32},
        {"pull, other mass", {{0}}, {0, 0.5, 0}, 4, 9e6, 0, 0, 0, 4.5e6, 4242.64},
        {"contact", {{0}}, {0}, 1, 4e6, 0, 0, 2, 8e6, 1414.21},
        {"contact, other mass", {{0}}, {0}, 4, 4e6, 0, 0, 2, 8e6, 2828.43},
        {"drag", {{0}}, {0}, 1, 0, 3000, 0, 0, 0, 3000},
        /* area 1, a third of it at each mass */
        {"air", {{0}}, {0}, 1, 0, 0, 9000, 0, 0, 3000},
        {"all", {{1e6, 500}}, {0}, 2, 1e6, 500, 1500, 1, 3e6, 1000 + 500 + 500 + 707.107},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        ClothTuning t = quiet_tuning(SYMPLECTIC);
        t.step_hz = 40;
        t.mass = rows[i].mass;
        t.stiffness = rows[i].stiffness;
        t.drag = rows[i].drag;
        t.air = rows[i].air;
        t.contact = rows[i].contact;
        ClothTopology topology = triangle(&t, arena);
        memcpy(topology.pins, rows[i].pins, sizeof rows[i].pins);
        for (uint32_t k = 0; k < 2; k++)
            add_spring(&topology, k, k + 1, rows[i].springs[k][0], rows[i].springs[k][1]);
        const int expected =
            fewest_symplectic(rows[i].k / rows[i].mass, rows[i].c / rows[i].mass, t.step_hz);
        assert_true(expected > 10); /* so that a factor of 1.1 shows */
        check_steps(rows[i].what, &topology, expected);
        arena_destroy(arena);
    }
}

/*
 * Explicit Euler is stable if h K <= C: only damping keeps it.  The modes are tried at 17
 * frequencies from 0 to the highest.  Up to a tenth of the highest stiffness only drag brakes:
 * mode 5 of 16 has 25/256 of it.  Above, springs do, by the damping ratio.
 */
static void explicit_steps_need_damping(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double mass, spring, stiffness, damping, drag;
        int fewest;
    } rows[] = {
        /* K = 200000: mode 5 is 19531, so n >= 19531 / (100 * 10); mode 6 is 28125 */
        {"drag", 1, 1e5, 1e5, 1, 10, 20},
        {"twice the drag", 1, 1e5, 1e5, 1, 20, 10},
        {"four times the mass", 4, 1e5, 1e5, 1, 10, 20},
        /* damping ratio 0.01 * sqrt(2 / 100000) = 4.4721e-5: the highest mode of 200000 has
         * 10 + 8.05 of damping: n >= 200000 / (100 * 18.05) */
        {"little damping", 1, 1e5, 1e5, 0.01, 10, 111},
        /* 10 + 32.2 */
        {"four times the damping", 1, 1e5, 1e5, 0.04, 10, 48},
        /* stiffness 2e5 alone: ratio 0.04 * sqrt(2 / 2e5) = 1.2649e-4: 10 + 22.77 */
        {"twice the stiffness", 1, 1e5, 2e5, 0.04, 10, 62},
        /* mass 4: K = 50000, drag 2.5, ratio 0.04 * sqrt(8 / 1e5) = 3.5777e-4: 2.5 + 16.1 */
        {"more mass", 4, 1e5, 1e5, 0.04, 10, 27},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        ClothTuning t = quiet_tuning(EULER);
        t.mass = rows[i].mass;
        t.stiffness = rows[i].stiffness;
        t.damping = rows[i].damping;
        t.drag = rows[i].drag;
        ClothTopology topology = triangle(&t, arena);
        add_spring(&topology, 0, 1, rows[i].spring, 200);
        diag_log_init(&log);
        const bool stable = cloth_stability_choose_steps(&topology, &log.diag);
        if (stable != (rows[i].fewest <= CLOTH_MAX_SUBSTEPS))
            fail_msg("%s: %s", rows[i].what, log.text);
        if (stable && topology.substeps != rows[i].fewest)
            fail_msg("%s: %d substeps, expected %d", rows[i].what, topology.substeps,
                     rows[i].fewest);
        arena_destroy(arena);
    }
}

/* Bounds below 1 count, too: ticks of a second with nothing but a drag of 1.9, h C <= 2; with a
 * spring of 0.15 to a fixed mass, h^2 K + 2 h C is 3.95. */
static void small_bounds(void **state)
{
    (void)state;
    static const struct {
        double spring, drag;
        int substeps;
    } rows[] = {{0, 1.9, 1}, {0, 2.1, 2}, {0.15, 1.9, 1}, {0.25, 1.9, 2}, {0.9, 1.5, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        ClothTuning t = quiet_tuning(SYMPLECTIC);
        t.step_hz = 1;
        t.drag = rows[i].drag;
        ClothTopology topology = triangle(&t, arena);
        topology.pins[0] = 1;
        add_spring(&topology, 0, 1, rows[i].spring, 0);
        check_steps("small", &topology, rows[i].substeps);
        arena_destroy(arena);
    }
}

/* 64 substeps are the limit: h^2 K = 4 at K = 4 (100 n)^2. */
static void the_limit_of_substeps(void **state)
{
    (void)state;
    static const struct {
        double n; /* number of substeps that is just stable */
        int chosen, given;
        bool any_step, stable;
        int substeps;
    } rows[] = {
        {0.9, 1, 0, false, true, 1},      {1.1, 2, 0, false, true, 2},
        {63.9, 64, 0, false, true, 64},   {64.1, 0, 0, false, false, 64},
        {64.1, 0, 0, true, true, 64},     {9.9, 10, 10, false, true, 10},
        {10.1, 11, 10, false, false, 10}, {10.1, 11, 10, true, true, 10},
        {64.1, 0, 65, false, true, 65},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        ClothTuning t = quiet_tuning(SYMPLECTIC);
        t.substeps = rows[i].given;
        t.any_step = rows[i].any_step;
        ClothTopology topology = triangle(&t, arena);
        add_spring(&topology, 0, 1, 2 * 10000 * rows[i].n * rows[i].n, 0);
        diag_log_init(&log);
        if (cloth_stability_choose_steps(&topology, &log.diag) != rows[i].stable ||
            topology.substeps != rows[i].substeps)
            fail_msg("row %zu: %d substeps; %s", i, topology.substeps, log.text);
        if (!rows[i].stable && rows[i].chosen) {
            char words[300];
            snprintf(words, sizeof words,
                     "steps of 1/%d s are too long for symplectic: at a stiffness of 10000 and a "
                     "mass of 1 the cloth would diverge; use at least %d substeps of 1/100 s",
                     100 * rows[i].given, rows[i].chosen);
            assert_non_null(strstr(log.text, words));
        }
        if (!rows[i].stable && !rows[i].chosen)
            assert_non_null(strstr(log.text, "no step down to 1/6400 s is stable for symplectic "
                                             "at a stiffness of 10000, a mass of 1, a damping of "
                                             "0 and a drag of 0: "));
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terms_of_the_bounds),
        cmocka_unit_test(explicit_steps_need_damping),
        cmocka_unit_test(small_bounds),
        cmocka_unit_test(the_limit_of_substeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
