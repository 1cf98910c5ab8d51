// SPDX-License-Identifier: MIT
/* Cloth in motion: rest worked by hand, the laws of energy, divergence, colliders, determinism. */
#include <math.h>
#include <string.h>

#include "cloth_probe.h"
#include "cloth_tuning.h"
#include "evaluate/cloth/cloth_contacts.h"
#include "near.h"
#include "unit_test.h"

enum { EULER, SYMPLECTIC, RK2, RK4, LEAPFROG };

/* columns x rows masses `apart` from each other, below a fixed first row at y = 0. */
static ClothTopology *any_attached(const ClothTuning *tuning, uint32_t columns, uint32_t rows,
                                   double apart, Arena *arena)
{
    ClothTopology *topology = arena_alloc(arena, sizeof *topology);
    cloth_topology_init(topology, tuning, columns * rows, arena);
    for (uint32_t i = 0; i < columns * rows; i++) {
        topology->rest[i] = (Vec3){apart * (i % columns), -apart * (i / columns), 0};
        topology->pins[i] = i < columns;
    }
    cloth_topology_from_grid(topology, columns, rows, false, arena);
    topology->substeps = tuning->substeps;
    return topology;
}

static void run(Cloth *cloth, const ClothTopology *topology, int ticks)
{
    for (int i = 0; i < ticks; i++)
        cloth_step(cloth, topology->rest, NULL);
}

/* ---- rest ---- */

