// SPDX-License-Identifier: MIT
/* The forces on single masses, the clock and the limits of a cloth, worked by hand
 * (evaluate/cloth/README.md). */
#include <math.h>
#include <string.h>

#include "cloth_probe.h"
#include "math/wind.h"
#include "near.h"
#include "unit_test.h"

enum { SYMPLECTIC = 1, HZ = 64, MAX_BODIES = 3 };

/* clang-format off */
#define ZERO {0, 0, 0}
/* A symplectic step from rest moves a mass by acceleration / HZ^2, exactly in binary. */
#define TUNING(...) {.integrator = SYMPLECTIC, .step_hz = HZ, .inertia = 1, __VA_ARGS__}
/* Contacts of stiffness 200 and damping 10. */
#define CONTACT(...) TUNING(.mass = 2, .stiffness = 100, .contact = 2, __VA_ARGS__)
#define BALL(x) {.shape = CLOTH_CAPSULE, .a = {x, 0, 0}, .b = {x, 0, 0}, .radius = 1}
#define FLOOR {.shape = CLOTH_FLOOR}
/* clang-format on */

typedef struct Masses {
    ClothTuning tuning;
    uint32_t count;
    Vec3 x[3];
    double pins[3];
    ClothSpring spring; /* if its stiffness or damping is not 0 */
    bool face;          /* 0 1 2 */
    size_t body_count;
    ClothBody bodies[MAX_BODIES];
} Masses;

static Cloth *create(const Masses *m, ClothTopology *topology, Arena *arena)
{
    cloth_topology_init(topology, &m->tuning, m->count, arena);
    for (uint32_t i = 0; i < m->count; i++) {
        topology->pins[i] = m->pins[i];
        topology->rest[i] = m->x[i];
    }
    topology->springs = arena_copy(arena, &m->spring, sizeof m->spring);
    topology->spring_count = m->spring.stiffness > 0 || m->spring.damping > 0;
    topology->faces = arena_calloc(arena, 2, sizeof *topology->faces);
    for (uint32_t k = 0; k < 3; k++) {
        topology->faces[0][k] = k;
        topology->faces[1][k] = 1; /* not counted: a read behind the last face shows */
    }
    topology->face_count = m->face;
    if (m->tuning.substeps)
        topology->substeps = m->tuning.substeps;
    Cloth *cloth = cloth_create(topology, m->body_count);
    assert_int_equal(cloth_tick(cloth), -1);
    cloth_reset(cloth, m->x, m->bodies);
    assert_int_equal(cloth_tick(cloth), 0);
    return cloth;
}

static void check_vec3(const char *what, Vec3 got, Vec3 expected, double tolerance)
{
    if (!(vec3_length(vec3_sub(got, expected)) <= tolerance))
        fail_msg("%s: (%.9g %.9g %.9g), not (%.9g %.9g %.9g)", what, got.x, got.y, got.z,
                 expected.x, expected.y, expected.z);
}

