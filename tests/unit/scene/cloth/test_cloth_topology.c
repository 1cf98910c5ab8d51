// SPDX-License-Identifier: MIT
/* Weaving: springs counted by hand; how short a step must be. */
#include <math.h>
#include <string.h>

#include "cloth_tuning.h"
#include "diag_log.h"
#include "scene/cloth/cloth_topology.h"
#include "unit_test.h"

enum { EULER, SYMPLECTIC, RK2, RK4, LEAPFROG };

static ClothTuning tuning(void)
{
    ClothTuning t = CLOTH_TUNING_DEFAULT;
    t.stiffness = 1000;
    t.shear = 0.5;
    t.bend = 0.125;
    return t;
}

/* columns x rows masses, a unit apart, in the plane z = 0. */
static ClothTopology grid(uint32_t columns, uint32_t rows, bool closed, Arena *arena)
{
    const ClothTuning t = tuning();
    ClothTopology topology;
    cloth_topology_init(&topology, &t, columns * rows, arena);
    for (uint32_t i = 0; i < columns * rows; i++)
        topology.rest[i] = (Vec3){i % columns, -(double)(i / columns), 0};
    cloth_topology_from_grid(&topology, columns, rows, closed, arena);
    return topology;
}

typedef struct Count {
    int structural, shear, bend;
} Count;

static Count count(const ClothTopology *topology)
{
    Count c = {0, 0, 0};
    for (uint32_t i = 0; i < topology->spring_count; i++) {
        c.structural += topology->springs[i].stiffness == 1000;
        c.shear += topology->springs[i].stiffness == 500;
        c.bend += topology->springs[i].stiffness == 125;
    }
    return c;
}

static void check(const char *what, const ClothTopology *topology, Count expected, uint32_t faces)
{
    const Count c = count(topology);
    if (c.structural != expected.structural || c.shear != expected.shear || c.bend != expected.bend)
        fail_msg("%s: %d structural, %d shear, %d bend", what, c.structural, c.shear, c.bend);
    if (topology->face_count != faces)
        fail_msg("%s: %u faces", what, topology->face_count);
}

static void grids_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTopology topology = grid(3, 3, false, arena);
    check("3 x 3", &topology, (Count){12, 8, 6}, 8);
    topology = grid(6, 2, true, arena);
    check("6 x 2, closed", &topology, (Count){6 * 2 + 6, 12, 12}, 12);
    topology = grid(4, 2, true, arena); /* two on is the same mass on both ways */
    check("4 x 2, closed", &topology, (Count){4 * 2 + 4, 8, 0}, 8);
    arena_destroy(arena);
}

static void fixed_masses_need_no_springs(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = tuning();
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 4, arena);
    topology.pins[0] = topology.pins[1] = 1;
    for (uint32_t i = 0; i < 4; i++)
        topology.rest[i] = (Vec3){i % 2, i / 2, 0};
    cloth_topology_from_grid(&topology, 2, 2, false, arena);
    check("2 x 2, a fixed row", &topology, (Count){3, 2, 0}, 2);
    arena_destroy(arena);
}

/*
 *   0---1---2     two squares, each cut from upper left to lower right
 *   | \ | \ |
 *   3---4---5
 */
static const uint32_t SQUARES[][3] = {{0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}};

static ClothTopology mesh(const uint32_t (*triangles)[3], uint32_t count_of, Arena *arena)
{
    const ClothTuning t = tuning();
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 6, arena);
    for (uint32_t i = 0; i < 6; i++)
        topology.rest[i] = (Vec3){i % 3, -(double)(i / 3), 0};
    cloth_topology_from_mesh(&topology, triangles, count_of, arena);
    return topology;
}

/* 7 sides of squares; 4 diagonals; over the middle edge 1-4, masses 0 and 5. */
static void meshes_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    uint32_t both[9][3] = {{0}}, turned = 0;
    ClothTopology topology = mesh(SQUARES, 4, arena);
    check("two squares", &topology, (Count){7, 4, 1}, 4);
    for (uint32_t i = 0; i < 8; i++)
        for (uint32_t k = 0; k < 3; k++)
            both[i][k] = SQUARES[i % 4][i < 4 ? k : 2 - k];
    both[8][0] = both[8][1] = turned;
    topology = mesh((const uint32_t(*)[3])both, 9, arena);
    check("two sides and a triangle without area", &topology, (Count){7, 4, 1}, 4);
    /* four masses, each joined to each: no spring is added over an edge */
    static const uint32_t all[][3] = {{0, 1, 3}, {0, 1, 4}, {0, 3, 4}, {1, 3, 4}};
    topology = mesh(all, 4, arena);
    check("all pairs are edges", &topology, (Count){4, 2, 0}, 4);
    arena_destroy(arena);
}