/* The upper spring carries both masses: it is longer by 2 m g / k, the lower one by m g / k. */
static void springs_extend_by_the_weight(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATOR_COUNT; i++) {
        Arena *arena = arena_create();
        const ClothTuning t = {.integrator = i,
                               .step_hz = 240,
                               .substeps = 4,
                               .mass = 2,
                               .stiffness = 1000,
                               .damping = 0.3,
                               .drag = 4,
                               .gravity = {0, -98, 0}};
        const ClothTopology *topology = any_attached(&t, 1, 3, 1, arena);
        Cloth *cloth = cloth_create(topology, 0);
        cloth_reset(cloth, topology->rest, NULL);
        run(cloth, topology, 240 * 12);
        const Vec3 *x = cloth_positions(cloth);
        if (fabs(x[1].y + 1.392) > 1e-6 || fabs(x[2].y + 2.588) > 1e-6 || x[0].y != 0)
            fail_msg("%s: %.9g and %.9g", INTEGRATORS[i].name, x[1].y, x[2].y);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* A mass that a spring pulls to its anchor rests m g / (pin k) below it. */
static void partial_pins_give_way(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = {.integrator = SYMPLECTIC,
                           .step_hz = 240,
                           .substeps = 4,
                           .mass = 1,
                           .stiffness = 1000,
                           .drag = 5,
                           .gravity = {0, -98, 0}};
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 1, arena);
    topology.pins[0] = 0.5;
    topology.substeps = 4;
    Cloth *cloth = cloth_create(&topology, 0);
    cloth_reset(cloth, topology.rest, NULL);
    run(cloth, &topology, 2400);
    assert_near(cloth_positions(cloth)->y, -0.196, 1e-9);
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* Against the air a mass falls no faster than m g / d. */
static void drag_limits_the_fall(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = {.integrator = RK4,
                           .step_hz = 240,
                           .mass = 2,
                           .drag = 20,
                           .gravity = {0, -98, 0},
                           .wind = {3, 0, 0}};
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 1, arena);
    Cloth *cloth = cloth_create(&topology, 0);
    cloth_reset(cloth, topology.rest, NULL);
    run(cloth, &topology, 480);
    const Vec3 before = *cloth_positions(cloth);
    run(cloth, &topology, 240);
    const Vec3 moved = vec3_sub(*cloth_positions(cloth), before);
    assert_near(moved.y, -9.8, 1e-6);
    assert_near(moved.x, 3, 1e-6);
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* ---- energy ---- */

typedef struct Energies {
    double first, least, most;
} Energies;

/* A cloth released from a level position, without drag or damping, for 8 s. */
static Energies energies(int integrator)
{
    Arena *arena = arena_create();
    const ClothTuning t = {.integrator = integrator,
                           .step_hz = 240,
                           .substeps = 2,
                           .mass = 1,
                           .stiffness = 4000,
                           .shear = 0.5,
                           .bend = 0.1,
                           .gravity = {0, -98, 0}};
    ClothTopology *topology = any_attached(&t, 6, 6, 0.5, arena);
    Vec3 *level = arena_array(arena, Vec3, topology->mass_count);
    for (uint32_t i = 0; i < topology->mass_count; i++)
        level[i] = (Vec3){topology->rest[i].x, 0, topology->rest[i].y};
    Cloth *cloth = cloth_create(topology, 0);
    cloth_reset(cloth, level, NULL);
    Energies e = {cloth_energy(cloth), HUGE_VAL, -HUGE_VAL};
    for (int i = 0; i < 240 * 8 && !cloth_has_diverged(cloth); i++) {
        cloth_step(cloth, level, NULL);
        const double energy = cloth_energy(cloth);
        e.least = fmin(e.least, energy);
        e.most = fmax(e.most, energy);
    }
    cloth_destroy(cloth);
    arena_destroy(arena);
    return e;
}

/* The energy that gravity can set free is 30 masses * 98 * their depth of 0.5 to 2.5: 4410. */
static void energy_is_bounded(void **state)
{
    (void)state;
    const double scale = 6 * (0.5 + 1 + 1.5 + 2 + 2.5) * 98;
    const Energies euler = energies(EULER), symplectic = energies(SYMPLECTIC);
    const Energies leapfrog = energies(LEAPFROG), rk4 = energies(RK4);
    if (!(euler.most - euler.first > 20 * scale))
        fail_msg("euler: energy grew by %g of %g only", euler.most - euler.first, scale);
    const struct {
        const char *name;
        Energies e;
        double part;
    } bounded[] = {
        {"symplectic", symplectic, 0.25}, {"leapfrog", leapfrog, 0.05}, {"rk4", rk4, 0.05}};
    for (size_t i = 0; i < sizeof bounded / sizeof *bounded; i++)
        if (bounded[i].e.most - bounded[i].e.first > bounded[i].part * scale ||
            (i < 2 && bounded[i].e.first - bounded[i].e.least > bounded[i].part * scale))
            fail_msg("%s: energy from %g to %g, at first %g", bounded[i].name, bounded[i].e.least,
                     bounded[i].e.most, bounded[i].e.first);
}

/* ---- divergence ---- */

/* All integrators with the same step and damping. */
static void euler_diverges_where_others_are_stable(void **state)
{
    (void)state;
    const struct {
        int integrator;
        bool diverges;
    } rows[] = {{EULER, true}, {SYMPLECTIC, false}, {RK4, false}, {LEAPFROG, false}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const ClothTuning t = {.integrator = rows[i].integrator,
                               .step_hz = 240,
                               .substeps = 1,
                               .mass = 1,
                               .stiffness = 8000,
                               .shear = 0.5,
                               .drag = 1,
                               .gravity = {0, -98, 0},
                               .wind = {0, 0, 20}};
        const ClothTopology *topology = any_attached(&t, 10, 10, 0.5, arena);
        Cloth *cloth = cloth_create(topology, 0);
        cloth_reset(cloth, topology->rest, NULL);
        run(cloth, topology, 240 * 5);
        if (cloth_has_diverged(cloth) != rows[i].diverges)
            fail_msg("%s %s", INTEGRATORS[rows[i].integrator].name,
                     rows[i].diverges ? "does not diverge" : "diverges");
        for (uint32_t m = 0; m < topology->mass_count; m++)
            assert_true(isfinite(cloth_positions(cloth)[m].y));
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* The steps of cloth_stability_choose_steps are stable for every integrator under motion. */
static void chosen_steps_are_stable(void **state)
{
    (void)state;
    for (int i = 0; i < INTEGRATOR_COUNT; i++) {
        Arena *arena = arena_create();
        Diag diag;
        diag_init(&diag, NULL, NULL);
        ClothTuning t = CLOTH_TUNING_DEFAULT;
        t.integrator = i;
        t.drag = i == EULER ? 60 : 0.5; /* euler is stable only with drag */
        t.wind = (Vec3){0, 0, 40};
        t.gust = 1;
        ClothTopology *topology = any_attached(&t, 8, 8, 0.3, arena);
        assert_true(cloth_stability_choose_steps(topology, &diag));
        const ClothBody ball = {
            .shape = CLOTH_CAPSULE, .a = {1, -1, 0.5}, .b = {1, -1, 0.5}, .radius = 0.6};
        Cloth *cloth = cloth_create(topology, 1);
        Vec3 *anchors = arena_copy(arena, topology->rest, topology->mass_count * sizeof *anchors);
        cloth_reset(cloth, anchors, &ball);
        for (int tick = 1; tick < 300; tick++) {
            for (uint32_t m = 0; m < 8; m++)
                anchors[m].z = 2 * sin(tick * 0.1);
            cloth_step(cloth, anchors, &ball);
        }
        const Vec3 end = cloth_positions(cloth)[topology->mass_count - 1];
        if (cloth_has_diverged(cloth) || vec3_length(end) > 8)
            fail_msg("%s with %d substeps: (%g %g %g)", INTEGRATORS[i].name, topology->substeps,
                     end.x, end.y, end.z);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* ---- bodies ---- */

/* On the floor a mass rests m g / k deep; a cloth that falls on a ball stays outside. */
static void bodies_support_cloth(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTuning t = {.integrator = SYMPLECTIC,
                     .step_hz = 240,
                     .mass = 1,
                     .stiffness = 10000,
                     .contact = 2,
                     .drag = 1,
                     .gravity = {0, -98, 0},
                     .friction = 0.5};
    ClothTopology one;
    cloth_topology_init(&one, &t, 1, arena);
    one.rest[0] = (Vec3){0, 1, 0};
    one.substeps = 4;
    const ClothBody floor = {.shape = CLOTH_FLOOR};
    Cloth *cloth = cloth_create(&one, 1);
    cloth_reset(cloth, one.rest, &floor);
    for (int i = 0; i < 2400; i++)
        cloth_step(cloth, one.rest, &floor);
    assert_near(cloth_positions(cloth)->y, -98.0 / 20000, 1e-9);
    cloth_destroy(cloth);

    t = (ClothTuning)CLOTH_TUNING_DEFAULT;
    Diag diag;
    diag_init(&diag, NULL, NULL);
    ClothTopology *sheet = any_attached(&t, 12, 12, 0.25, arena);
    memset(sheet->pins, 0, sheet->mass_count * sizeof *sheet->pins);
    cloth_topology_from_grid(sheet, 12, 12, false, arena);
    assert_true(cloth_stability_choose_steps(sheet, &diag));
    Vec3 *level = arena_array(arena, Vec3, sheet->mass_count);
    for (uint32_t i = 0; i < sheet->mass_count; i++)
        level[i] = (Vec3){sheet->rest[i].x - 1.375, 2, sheet->rest[i].y + 1.375};
    const ClothBody bodies[] = {
        {.shape = CLOTH_CAPSULE, .a = {0, 0, 0}, .b = {0, 0, 0}, .radius = 1}, floor};
    cloth = cloth_create(sheet, 2);
    cloth_reset(cloth, level, bodies);
    double deepest;
    for (int i = 0; i < 240 * 2; i++) {
        cloth_step(cloth, level, bodies);
        if (cloth_count_inside(cloth, CLOTH_ALL_BODIES, 0.05, &deepest))
            fail_msg("tick %d: %g inside the ball", i, deepest);
    }
    assert_true(cloth_positions(cloth)[6 * 12 + 6].y > 0.9); /* it rests on the ball */
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* ---- the length of links ---- */

enum { AROUND = 24, DOWN = 12 };

/* A skirt: a cone from radius 1 at y = 10 to 2 at y = 7, its first row fixed. */
static ClothTopology *any_skirt(const ClothTuning *tuning, Arena *arena)
{
    ClothTopology *topology = arena_alloc(arena, sizeof *topology);
    Diag diag;
    diag_init(&diag, NULL, NULL);
    cloth_topology_init(topology, tuning, AROUND * DOWN, arena);
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const double down = (double)(i / AROUND) / (DOWN - 1), radius = 1 + down;
        const double angle = 6.283185307179586 * (i % AROUND) / AROUND;
        topology->rest[i] = (Vec3){radius * sin(angle), 10 - 3 * down, radius * cos(angle)};
        topology->pins[i] = i < AROUND;
    }
    cloth_topology_from_grid(topology, AROUND, DOWN, true, arena);
    assert_true(cloth_stability_choose_steps(topology, &diag));
    return topology;
}

/* A hand that comes from below into the skirt and is lifted to 2 above its waist in half a second,
 * among steady legs.  No link may be longer than 1.5 of its length, neither at a tick nor between
 * ticks, and no mass deeper than 0.1 in a leg; a soft hand lets the cloth go, so that its hem is
 * below the waist. */
static void links_are_bounded(void **state)
{
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        Arena *arena = arena_create();
        const ClothTuning t = CLOTH_TUNING_DEFAULT;
        const ClothTopology *topology = any_skirt(&t, arena);
        ClothBody bodies[3] = {
            {.shape = CLOTH_CAPSULE, .a = {0.4, 9.5, 0}, .b = {0.4, 5, 0}, .radius = 0.5},
            {.shape = CLOTH_CAPSULE, .a = {-0.4, 9.5, 0}, .b = {-0.4, 5, 0}, .radius = 0.5},
            {.shape = CLOTH_CAPSULE, .radius = 0.4, .yields = soft ? CLOTH_SOFT : CLOTH_FIRM}};
        Cloth *cloth = cloth_create(topology, 3);
        for (int tick = -60; tick < 240; tick++) {
            const double up = tick < 0 ? 0 : tick < 120 ? tick / 120.0 : 1;
            const Vec3 hand = {1.6, 6 + 6 * up, 0};
            bodies[2].a = bodies[2].b = hand;
            if (tick == -60)
                cloth_reset(cloth, topology->rest, bodies);
            cloth_step(cloth, topology->rest, bodies);
            double deepest;
            cloth_count_inside(cloth, CLOTH_FIRM_BODIES, 0.1, &deepest);
            if (cloth_greatest_stretch(cloth) > 1.5 || (soft && deepest > 0.1))
                fail_msg("%s hand, tick %d: a link of %g, a mass %g deep", soft ? "soft" : "firm",
                         tick, cloth_greatest_stretch(cloth), deepest);
            const Vec3 *between = cloth_interpolate(cloth, topology->rest, bodies, 0.4);
            for (uint32_t i = 0; i < topology->spring_count; i++) {
                const ClothSpring *s = &topology->springs[i];
                const double length = vec3_length(vec3_sub(between[s->b], between[s->a]));
                if (s->stiffness > t.bend * t.stiffness && length > 1.5 * s->rest)
                    fail_msg("between ticks %d: a link of %g", tick, length / s->rest);
            }
        }
        for (uint32_t i = topology->mass_count - AROUND; soft && i < topology->mass_count; i++)
            assert_true(cloth_positions(cloth)[i].y < 9);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* A sleeve around an arm that is pressed 0.2 into the body: it stays on the arm, without long
 * links. */
static void sleeves_stay_on_arms(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = CLOTH_TUNING_DEFAULT;
    ClothTopology *topology = any_skirt(&t, arena);
    ClothBody bodies[2] = {{.shape = CLOTH_CAPSULE, .a = {0, 11, 0}, .b = {0, 4, 0}, .radius = 0.6},
                           {.shape = CLOTH_CAPSULE,
                            .a = {3, 13, 0},
                            .b = {3, 3, 0},
                            .radius = 1,
                            .yields = CLOTH_SECOND}};
    Cloth *cloth = cloth_create(topology, 2);
    double deepest;

    cloth_reset(cloth, topology->rest, bodies);
    for (int tick = 0; tick < 240; tick++) {
        bodies[1].a.x = bodies[1].b.x = 3 - 1.6 * fmin(tick / 60.0, 1);
        cloth_step(cloth, topology->rest, bodies);
        cloth_count_inside(cloth, CLOTH_FIRM_BODIES, 0.1, &deepest);
        if (cloth_greatest_stretch(cloth) > 1.5 || deepest > 0.1)
            fail_msg("tick %d: a link of %g, a mass %g deep", tick, cloth_greatest_stretch(cloth),
                     deepest);
    }
    assert_true(cloth_count_inside(cloth, CLOTH_SECOND_BODIES, 0.1, NULL) > 0); /* with the arm */
    cloth_destroy(cloth);
    arena_destroy(arena);
}

/* A mass at rest deep in a soft body is accelerated by 200, in a firm one much more. */
static void soft_bodies_push_softly(void **state)
{
    (void)state;
    for (int soft = 0; soft < 2; soft++) {
        Arena *arena = arena_create();
        const ClothTuning t = {.integrator = SYMPLECTIC,
                               .step_hz = 240,
                               .mass = 2,
                               .stiffness = 60000,
                               .contact = 3,
                               .thickness = 0.15};
        ClothTopology topology;
        cloth_topology_init(&topology, &t, 1, arena);
        topology.rest[0] = (Vec3){0.5, 0, 0};
        topology.substeps = 6;
        const ClothBody body = {
            .shape = CLOTH_CAPSULE, .radius = 1, .yields = soft ? CLOTH_SOFT : CLOTH_FIRM};
        Cloth *cloth = cloth_create(&topology, 1);
        cloth_reset(cloth, topology.rest, &body);
        for (int tick = 0; tick < 6; tick++)
            cloth_step(cloth, topology.rest, &body);
        if (soft)
            assert_near(cloth_masses(cloth).velocity->x, 200 * 6 / 240.0, 1e-9);
        else
            assert_true(cloth_positions(cloth)->x > 1);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* What a body that yields may move in a tick, half of the thickness, does not grow with the rounds
 * in which links and pushes undo each other. */
static void yielding_bodies_push_once(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = {.step_hz = 240, .mass = 1, .stiffness = 1, .thickness = 0.15};
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 1, arena);
    const ClothBody hair = {.shape = CLOTH_CAPSULE, .radius = 1, .yields = CLOTH_YIELDS};
    ClothContacts *contacts = cloth_contacts_create(&topology, 1, arena);
    Vec3 x = {0.5, 0, 0}, v = {0, 10, 0};
    cloth_contacts_start(contacts, &hair, &hair, 1.0 / 240, &x, &v);
    cloth_contacts_push_out(contacts, &x, &v, true);
    assert_near(x.x, 0.575, 1e-12);
    x.x -= 0.025; /* a link */
    cloth_contacts_push_out(contacts, &x, &v, true);
    assert_near(x.x, 0.55, 1e-12);
    arena_destroy(arena);
}

/* A limb of radius 0.2 that moves by 1 in a tick takes along what is in its way. */
static void quick_limbs_pass_through_nothing(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const ClothTuning t = {.step_hz = 240, .mass = 1, .stiffness = 1, .thickness = 0.15};
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 1, arena);
    const ClothBody from = {
        .shape = CLOTH_CAPSULE, .a = {-1, 0, -0.5}, .b = {1, 0, -0.5}, .radius = 0.2};
    ClothBody to = from;
    ClothContacts *contacts = cloth_contacts_create(&topology, 1, arena);
    Vec3 x = {0, 0, 0}, v = {0, 0, 0};
    to.a.z = to.b.z = 0.5;
    cloth_contacts_start(contacts, &from, &to, 1.0 / 240, &x, &v);
    cloth_contacts_push_out(contacts, &x, &v, true);
    assert_near(x.z, 0.5 + 0.2 + 0.6 * 0.15, 1e-9);
    assert_near(v.z, 240, 1e-9);
    arena_destroy(arena);
}

/* A mass that belongs before a limb of radius 0.2, and is behind it, comes back within the tick;
 * one without a side stays there. */
static void limbs_take_back_what_they_left(void **state)
{
    (void)state;
    for (int known = 0; known < 2; known++) {
        Arena *arena = arena_create();
        const ClothTuning t = {.step_hz = 240, .mass = 1, .stiffness = 1, .thickness = 0.15};
        ClothTopology topology;
        cloth_topology_init(&topology, &t, 1, arena);
        topology.rest[0] = (Vec3){0, 0, 1};
        const ClothBody limb = {
            .shape = CLOTH_CAPSULE,
            .a = {-1, 0, 0},
            .b = {1, 0, 0},
            .radius = 0.2,
            .limb = {.known = known, .central = true, .axis = {1, 0, 0}, .turn = QUAT_IDENTITY}};
        ClothContacts *contacts = cloth_contacts_create(&topology, 1, arena);
        Vec3 x = {0, 0, -0.25}, v = {0, 0, 0};
        cloth_contacts_start(contacts, &limb, &limb, 1.0 / 240, &x, &v);
        cloth_contacts_push_out(contacts, &x, &v, true);
        assert_near(x.z, known ? 0.29 : -0.29, 1e-9);
        arena_destroy(arena);
    }
}

/* Two limbs that pass over a mass in opposite directions have no place for it: it stays near. */
static void limbs_that_cross_throw_nothing(void **state)
{
    (void)state;
    enum { LIMBS = 2 };
    Arena *arena = arena_create();
    const ClothTuning t = {.step_hz = 240, .mass = 1, .stiffness = 1, .thickness = 0.15};
    ClothTopology topology;
    cloth_topology_init(&topology, &t, 1, arena);
    ClothBody from[LIMBS], to[LIMBS];
    for (int i = 0; i < LIMBS; i++) {
        const double z = i ? 1 : -1;
        from[i] = (ClothBody){
            .shape = CLOTH_CAPSULE, .a = {-1, 0.1, z}, .b = {1, -0.1, z}, .radius = 0.2};
        to[i] = from[i];
        to[i].a.z = to[i].b.z = -z;
    }
    ClothContacts *contacts = cloth_contacts_create(&topology, LIMBS, arena);
    Vec3 x = {0, 0.01, 0}, v = {0, 0, 0};
    cloth_contacts_start(contacts, from, to, 1.0 / 240, &x, &v);
    for (int round = 0; round < 8; round++) {
        cloth_contacts_push_out(contacts, &x, &v, true);
        if (vec3_length(x) > 3)
            fail_msg("round %d: at %g %g %g", round, x.x, x.y, x.z);
        x.x += 0.01;
    }
    arena_destroy(arena);
}

/* A limb that moves over the anchor of a loose pin pushes it ahead, also when its axis is beyond
 * the anchor.  When it is gone the pin returns at 10 units/s; one that is not loose stays there. */
static void loose_pins_give_way(void **state)
{
    (void)state;
    for (int loose = 0; loose < 2; loose++) {
        Arena *arena = arena_create();
        const ClothTuning t = CLOTH_TUNING_DEFAULT;
        ClothTopology topology;
        cloth_topology_init(&topology, &t, 1, arena);
        topology.loose = loose;
        topology.pins[0] = 1;
        topology.substeps = 6;
        ClothBody limb = {.shape = CLOTH_CAPSULE, .a = {-3, -2, 0}, .b = {3, -2, 0}, .radius = 0.5};
        const Vec3 anchor = {0, 0, 0};
        Cloth *cloth = cloth_create(&topology, 1);
        cloth_reset(cloth, &anchor, &limb);
        while (limb.a.y < 0.3) {
            limb.a.y = limb.b.y = fmin(limb.a.y + 0.1, 0.3);
            cloth_step(cloth, &anchor, &limb);
        }
        assert_near(cloth_positions(cloth)->y, loose ? 0.8 : 0, 1e-9);
        limb.a.z = limb.b.z = 50;
        cloth_step(cloth, &anchor, &limb);
        assert_near(cloth_positions(cloth)->y, loose ? 0.8 - 10.0 / t.step_hz : 0, 1e-9);
        for (int tick = 0; tick < 20; tick++)
            cloth_step(cloth, &anchor, &limb);
        assert_near(cloth_positions(cloth)->y, 0, 1e-9);
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

/* ---- the same bits ---- */

static void same_ticks_same_bits(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTuning t = CLOTH_TUNING_DEFAULT;
    t.wind = (Vec3){10, 0, 5};
    t.gust = 0.5;
    for (t.integrator = 0; t.integrator < INTEGRATOR_COUNT; t.integrator++) {
        t.substeps = 10;
        ClothTopology *topology = any_attached(&t, 6, 6, 0.4, arena);
        const ClothBody body = {
            .shape = CLOTH_CAPSULE, .a = {0, -1, 0}, .b = {2, -1, 0}, .radius = 0.5};
        Cloth *straight = cloth_create(topology, 1), *other = cloth_create(topology, 1);
        cloth_reset(other, topology->rest, &body);
        cloth_step(other, topology->rest, &body);
        cloth_reset(straight, topology->rest, &body);
        cloth_reset(other, topology->rest, &body); /* restarts, and is peeked between ticks */
        for (int i = 0; i < 60; i++) {
            cloth_step(straight, topology->rest, &body);
            cloth_interpolate(other, topology->rest, &body, 0.3);
            cloth_step(other, topology->rest, &body);
            cloth_interpolate(other, topology->rest, &body, 0.9);
        }
        assert_int_equal(cloth_tick(other), 60);
        assert_memory_equal(cloth_positions(straight), cloth_positions(other),
                            topology->mass_count * sizeof(Vec3));
        /* a whole tick later is the next tick */
        const Vec3 *peeked = cloth_interpolate(other, topology->rest, &body, 1);
        cloth_step(straight, topology->rest, &body);
        assert_memory_equal(peeked, cloth_positions(straight), topology->mass_count * sizeof(Vec3));
        cloth_destroy(straight);
        cloth_destroy(other);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(springs_extend_by_the_weight),
        cmocka_unit_test(partial_pins_give_way),
        cmocka_unit_test(drag_limits_the_fall),
        cmocka_unit_test(energy_is_bounded),
        cmocka_unit_test(euler_diverges_where_others_are_stable),
        cmocka_unit_test(chosen_steps_are_stable),
        cmocka_unit_test(bodies_support_cloth),
        cmocka_unit_test(links_are_bounded),
        cmocka_unit_test(sleeves_stay_on_arms),
        cmocka_unit_test(soft_bodies_push_softly),
        cmocka_unit_test(yielding_bodies_push_once),
        cmocka_unit_test(quick_limbs_pass_through_nothing),
        cmocka_unit_test(limbs_take_back_what_they_left),
        cmocka_unit_test(limbs_that_cross_throw_nothing),
        cmocka_unit_test(loose_pins_give_way),
        cmocka_unit_test(same_ticks_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