/* clang-format off */
static const struct {
    const char *what;
    Masses masses;
    Vec3 anchor_velocity, body_velocity;
    Vec3 expected[3]; /* acceleration of masses that are not fixed */
} FORCES[] = {
    {"gravity does not depend on the mass", {.tuning = TUNING(.mass = 2, .gravity = {3, -98, 1}),
     .count = 1}, ZERO, ZERO, {{3, -98, 1}}},
    {"drag by the wind", {.tuning = TUNING(.mass = 2, .drag = 4, .wind = {3, -2, 1}),
     .count = 1}, ZERO, ZERO, {{6, -4, 2}}},

    /* area 4: a third of air * area * speed across the face on each corner */
    {"wind across a face", {.tuning = TUNING(.mass = 2, .air = 1.5, .wind = {0, 0, 2}),
     .count = 3, .x = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}}, .face = true},
     ZERO, ZERO, {{0, 0, 2}, {0, 0, 2}, {0, 0, 2}}},
    {"wind across a reversed face", {.tuning = TUNING(.mass = 2, .air = 1.5, .wind = {0, 0, 2}),
     .count = 3, .x = {{0, 0, 0}, {0, 4, 0}, {2, 0, 0}}, .face = true},
     ZERO, ZERO, {{0, 0, 2}, {0, 0, 2}, {0, 0, 2}}},
    {"oblique wind", {.tuning = TUNING(.mass = 1, .air = 2, .wind = {-4, 9, 9}),
     .count = 3, .x = {{1, 0, 0}, {1, 2, 0}, {1, 0, 3}}, .face = true},
     ZERO, ZERO, {{-8, 0, 0}, {-8, 0, 0}, {-8, 0, 0}}},
    {"a moving face in still air", {.tuning = TUNING(.mass = 2, .air = 1.5),
     .count = 3, .x = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}}, .pins = {1, 1, 0}, .face = true},
     {0, 0, 3}, ZERO, {ZERO, ZERO, {0, 0, -2}}},
    {"another corner moves, just fixed", {.tuning = TUNING(.mass = 2, .air = 1.5),
     .count = 3, .x = {{0, 0, 0}, {2, 0, 0}, {0, 4, 0}}, .pins = {0, 0, 0.999}, .face = true},
     {0, 0, 3}, ZERO, {{0, 0, -1}, {0, 0, -1}}},
    {"a small face", {.tuning = TUNING(.mass = 1, .air = 2, .wind = {0, 0, 12}),
     .count = 3, .x = {{0, 0, 0}, {0.5, 0, 0}, {0, 0.5, 0}}, .face = true},
     ZERO, ZERO, {{0, 0, 1}, {0, 0, 1}, {0, 0, 1}}},
    {"a degenerate face", {.tuning = TUNING(.mass = 1, .air = 2, .wind = {5, 5, 5}),
     .count = 3, .x = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}}, .face = true},
     ZERO, ZERO, {ZERO, ZERO, ZERO}},

    {"a stretched spring", {.tuning = TUNING(.mass = 2), .count = 2, .x = {{1, 0, 0}, {6, 0, 0}},
     .spring = {0, 1, 2, 10, 0}},
     ZERO, ZERO, {{15, 0, 0}, {-15, 0, 0}}},
    {"a compressed spring", {.tuning = TUNING(.mass = 1), .count = 2, .x = {{0, 0, 0}, {3, 0, 4}},
     .spring = {0, 1, 10, 10, 0}},
     ZERO, ZERO, {{-30, 0, -40}, {30, 0, 40}}},
    {"a damper acts along the spring", {.tuning = TUNING(.mass = 2),
     .count = 2, .x = {{0, 0, 0}, {2, 0, 0}}, .pins = {1, 0}, .spring = {0, 1, 2, 5, 7}},
     {4, 9, 0}, ZERO, {ZERO, {14, 0, 0}}},
    {"a damper of length 4", {.tuning = TUNING(.mass = 1),
     .count = 2, .x = {{0, 0, 0}, {0, 4, 0}}, .pins = {0, 1}, .spring = {0, 1, 4, 5, 3}},
     {9, -2, 9}, ZERO, {{0, -6, 0}}},
    {"a spring without length", {.tuning = TUNING(.mass = 1),
     .count = 2, .x = {{1, 1, 1}, {1, 1, 1}}, .spring = {0, 1, 2, 10, 1}},
     ZERO, ZERO, {ZERO, ZERO}},

    /* pin 0.5 of stiffness 400: k 200, c sqrt(200 * 2) = 20 */
    {"a partly pinned mass follows its anchor", {.tuning = TUNING(.mass = 2, .stiffness = 400),
     .count = 2, .x = {ZERO, {1, 0, 0}}, {0.5, 0}},
     {3, -1, 0}, ZERO, {{30, -10, 0}, ZERO}},

    {"a weak pull", {.tuning = TUNING(.mass = 3, .stiffness = 1.5), .count = 1, .pins = {0.5}},
     {3, 0, 0}, ZERO, {{1.5, 0, 0}}},

    {"a ball pushes by its depth", {.tuning = CONTACT(), .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, ZERO, {{25, 0, 0}}},
    {"with the thickness", {.tuning = CONTACT(.thickness = 0.5), .count = 1, .x = {{0, -1.375, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, ZERO, {{0, -12.5, 0}}},
    {"within the thickness", {.tuning = CONTACT(.thickness = 0.625),
     .count = 1, .x = {{1.375, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, ZERO, {{25, 0, 0}}},
    {"just outside", {.tuning = CONTACT(.thickness = 0.5), .count = 1, .x = {{1.53125, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, ZERO, {ZERO}},
    {"an approaching ball", {.tuning = CONTACT(), .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {2, 0, 0}, {{35, 0, 0}}},
    {"a receding ball", {.tuning = CONTACT(), .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {-1, 0, 0}, {{20, 0, 0}}},
    {"contacts never pull", {.tuning = CONTACT(.friction = 1), .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {-8, 3, 0}, {ZERO}},
    {"friction drags along", {.tuning = CONTACT(.friction = 0.3), .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {0, 3, 0}, {{25, 7.5, 0}}},
    {"friction is bounded by the damper", {.tuning = CONTACT(.friction = 10),
     .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {0, 0, -3}, {{25, 0, -15}}},
    {"friction of an approaching ball", {.tuning = CONTACT(.friction = 0.3),
     .count = 1, .x = {{0.75, 0, 0}},
     .body_count = 1, .bodies = {BALL(0)}}, ZERO, {2, 3, 0}, {{35, 10.5, 0}}},
    {"friction on the floor", {.tuning = CONTACT(.friction = 0.3),
     .count = 1, .x = {{5, -0.25, 0}},
     .body_count = 1, .bodies = {FLOOR}}, ZERO, {3, 0, 4}, {{4.5, 25, 6}}},
    {"each body pushes its own masses", {.tuning = CONTACT(),
     .count = 3, .x = {{20.75, 0, 0}, {9.5, 0, 0}, {19.75, 0, 0}},
     .body_count = 3, .bodies = {BALL(40), BALL(10), BALL(20)}},
     ZERO, ZERO, {{25, 0, 0}, {-50, 0, 0}, {-75, 0, 0}}},
    {"bodies add up", {.tuning = CONTACT(), .count = 2, .x = {{0, -0.5, 0}, {3, 3, 3}},
     .body_count = 3, .bodies = {BALL(0), BALL(30), FLOOR}}, ZERO, ZERO, {ZERO, ZERO}},
};
/* clang-format on */

static void one_step_by_hand(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof FORCES / sizeof *FORCES; r++) {
        const Masses *m = &FORCES[r].masses;
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(m, &topology, arena);
        Vec3 anchors[3];
        ClothBody bodies[MAX_BODIES];
        for (int i = 0; i < 3; i++) {
            anchors[i] = vec3_add(m->x[i], vec3_scale(FORCES[r].anchor_velocity, 1.0 / HZ));
            bodies[i] = m->bodies[i];
            bodies[i].a = vec3_add(bodies[i].a, vec3_scale(FORCES[r].body_velocity, 1.0 / HZ));
            bodies[i].b = vec3_add(bodies[i].b, vec3_scale(FORCES[r].body_velocity, 1.0 / HZ));
        }
        cloth_step(cloth, anchors, bodies);
        assert_int_equal(cloth_tick(cloth), 1);
        for (uint32_t i = 0; i < m->count; i++) {
            const Vec3 x = cloth_positions(cloth)[i], moved = vec3_sub(x, m->x[i]);
            if (m->pins[i] >= CLOTH_FIXED_PIN)
                check_vec3(FORCES[r].what, x, anchors[i], 0);
            else
                check_vec3(FORCES[r].what, vec3_scale(moved, HZ * HZ), FORCES[r].expected[i], 1e-9);
        }
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* The wind at three times: a = drag / m * (wind - v), with the lull at the start of the tick. */
static void gusts_follow_the_clock(void **state)
{
    (void)state;
    static const int ticks[] = {0, HZ, 5 * HZ / 2};
    Arena *arena = arena_create();
    const Masses m = {.tuning = TUNING(.mass = 2, .drag = 4, .wind = {10, 0, -5}, .gust = 0.75),
                      .count = 1};
    ClothTopology topology;
    Cloth *cloth = create(&m, &topology, arena);
    for (size_t r = 0; r < sizeof ticks / sizeof *ticks; r++) {
        Vec3 x[3] = {*cloth_positions(cloth), *cloth_positions(cloth)};
        while (cloth_tick(cloth) <= ticks[r]) {
            cloth_step(cloth, m.x, NULL);
            x[0] = x[1], x[1] = x[2], x[2] = *cloth_positions(cloth);
            if (cloth_tick(cloth) == 1)
                x[0] = x[1] = (Vec3){0, 0, 0};
        }
        const Vec3 v = vec3_scale(vec3_sub(x[1], x[0]), HZ);
        const Vec3 a = vec3_scale(vec3_sub(vec3_sub(x[2], x[1]), vec3_sub(x[1], x[0])), HZ * HZ);
        double lull;
        gust_factors(&lull, &x[1], 1, (Vec3){10, 0, -5}, (double)ticks[r] / HZ);
        const double part = 1 - 0.75 * lull;
        check_vec3("wind", vec3_add(vec3_scale(a, 0.5), v), (Vec3){10 * part, 0, -5 * part}, 1e-6);
    }
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* A damped spring between a mass and an anchor at constant speed, integrated here in one dimension;
 * then part of a tick more, with fewer steps of another length. */
static void moving_anchors_are_interpolated(void **state)
{
    (void)state;
    enum { SUBSTEPS = 4, TICKS = 5 };
    static const struct {
        double part;
        int steps;
    } rows[] = {{0, 0}, {0.25, 1}, {0.3, 2}, {0.5, 2}, {0.6, 3}, {1, 4}};
    const Masses m = {.tuning = TUNING(.mass = 2, .stiffness = 400, .substeps = SUBSTEPS),
                      .count = 1,
                      .pins = {0.5}};
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        double x = 0, v = 0, anchor = 0;
        for (int tick = 1; tick <= TICKS + 1; tick++) {
            const bool last = tick > TICKS;
            const double speed = 3 * tick, tick_s = (last ? rows[r].part : 1) / HZ;
            const int steps = last ? rows[r].steps : SUBSTEPS;
            for (int i = 0; i < steps; i++) {
                const double h = tick_s / steps, d = anchor + speed * h * i - x;
                v += h * (200 * d + 20 * (speed - v)) / 2;
                x += h * v;
            }
            anchor += speed * tick_s;
            const Vec3 to = {0, anchor, 0};
            const Vec3 *got;
            if (last)
                got = cloth_interpolate(cloth, &to, NULL, rows[r].part);
            else {
                cloth_step(cloth, &to, NULL);
                got = cloth_positions(cloth);
            }
            check_vec3("position", *got, (Vec3){0, x, 0}, 1e-12);
        }
        assert_int_equal(cloth_tick(cloth), TICKS);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* Settling simulates the start of the film again and again, without advancing the clock. */
static void settling_keeps_the_clock(void **state)
{
    (void)state;
    const Masses m = {.tuning = TUNING(.mass = 2, .drag = 4, .wind = {8, 0, 0}, .gust = 1),
                      .count = 1};
    Arena *arena = arena_create();
    ClothTopology topology;
    Cloth *cloth = create(&m, &topology, arena);
    double x = 0, v = 0;
    cloth_warm_up(cloth, 40);
    for (int i = 0; i < 40; i++) {
        double lull;
        gust_factors(&lull, &(Vec3){x, 0, 0}, 1, (Vec3){8, 0, 0}, 0);
        v += 2 * (8 * (1 - lull) - v) / HZ;
        x += v / HZ;
    }
    assert_int_equal(cloth_tick(cloth), 0);
    check_vec3("settled", *cloth_positions(cloth), (Vec3){x, 0, 0}, 1e-9);
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* ---- broad phase ---- */

static const Vec3 DIRECTIONS[] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                  {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};

/* A ball crosses the mass within one tick, from 10 units on one side to 10 on the other. */
static void fast_bodies_are_found(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        Arena *arena = arena_create();
        const Vec3 d = DIRECTIONS[i];
        Masses m = {CONTACT(.substeps = 4), .count = 1, .x = {vec3_scale(d, 0.5)}, .body_count = 1,
                    .bodies = {BALL(0)}};
        ClothBody to = m.bodies[0];
        m.bodies[0].a = m.bodies[0].b = vec3_scale(d, -10);
        to.a = to.b = vec3_scale(d, 10);
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        cloth_step(cloth, m.x, &to);
        if (!(vec3_dot(vec3_sub(*cloth_positions(cloth), m.x[0]), d) > 0.01))
            fail_msg("direction %d: the ball passed through", i);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* In the second tick a mass under 100 units / s^2 passes from 0.625 to 2.25, and without contact to
 * 4.875 in the third: a wall at 1.6 stops it although it is not near at the start of the tick. */
static void fast_masses_are_found(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        Arena *arena = arena_create();
        const Vec3 d = DIRECTIONS[i];
        Masses m = {{.integrator = SYMPLECTIC,
                     .step_hz = 10,
                     .substeps = 4,
                     .mass = 1,
                     .stiffness = 1000,
                     .contact = 1,
                     .gravity = vec3_scale(d, 100)},
                    .count = 1,
                    .body_count = 1};
        m.bodies[0] = (ClothBody){
            .shape = CLOTH_BOX,
            .a = vec3_scale(d, 2.4),
            .rotation = QUAT_IDENTITY,
            .half = {0.3 + 0.5 * fabs(d.x), 0.3 + 0.5 * fabs(d.y), 0.3 + 0.5 * fabs(d.z)}};
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        cloth_step(cloth, m.x, m.bodies);
        check_vec3("first tick", *cloth_positions(cloth), vec3_scale(d, 0.625), 1e-9);
        cloth_step(cloth, m.x, m.bodies);
        if (!(vec3_dot(*cloth_positions(cloth), d) < 2.2))
            fail_msg("direction %d: the mass passed the wall", i);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* ---- limits ---- */

/* A mass that reaches +-1e6 in one step makes the cloth diverge; it is then frozen. */
static void far_masses_diverge(void **state)
{
    (void)state;
    static const struct {
        double distance;
        Vec3 start;
        bool diverges;
    } rows[] = {{1.01e6, {1, 2, 3}, true}, {0.99e6, {1, 2, 3}, false}, {1e6, {0, 0, 0}, true}};
    for (int i = 0; i < 18; i++) {
        Arena *arena = arena_create();
        const bool diverges = rows[i / 6].diverges;
        const Vec3 d = DIRECTIONS[i % 6], start = rows[i / 6].start;
        const Vec3 gravity = vec3_scale(d, rows[i / 6].distance * HZ * HZ);
        const Masses m = {.tuning = TUNING(.mass = 1, .gravity = gravity),
                          .count = 2,
                          .x = {{0, 0, 0}, start},
                          .pins = {1, 0}};
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        const Vec3 expected = diverges ? start : vec3_add(start, vec3_scale(d, 0.99e6));
        check_vec3("peek", cloth_interpolate(cloth, m.x, NULL, 1)[1], expected, 1e-6);
        assert_false(cloth_has_diverged(cloth));
        cloth_step(cloth, m.x, NULL);
        check_vec3("step", cloth_positions(cloth)[1], expected, 1e-6);
        assert_int_equal(cloth_has_diverged(cloth), diverges);
        if (diverges) {
            cloth_step(cloth, m.x, NULL);
            check_vec3("frozen", cloth_positions(cloth)[1], start, 0);
            check_vec3("peek, frozen", cloth_interpolate(cloth, m.x, NULL, 0.001)[1], start, 0);
        }
        assert_int_equal(cloth_tick(cloth), diverges ? 2 : 1);
        cloth_reset(cloth, m.x, NULL);
        assert_false(cloth_has_diverged(cloth));
        check_vec3("reset", cloth_positions(cloth)[1], start, 0);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* ---- reports ---- */

/* 2 masses of 3 in a spring of k 10 stretched by 4: 80; potential energy -3 g.x; after a step of
 * gravity alone v = g / HZ. */
static void energy_by_hand(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTopology topology;
    const Masses still = {.tuning = TUNING(.mass = 3, .gravity = {1, -10, 2}),
                          3,
                          {{1, 0, 0}, {1, 6, 0}, {7, 7, 7}},
                          {0, 0, 1},
                          .spring = {0, 1, 2, 10, 0}};
    Cloth *cloth = create(&still, &topology, arena);
    assert_near(cloth_energy(cloth), 80 - 3 * 1 - 3 * (1 - 60), 1e-9);
    cloth_destroy(cloth);

    const Masses falling = {.tuning = TUNING(.mass = 3, .gravity = {0, -64, 0}),
                            .count = 2,
                            .x = {ZERO, {0, 9, 0}},
                            .pins = {1, 0}};
    cloth = create(&falling, &topology, arena);
    cloth_step(cloth, falling.x, NULL);
    assert_near(cloth_energy(cloth), 3 * (0.5 + 64 * (9 - 1.0 / 64)), 1e-9);
    cloth_destroy(cloth);
    arena_destroy(arena);
}

static void masses_inside_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Masses masses;
        double depth;
        uint32_t count;
        double deepest;
    } rows[] = {
        /* clang-format off */
        {"outside", {.tuning = CONTACT(), .count = 2, .x = {{1, 0, 0}, {0, 2, 0}},
         .body_count = 1, .bodies = {BALL(0)}}, 0, 0, 0},
        {"by depth", {.tuning = CONTACT(),
         .count = 3, .x = {{0.75, 0, 0}, {0, 0.5, 0}, {0, 0, 0.25}},
         .body_count = 1, .bodies = {BALL(0)}}, 0.25, 2, 0.75},
        {"the thickness does not count", {.tuning = CONTACT(.thickness = 1),
         .count = 2, .x = {{0.75, 0, 0}, {1.5, 0, 0}},
         .body_count = 1, .bodies = {BALL(0)}}, 0, 1, 0.25},
        {"fixed masses", {.tuning = CONTACT(),
         .count = 2, .x = {{0.75, 0, 0}, {0.5, 0, 0}}, .pins = {0, 0.999},
         .body_count = 1, .bodies = {BALL(0)}}, 0, 1, 0.25},
        {"capsules only", {.tuning = CONTACT(), .count = 1, .x = {{5, -1, 0}},
         .body_count = 2, .bodies = {BALL(0), FLOOR}}, 0, 0, 0},
        {"the deepest body of each mass", {.tuning = CONTACT(), .count = 1, .x = {{0.75, 0, 0}},
         .body_count = 3, .bodies = {BALL(0), BALL(0.5), BALL(1.5)}}, 0.5, 1, 0.75},
        /* clang-format on */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&rows[r].masses, &topology, arena);
        double deepest = -1;
        const uint32_t count = cloth_count_inside(cloth, CLOTH_ALL_BODIES, rows[r].depth, &deepest);
        if (count != rows[r].count || deepest != rows[r].deepest ||
            cloth_count_inside(cloth, CLOTH_ALL_BODIES, rows[r].depth, NULL) != count)
            fail_msg("%s: %u masses, %g deep", rows[r].what, count, deepest);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* The center of a face and the middles of its sides, whose masses may all be outside. */
static void faces_inside_are_counted(void **state)
{
    (void)state;
#define BALL_AT(x0, y0, r)                                                      \
    {                                                                           \
        .shape = CLOTH_CAPSULE, .a = {x0, y0, 0}, .b = {x0, y0, 0}, .radius = r \
    }
#define FACE(...)                                                                     \
    {                                                                                 \
        .tuning = CONTACT(.thickness = 1), .count = 3, .face = true, .body_count = 1, \
        .x = {{0, 0, 0}, {12, 0, 0}, {0, 6, 0}}, __VA_ARGS__                          \
    }
    const struct {
        const char *what;
        Masses masses;
        double depth;
        uint32_t count;
        double deepest;
    } rows[] = {
        /* clang-format off */
        {"outside", FACE(.bodies = {BALL_AT(20, 20, 1)}), 0, 0, 0},
        {"the center", FACE(.bodies = {BALL_AT(4, 2, 0.5)}), 0.25, 1, 0.5},
        {"beside the center", FACE(.bodies = {BALL_AT(4, 1.75, 0.5)}), 0.25, 0, 0.25},
        {"the first side", FACE(.bodies = {BALL_AT(6, 0, 0.5)}), 0.25, 1, 0.5},
        {"the second side", FACE(.bodies = {BALL_AT(6, 3, 0.5)}), 0.25, 1, 0.5},
        {"the third side", FACE(.bodies = {BALL_AT(0, 3, 0.5)}), 0.25, 1, 0.5},
        {"beside the third side", FACE(.bodies = {BALL_AT(0, 2.75, 0.5)}), 0, 1, 0.25},
        {"corners do not count", FACE(.bodies = {BALL_AT(12, 0, 0.5)}), 0, 0, 0},
        {"a fixed corner", FACE(.bodies = {BALL_AT(4, 2, 0.5)}, .pins = {0, 0.999}), 0, 0, 0},
        {"the last corner", FACE(.bodies = {BALL_AT(4, 2, 0.5)}, .pins = {0, 0, 1}), 0, 0, 0},
        {"a pinned corner", FACE(.bodies = {BALL_AT(4, 2, 0.5)}, .pins = {0.99, 0, 0}), 0, 1, 0.5},
        {"the deepest point", FACE(.bodies = {BALL_AT(5, 2.5, 8)}), 6, 1, 8 - sqrt(1.25)},
        /* clang-format on */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&rows[r].masses, &topology, arena);
        double deepest = -1;
        const uint32_t count =
            cloth_count_faces_inside(cloth, CLOTH_ALL_BODIES, rows[r].depth, &deepest);
        if (count != rows[r].count || fabs(deepest - rows[r].deepest) > 1e-12 ||
            cloth_count_faces_inside(cloth, CLOTH_ALL_BODIES, rows[r].depth, NULL) != count)
            fail_msg("%s: %u faces, %g deep", rows[r].what, count, deepest);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* A ball that arrives over a mass: at the end of the tick the mass is 0.6 of the thickness away,
 * and no longer approaches. */
static void masses_are_pushed_out(void **state)
{
    (void)state;
    Masses m = {CONTACT(.thickness = 0.5, .substeps = 1), .count = 1, .x = {{0.25, 0, 0}},
                .body_count = 1, .bodies = {BALL(0)}};
    Arena *arena = arena_create();
    ClothTopology topology;
    Cloth *cloth = create(&m, &topology, arena);

    cloth_step(cloth, m.x, m.bodies);
    const Vec3 at = *cloth_positions(cloth);
    assert_true(vec3_length(at) >= 1 + 0.6 * 0.5 - 1e-9);
    assert_true(at.x > 0 && fabs(at.y) < 1e-9);
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/*
 * Samples keep 0.2 of the thickness of 0.5 from a ball of radius 1 around the origin; two bodies
 * far away come first.  A triangle whose masses are outside is moved away as a whole, by the depth
 * of the sample; one with a fixed mass, and a flat one above the floor, are not.
 */
static void triangles_are_pushed_out(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Vec3 x[3];
        double pin;
        ClothBody body;
        Vec3 moved;
    } rows[] = {
        /* clang-format off */
        {"a center", {{1, 3, 0}, {1, -1.5, 2.5}, {1, -1.5, -2.5}}, 0, BALL(0), {0.1, 0, 0}},
        {"the middle of an edge", {{0, 1, 4}, {0, 1, -4}, {0, 9, 0}}, 0, BALL(0), {0, 0.1, 0}},
        {"an edge, from the other side", {{0, -1, 4}, {0, -1, -4}, {0, -9, 0}}, 0, BALL(0), {0, -0.1, 0}},
        {"far enough", {{0, 1.125, 4}, {0, 1.125, -4}, {0, 9, 0}}, 0, BALL(0), ZERO},
        {"a fixed mass", {{0, 1, 4}, {0, 1, -4}, {0, 9, 0}}, 1, BALL(0), ZERO},
        {"above the floor", {{0, 1, 4}, {0, 1, -4}, {0, 9, 0}}, 0, FLOOR, ZERO},
        {"a body that yields", {{0, 0.5, 4}, {0, 0.5, -4}, {0, 9, 0}}, 0,
         {.shape = CLOTH_CAPSULE, .radius = 1, .yields = true}, {0, 0.25, 0}},
        /* clang-format on */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        Masses m = {CONTACT(.thickness = 0.5, .substeps = 1),
                    .count = 3,
                    .face = true,
                    .pins = {0, 0, rows[r].pin},
                    .body_count = 3,
                    .bodies = {BALL(50), BALL(-50), rows[r].body}};
        memcpy(m.x, rows[r].x, sizeof m.x);
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);

        cloth_step(cloth, m.x, m.bodies);
        for (int k = 0; k < 3; k++) {
            /* the third mass of an edge stays, but where it is the center that is inside */
            const bool moves = k < 2 || r == 0;
            check_vec3(rows[r].what, vec3_sub(cloth_positions(cloth)[k], m.x[k]),
                       moves ? rows[r].moved : (Vec3){0, 0, 0}, 1e-9);
        }
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* Cloth between a firm body and one that yields, which overlap: no mass is left in the firm one,
 * whichever comes first. */
static void firm_bodies_win(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        Masses m = {CONTACT(.thickness = 0.25, .substeps = 1), .count = 1, .x = {{1.125, 0, 0}},
                    .body_count = 2, .bodies = {BALL(0), BALL(2)}};
        m.bodies[first].yields = true;
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        for (int tick = 0; tick < 20; tick++) {
            cloth_step(cloth, m.x, m.bodies);
            const double x = cloth_positions(cloth)->x, distance = first == 0 ? 2 - x : x;
            if (distance < 1 + 0.6 * 0.25 - 1e-9)
                fail_msg("tick %d: %g from the firm body %d", tick, distance, 1 - first);
        }
        assert_int_equal(cloth_count_inside(cloth, CLOTH_FIRM_BODIES, 0, NULL), 0);
        assert_int_equal(cloth_count_inside(cloth, CLOTH_ALL_BODIES, 0, NULL), 1);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* Cloth between a firm body and a second one, which overlap, stays on the firm one; a second body
 * alone is as firm. */
static void second_bodies_come_second(void **state)
{
    (void)state;
    for (int count = 1; count <= 2; count++) {
        Masses m = {CONTACT(.thickness = 0.25, .substeps = 1), .count = 1, .x = {{1, 0, 0}},
                    .body_count = (size_t)count, .bodies = {BALL(1.75), BALL(0)}};
        m.bodies[0].yields = CLOTH_SECOND;
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        cloth_step(cloth, m.x, m.bodies);
        check_vec3("the mass", *cloth_positions(cloth), (Vec3){count == 2 ? 1.15 : 0.6, 0, 0},
                   1e-9);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* A mass where two bodies of radius 1 overlap leaves both: along the surface of the other where
 * their normals oppose each other.  So it can reach a third one, which was far away. */
static void masses_leave_all_bodies(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        Vec3 x;
        size_t count;
        Vec3 centers[3];
    } rows[] = {
        {"in a crease", {0.5, 0.75, 0}, 2, {{0, 0, 0}, {1, 0, 0}}},
        {"almost between the centers", {0.75, 0.01, 0}, 2, {{0, 0, 0}, {1.5, 0, 0}}},
        {"on the line of the centers", {0.75, 0, 0}, 2, {{0, 0, 0}, {1.5, 0, 0}}},
        {"in front of a third", {0.75, 0, 0.25}, 3, {{0, 0, 0}, {1.5, 0, 0}, {0.75, 0, 2.25}}},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Masses m = {CONTACT(.thickness = 0.25, .substeps = 1), .count = 1, .x = {rows[r].x},
                    .body_count = rows[r].count};
        for (size_t b = 0; b < rows[r].count; b++)
            m.bodies[b] = (ClothBody){.shape = CLOTH_CAPSULE,
                                      .a = rows[r].centers[b],
                                      .b = rows[r].centers[b],
                                      .radius = 1};
        Arena *arena = arena_create();
        ClothTopology topology;
        Cloth *cloth = create(&m, &topology, arena);
        cloth_step(cloth, m.x, m.bodies);
        for (size_t b = 0; b < rows[r].count; b++) {
            const Vec3 away = vec3_sub(*cloth_positions(cloth), rows[r].centers[b]);
            if (!(vec3_length(away) > 1 + 0.6 * 0.25 - 1e-6))
                fail_msg("%s: %g from body %zu", rows[r].what, vec3_length(away), b);
        }
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_step_by_hand),
        cmocka_unit_test(gusts_follow_the_clock),
        cmocka_unit_test(moving_anchors_are_interpolated),
        cmocka_unit_test(settling_keeps_the_clock),
        cmocka_unit_test(masses_are_pushed_out),
        cmocka_unit_test(triangles_are_pushed_out),
        cmocka_unit_test(firm_bodies_win),
        cmocka_unit_test(second_bodies_come_second),
        cmocka_unit_test(masses_leave_all_bodies),
        cmocka_unit_test(fast_bodies_are_found),
        cmocka_unit_test(fast_masses_are_found),
        cmocka_unit_test(far_masses_diverge),
        cmocka_unit_test(energy_by_hand),
        cmocka_unit_test(masses_inside_are_counted),
        cmocka_unit_test(faces_inside_are_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
