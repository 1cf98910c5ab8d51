// SPDX-License-Identifier: MIT
/* The part of the motion of pins that moves a cloth as a whole (evaluate/cloth/README.md). */
#include <math.h>

#include "evaluate/cloth/cloth.h"
#include "evaluate/cloth/cloth_frame_motion.h"
#include "unit_test.h"

enum { RING = 12, HZ = 64 };

static void check_vec3(const char *what, Vec3 got, Vec3 expected, double tolerance)
{
    if (!(vec3_length(vec3_sub(got, expected)) <= tolerance))
        fail_msg("%s: (%.9g %.9g %.9g), not (%.9g %.9g %.9g)", what, got.x, got.y, got.z,
                 expected.x, expected.y, expected.z);
}

/* A ring of radius 2 around (5, 9, -3); a mass below it without a pin. */
static ClothTopology ring(Vec3 *from, double inertia, Arena *arena)
{
    ClothTopology t;
    cloth_topology_init(&t, &(ClothTuning){.inertia = inertia}, RING + 1, arena);
    for (uint32_t i = 0; i < RING; i++) {
        const double angle = 6.283185307179586 * i / RING;
        from[i] = (Vec3){5 + 2 * cos(angle), 9, -3 + 2 * sin(angle)};
        t.pins[i] = i % 2 ? 1 : 0.5;
    }
    from[RING] = (Vec3){100, -50, 7};
    return t;
}

/* The turn is taken as small: of 0.02 radians at most 0.02^3 is missing. */
static void a_shift_and_a_turn(void **state)
{
    (void)state;
    static const struct {
        Vec3 shift, axis;
        double angle, inertia;
    } rows[] = {
        {{1, -2, 3}, {0, 1, 0}, 0, 0},       {{1, -2, 3}, {0, 1, 0}, 0, 0.25},
        {{0, 0, 0}, {0, 1, 0}, 0.02, 0},     {{1, -2, 3}, {0, 1, 0}, 0.02, 0.5},
        {{1, -2, 3}, {1, 0, 0}, -0.01, 0.2}, {{0, 4, 0}, {0.6, 0, 0.8}, 0.02, 0},
    };
    const Vec3 center = {5, 9, -3};

    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        Arena *arena = arena_create();
        Vec3 from[RING + 1], to[RING + 1];
        const ClothTopology t = ring(from, rows[r].inertia, arena);
        const Quat turn = quat_from_axis_angle(rows[r].axis, rows[r].angle);
        for (uint32_t i = 0; i <= RING; i++)
            to[i] = vec3_add(vec3_add(center, rows[r].shift),
                             quat_rotate(turn, vec3_sub(from[i], center)));
        to[RING] = (Vec3){-1e3, 1e3, 1e3}; /* without a pin it does not count */
        const ClothFrameMotion carry = cloth_frame_motion_find(&t, from, to);
        const double part = 1 - rows[r].inertia;
        const Quat partly = quat_from_axis_angle(rows[r].axis, part * rows[r].angle);
        const Vec3 point = {7, 3, -2};
        const Vec3 expected = vec3_add(vec3_add(center, vec3_scale(rows[r].shift, part)),
                                       quat_rotate(partly, vec3_sub(point, center)));
        check_vec3("point", cloth_frame_motion_point(&carry, point), expected, 2e-3 * 0.02 * 7);
        arena_destroy(arena);
    }
}

static void all_of_it_acts_with_inertia_1(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Vec3 from[RING + 1], to[RING + 1];
    const ClothTopology t = ring(from, 1, arena);
    for (uint32_t i = 0; i <= RING; i++)
        to[i] = (Vec3){i, 2 * i, 3};
    const ClothFrameMotion carry = cloth_frame_motion_find(&t, from, to);
    const Vec3 p = cloth_frame_motion_point(&carry, (Vec3){1, 2, 3});
    assert_true(p.x == 1 && p.y == 2 && p.z == 3);
    arena_destroy(arena);
}