/* One spring between a fixed and a free mass, nothing else: w^2 = k / m. */
static void fewest_steps_by_hand(void **state)
{
    (void)state;
    const struct {
        const char *what;
        int integrator;
        double damping, drag;
        int fewest; /* 0: none */
    } rows[] = {
        /* h w < 2 with w = 100 at 10 Hz: more than 5 steps a tick */
        {"symplectic", SYMPLECTIC, 0, 0, 5}, {"leapfrog", LEAPFROG, 0, 0, 5},
        {"rk4: h w < 2.83", RK4, 0, 0, 4},   {"euler grows", EULER, 0, 0, 0},
        {"rk2 grows", RK2, 0, 0, 0},         {"euler: h < c / w^2 = 1/250", EULER, 0, 40, 25},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        DiagLog log;
        diag_log_init(&log);
        ClothTuning t = {.integrator = rows[i].integrator,
                         .step_hz = 10,
                         .mass = 1,
                         .stiffness = 10000,
                         .damping = rows[i].damping,
                         .drag = rows[i].drag};
        ClothTopology topology;
        cloth_topology_init(&topology, &t, 2, arena);
        topology.pins[0] = 1;
        topology.rest[1] = (Vec3){0, -1, 0};
        cloth_topology_from_grid(&topology, 1, 2, false, arena);
        const bool good = cloth_stability_choose_steps(&topology, &log.diag);
        if (good != (rows[i].fewest > 0) || (good && topology.substeps != rows[i].fewest))
            fail_msg("%s: %s, %d steps", rows[i].what, good ? "stable" : "not stable",
                     topology.substeps);
        if (!good && !strstr(log.text, "no step down to 1/640 s is stable for"))
            fail_msg("%s: %s", rows[i].what, log.text);

        topology.tuning.substeps = 1;
        assert_false(cloth_stability_choose_steps(&topology, &log.diag));
        if (good && !strstr(log.text, "steps of 1/10 s are too long for"))
            fail_msg("%s: %s", rows[i].what, log.text);
        topology.tuning.any_step = true;
        assert_true(cloth_stability_choose_steps(&topology, &log.diag));
        assert_int_equal(topology.substeps, 1);
        arena_destroy(arena);
    }
}

/* ---- springs and faces one by one ---- */

/* Masses at (2^column, -3^row, 0): every pair of neighbours has another length. */
static ClothTopology uneven(uint32_t columns, uint32_t rows, bool closed, Arena *arena)
{
    const ClothTuning t = tuning();
    ClothTopology topology;
    cloth_topology_init(&topology, &t, columns * rows, arena);
    for (uint32_t i = 0; i < columns * rows; i++)
        topology.rest[i] = (Vec3){pow(2, i % columns), -pow(3, i / columns), 0};
    cloth_topology_from_grid(&topology, columns, rows, closed, arena);
    return topology;
}

typedef struct Pair {
    uint32_t a, b;
    double stiffness;
} Pair;

static void check_springs(const ClothTopology *topology, const Pair *pairs, uint32_t count_of)
{
    assert_int_equal(topology->spring_count, count_of);
    for (uint32_t i = 0; i < count_of; i++) {
        const ClothSpring *s = &topology->springs[i];
        const Vec3 d = vec3_sub(topology->rest[pairs[i].a], topology->rest[pairs[i].b]);
        if (s->a != pairs[i].a || s->b != pairs[i].b || s->stiffness != pairs[i].stiffness)
            fail_msg("spring %u: %u-%u, %g", i, s->a, s->b, s->stiffness);
        assert_true(fabs(s->rest - sqrt(d.x * d.x + d.y * d.y)) < 1e-12);
        /* the ratio times the critical damping of two masses: 2 sqrt(k m / 2) */
        assert_true(fabs(s->damping - topology->tuning.damping * 2 *
                                          sqrt(s->stiffness * topology->tuning.mass / 2)) < 1e-9);
    }
}

static void check_faces(const ClothTopology *topology, const uint32_t (*faces)[3],
                        uint32_t count_of)
{
    assert_int_equal(topology->face_count, count_of);
    assert_memory_equal(topology->faces, faces, count_of * sizeof *faces);
}

/*  0 1 2
 *  3 4 5
 *  6 7 8 */
