// SPDX-License-Identifier: MIT
/* Links that are too long: how far their masses move, and what is left alone. */
#include <math.h>

#include "cloth_tuning.h"
#include "evaluate/cloth/cloth_links.h"
#include "unit_test.h"

/* A row of masses 1 apart, whose springs are all links but the last, a bend spring. */
static ClothTopology row_of(uint32_t count, const double *pins, Arena *arena)
{
    ClothTuning tuning = CLOTH_TUNING_DEFAULT;
    ClothTopology t;

    tuning.stretch = 1.25;
    cloth_topology_init(&t, &tuning, count, arena);
    t.springs = arena_array(arena, ClothSpring, count);
    for (uint32_t i = 0; i < count; i++) {
        t.rest[i] = (Vec3){i, 0, 0};
        t.pins[i] = pins[i];
        if (i > 0)
            t.springs[t.spring_count++] = (ClothSpring){i - 1, i, 1, tuning.stiffness, 0};
    }
    t.springs[t.spring_count++] =
        (ClothSpring){0, count - 1, 0.1, tuning.bend * tuning.stiffness, 0};
    return t;
}

/* Two masses 2 apart that part at a speed of 3; their link may be 1.25 long.
 * 0.75 is too much; they are moved by 1.7 of it, or by all of it outwards. */
static void two_masses(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        double pins[2];
        bool outwards, loose;
        double moved[2], speed[2];
        double distance;
    } rows[] = {
        {"both equally far from pins", {0, 0}, true, false, {0.375, -0.375}, {0.5, 0.5}, 2},
        {"one is fixed", {1, 0}, false, false, {0, -1.275}, {-1, -1}, 2},
        {"the other is fixed", {0, 1}, false, false, {1.275, 0}, {2, 2}, 2},
        {"one is pulled only", {0.5, 0}, false, false, {0.6375, -0.6375}, {0.5, 0.5}, 2},
        {"the pulled one stays", {0.5, 0}, true, false, {0, -0.75}, {-1, -1}, 2},
        {"a loose pin", {1, 0}, false, true, {0.6375, -0.6375}, {0.5, 0.5}, 2},
        {"a loose pin at last", {1, 0}, true, true, {0, -0.75}, {-1, -1}, 2},
        {"loose pins", {1, 1}, true, true, {0.375, -0.375}, {0.5, 0.5}, 2},
        {"short enough", {1, 0}, false, false, {0, 0}, {-1, 2}, 1.25},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const ClothTopology t = row_of(2, rows[i].pins, arena);
        Vec3 x[2] = {{5, 1, 0}, {5, 1, rows[i].distance}}, v[2] = {{7, 0, -1}, {7, 0, 2}};
        const ClothLinks *links = cloth_links_create(&t, arena);
        const bool longer = cloth_links_shorten(links, x, v, 1.25, rows[i].outwards, rows[i].loose);
        if (longer != (rows[i].distance > 1.25) || fabs(x[0].z - rows[i].moved[0]) > 1e-12 ||
            fabs(x[1].z - rows[i].distance - rows[i].moved[1]) > 1e-12 ||
            fabs(v[0].z - rows[i].speed[0]) > 1e-12 || fabs(v[1].z - rows[i].speed[1]) > 1e-12)
            fail_msg("%s: at %g and %g, speeds %g and %g", rows[i].what, x[0].z, x[1].z, v[0].z,
                     v[1].z);
        assert_true(v[0].x == 7 && x[1].y == 1);
        arena_destroy(arena);
    }
}

/* From the pin on, one pass outwards shortens all links of a row, however far its end was
 * pulled; whichever end is pinned. */
static void one_pass_from_the_pin(void **state)
{
    (void)state;
    enum { COUNT = 9 };
    for (int last = 0; last < 2; last++) {
        Arena *arena = arena_create();
        double pins[COUNT] = {0};
        pins[last ? COUNT - 1 : 0] = 1;
        const ClothTopology t = row_of(COUNT, pins, arena);
        Vec3 x[COUNT], v[COUNT] = {{0, 0, 0}};
        for (int i = 0; i < COUNT; i++)
            x[i] = (Vec3){40.0 * i, 3.0 * i * i, 0};
        const Vec3 pin = x[last ? COUNT - 1 : 0];
        const ClothLinks *links = cloth_links_create(&t, arena);
        assert_true(cloth_links_shorten(links, x, v, 1.25, true, false));
        for (int i = 1; i < COUNT; i++)
            assert_true(fabs(vec3_length(vec3_sub(x[i], x[i - 1])) - 1.25) < 1e-9);
        assert_true(vec3_length(vec3_sub(pin, x[last ? COUNT - 1 : 0])) == 0);
        assert_false(cloth_links_shorten(links, x, v, 1.26, true, false));
        arena_destroy(arena);
    }
}

static void no_stretch_no_links(void **state)
{
    (void)state;
    static const double pins[2] = {1, 0};
    Arena *arena = arena_create();
    ClothTopology t = row_of(2, pins, arena);
    Vec3 x[2] = {{0, 0, 0}, {9, 0, 0}}, v[2] = {{0, 0, 0}, {0, 0, 0}};
    t.tuning.stretch = 0;
    assert_false(cloth_links_shorten(cloth_links_create(&t, arena), x, v, 1.25, false, false));
    assert_true(x[1].x == 9);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_masses),
                                       cmocka_unit_test(one_pass_from_the_pin),
                                       cmocka_unit_test(no_stretch_no_links)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