/* Nothing moves without pins; pins on a line do not turn what is beside it. */
static void few_pins(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    ClothTopology t;
    const Vec3 from[3] = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}},
               to[3] = {{0, 1, 0}, {1, 1, 0}, {2, 1, 0}};

    cloth_topology_init(&t, &(ClothTuning){.inertia = 0}, 3, arena);
    ClothFrameMotion carry = cloth_frame_motion_find(&t, from, to);
    check_vec3("no pins", cloth_frame_motion_point(&carry, (Vec3){4, 5, 6}), (Vec3){4, 5, 6}, 0);
    for (int i = 0; i < 3; i++) {
        t.pins[i] = 1;
        carry = cloth_frame_motion_find(&t, from, to);
        check_vec3("a line", cloth_frame_motion_point(&carry, (Vec3){4, 5, 6}), (Vec3){4, 6, 6},
                   1e-12);
    }
    arena_destroy(arena);
}

static void bodies_move_along(void **state)
{
    (void)state;
    const Quat quarter = quat_from_axis_angle((Vec3){0, 0, 1}, 1.5707963267948966);
    const ClothFrameMotion carry = {{1, 0, 0}, {0, 0, 5}, quarter};
    const ClothBody capsule = {.shape = CLOTH_CAPSULE, .a = {2, 0, 0}, .b = {1, 3, 0}, .radius = 2};
    const ClothBody box = {.shape = CLOTH_BOX, .a = {2, 0, 0}, .rotation = QUAT_IDENTITY};
    const ClothBody floor_body = {.shape = CLOTH_FLOOR, .a = {2, 0, 0}};

    const ClothBody c = cloth_frame_motion_body(&carry, &capsule);
    check_vec3("a", c.a, (Vec3){1, 1, 5}, 1e-12);
    check_vec3("b", c.b, (Vec3){-2, 0, 5}, 1e-12);
    assert_true(c.radius == 2);
    const ClothBody b = cloth_frame_motion_body(&carry, &box);
    assert_true(fabs(quat_dot(b.rotation, quarter)) > 1 - 1e-12);
    check_vec3("floor", cloth_frame_motion_body(&carry, &floor_body).a, (Vec3){2, 0, 5}, 1e-12);
}

/* A free mass beside a pinned one that jumps by 1 in every tick: it makes 1 - inertia of the way,
 * has no speed of it, and a peek changes nothing. */
static void a_mass_is_carried(void **state)
{
    (void)state;
    static const double INERTIA[] = {0, 0.25, 1};

    for (int r = 0; r < 3; r++) {
        Arena *arena = arena_create();
        ClothTopology t;
        const ClothTuning tuning = {
            .integrator = 1, .step_hz = HZ, .mass = 1, .inertia = INERTIA[r]};
        Vec3 at[2] = {{0, 0, 0}, {3, 0, 0}};
        cloth_topology_init(&t, &tuning, 2, arena);
        t.pins[0] = 1;
        Cloth *cloth = cloth_create(&t, 0);
        cloth_reset(cloth, at, NULL);
        for (int tick = 1; tick <= 5; tick++) {
            at[0].y = tick - 0.5;
            const Vec3 half = cloth_interpolate(cloth, at, NULL, 0.5)[1];
            check_vec3("peek", half, (Vec3){3, (1 - INERTIA[r]) * (tick - 0.5), 0}, 1e-12);
            at[0].y = tick;
            cloth_step(cloth, at, NULL);
            check_vec3("pinned", cloth_positions(cloth)[0], at[0], 0);
            check_vec3("free", cloth_positions(cloth)[1], (Vec3){3, (1 - INERTIA[r]) * tick, 0},
                       1e-12);
        }
        cloth_destroy(cloth);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_shift_and_a_turn), cmocka_unit_test(all_of_it_acts_with_inertia_1),
        cmocka_unit_test(few_pins),           cmocka_unit_test(bodies_move_along),
        cmocka_unit_test(a_mass_is_carried),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
