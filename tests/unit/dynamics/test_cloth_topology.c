/* Weaving: springs counted by hand; how short a step must be. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "diag_log.h"
#include "dynamics/cloth_topology.h"

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(grids_by_hand),
        cmocka_unit_test(fixed_masses_need_no_springs),
        cmocka_unit_test(meshes_by_hand),
        cmocka_unit_test(fewest_steps_by_hand),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