static void an_open_grid(void **state)
{
    (void)state;
    static const Pair pairs[] = {
        {0, 1, 1000}, {1, 2, 1000}, {3, 4, 1000}, {4, 5, 1000}, {6, 7, 1000}, {7, 8, 1000},
        {0, 3, 1000}, {1, 4, 1000}, {2, 5, 1000}, {3, 6, 1000}, {4, 7, 1000}, {5, 8, 1000},
        {0, 4, 500},  {1, 5, 500},  {3, 7, 500},  {4, 8, 500},  {1, 3, 500},  {2, 4, 500},
        {4, 6, 500},  {5, 7, 500},  {0, 2, 125},  {3, 5, 125},  {6, 8, 125},  {0, 6, 125},
        {1, 7, 125},  {2, 8, 125},
    };
    static const uint32_t faces[][3] = {{0, 1, 4}, {1, 2, 5}, {3, 4, 7}, {4, 5, 8},
                                        {0, 4, 3}, {1, 5, 4}, {3, 7, 6}, {4, 8, 7}};
    Arena *arena = arena_create();
    const ClothTopology topology = uneven(3, 3, false, arena);
    check_springs(&topology, pairs, sizeof pairs / sizeof *pairs);
    check_faces(&topology, faces, 8);
    arena_destroy(arena);
}

/*  0 1 2 3 4 (0)
 *  5 6 7 8 9 (5) */
static void a_closed_grid(void **state)
{
    (void)state;
    static const Pair pairs[] = {
        {0, 1, 1000}, {1, 2, 1000}, {2, 3, 1000}, {3, 4, 1000}, {4, 0, 1000}, {5, 6, 1000},
        {6, 7, 1000}, {7, 8, 1000}, {8, 9, 1000}, {9, 5, 1000}, {0, 5, 1000}, {1, 6, 1000},
        {2, 7, 1000}, {3, 8, 1000}, {4, 9, 1000}, {0, 6, 500},  {1, 7, 500},  {2, 8, 500},
        {3, 9, 500},  {4, 5, 500},  {0, 9, 500},  {1, 5, 500},  {2, 6, 500},  {3, 7, 500},
        {4, 8, 500},  {0, 2, 125},  {1, 3, 125},  {2, 4, 125},  {3, 0, 125},  {4, 1, 125},
        {5, 7, 125},  {6, 8, 125},  {7, 9, 125},  {8, 5, 125},  {9, 6, 125},
    };
    static const uint32_t faces[][3] = {{0, 1, 6}, {1, 2, 7}, {2, 3, 8}, {3, 4, 9}, {4, 0, 5},
                                        {0, 6, 5}, {1, 7, 6}, {2, 8, 7}, {3, 9, 8}, {4, 5, 9}};
    Arena *arena = arena_create();
    const ClothTopology topology = uneven(5, 2, true, arena);
    check_springs(&topology, pairs, sizeof pairs / sizeof *pairs);
    check_faces(&topology, faces, 10);
    arena_destroy(arena);
}

/* A spring needs a mass that can move, and a stiffness. */
static void springs_that_do_nothing(void **state)
{
    (void)state;
    static const struct {
        double pins[2], stiffness;
        uint32_t springs;
    } rows[] = {{{0, 0}, 10, 1},     {{1, 0}, 10, 1},           {{0, 0.999}, 10, 1},
                {{1, 0.999}, 10, 0}, {{0.9989, 0.9989}, 10, 1}, {{0.9989, 1}, 10, 1},
                {{0, 0}, 0, 0},      {{0, 0}, 1e-9, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        ClothTuning t = tuning();
        ClothTopology topology;
        t.stiffness = rows[i].stiffness;
        cloth_topology_init(&topology, &t, 2, arena);
        topology.rest[1].x = 1;
        topology.pins[0] = rows[i].pins[0];
        topology.pins[1] = rows[i].pins[1];
        cloth_topology_from_grid(&topology, 2, 1, false, arena);
        if (topology.spring_count != rows[i].springs)
            fail_msg("row %zu: %u springs", i, topology.spring_count);
        arena_destroy(arena);
    }
}

/* ---- meshes ---- */

static void set_order(uint32_t order[4], int number)
{
    for (uint32_t i = 0; i < 4; i++)
        order[i] = i;
    for (uint32_t i = 0; i < 3; i++) { /* of 4, 3 and 2 that are left */
        const uint32_t choices = 4 - i, k = i + (uint32_t)number % choices, swap = order[i];
        order[i] = order[k];
        order[k] = swap;
        number /= (int)choices;
    }
}

/*
 * Two triangles over the edge 1-2, whose masses have any of the 24 orders.
 * The edge is a diagonal if it is the longest one of both.
 */
static void diagonals_are_the_longest_edges(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double x[4], y[4]; /* triangles 0 1 2 and 1 2 3 */
        Count expected;
    } rows[] = {
        {"a square", {0, 1, 0, 1}, {0, 0, 1, 1}, {4, 2, 0}},
        {"an oblong", {0, 3, 0, 3}, {0, 0, 1, 1}, {4, 2, 0}},
        {"equal sides",
         {0, 1, 0.5, 1.5},
         {0, 0, 0.8660254037844386, 0.8660254037844386},
         {5, 0, 1}},
        {"an edge that is hardly longer", {0, 1, 0, 1.0}, {0, 0, 1e-4, 1e-4}, {5, 0, 1}},
        {"longest in one triangle", {0, 1, 0, 3}, {0, 0, 1, 3}, {5, 0, 1}},
        {"longest in neither", {0, 1, 1, 4}, {0, 0.2, -0.2, 0}, {5, 0, 1}},
        {"longest by 2e-6", {0, 1, -1, 0}, {1, 0, 0, -1.7320447}, {4, 2, 0}},
        {"longest by 0.5e-6", {0, 1, -1, 0}, {1, 0, 0, -1.7320491}, {5, 0, 1}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int number = 0; number < 24; number++) {
            Arena *arena = arena_create();
            const ClothTuning t = tuning();
            ClothTopology topology;
            uint32_t at[4];
            set_order(at, number);
            cloth_topology_init(&topology, &t, 4, arena);
            for (uint32_t k = 0; k < 4; k++)
                topology.rest[at[k]] = (Vec3){rows[i].x[k], rows[i].y[k], 0};
            const uint32_t triangles[][3] = {{at[0], at[1], at[2]}, {at[3], at[2], at[1]}};
            cloth_topology_from_mesh(&topology, triangles, 2, arena);
            check(rows[i].what, &topology, rows[i].expected, 2);
            arena_destroy(arena);
        }
}

/* A fan of three triangles on one edge: the first two in order of their masses are joined. */
static void an_edge_of_three_triangles(void **state)
{
    (void)state;
    static const uint32_t fan[][3] = {{0, 1, 4}, {0, 1, 2}, {1, 0, 3}};
    Arena *arena = arena_create();
    const ClothTuning t = tuning();
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 5, arena);
    for (uint32_t i = 0; i < 5; i++)
        topology.rest[i] = i < 2 ? (Vec3){0, i, 0} : (Vec3){cos(i), 0.5, sin(i)};
    cloth_topology_from_mesh(&topology, fan, 3, arena);
    check("fan", &topology, (Count){7, 0, 1}, 3);
    for (uint32_t i = 0; i < topology.spring_count; i++)
        if (topology.springs[i].stiffness == 125)
            assert_true(topology.springs[i].a + topology.springs[i].b == 2 + 3);
    arena_destroy(arena);
}

/* Two masses over an edge that are neighbours by another triangle need no bend spring, whichever
 * place their edge has in the list of edges. */
static void neighbours_over_an_edge(void **state)
{
    (void)state;
    static const uint32_t triangles[][3] = {{0, 1, 2}, {0, 3, 4}, {1, 3, 4}};
    static const Vec3 rest[] = {
        {0, 0, 0}, {1, 0, 0}, {0.5, -0.8, 0}, {0.5, 0.8, 0.4}, {0.5, 0.8, -0.4}};
    for (uint32_t shift = 0; shift < 5; shift++) {
        Arena *arena = arena_create();
        const ClothTuning t = tuning();
        ClothTopology topology;
        uint32_t shifted[3][3];
        cloth_topology_init(&topology, &t, 5, arena);
        for (uint32_t i = 0; i < 5; i++)
            topology.rest[(i + shift) % 5] = rest[i];
        for (uint32_t i = 0; i < 9; i++)
            shifted[i / 3][i % 3] = (triangles[i / 3][i % 3] + shift) % 5;
        cloth_topology_from_mesh(&topology, (const uint32_t(*)[3])shifted, 3, arena);
        check("an open ring", &topology, (Count){8, 0, 0}, 3);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_by_hand),
        cmocka_unit_test(fixed_masses_need_no_springs),
        cmocka_unit_test(meshes_by_hand),
        cmocka_unit_test(an_open_grid),
        cmocka_unit_test(a_closed_grid),
        cmocka_unit_test(springs_that_do_nothing),
        cmocka_unit_test(diagonals_are_the_longest_edges),
        cmocka_unit_test(an_edge_of_three_triangles),
        cmocka_unit_test(neighbours_over_an_edge),
        cmocka_unit_test(fewest_steps_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
