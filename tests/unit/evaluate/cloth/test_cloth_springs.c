// SPDX-License-Identifier: MIT
/* The forces of whole grids and meshes against sums over single springs and faces
 * (evaluate/cloth/README.md). */
#include <math.h>

#include "cloth_tuning.h"
#include "evaluate/cloth/cloth_forces.h"
#include "unit_test.h"

enum { MOST = 400 };

/* Part of the largest force on any mass: forces are computed in float. */
static const double TOLERANCE = 2e-5;

typedef struct Case {
    const char *what;
    uint32_t columns, rows;
    bool closed, shuffled; /* shuffled: as a mesh, whose masses are not in the order of the grid */
    double step;           /* between masses whose numbers are neighbours */
} Case;

static double random_part(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / (1 << 23) - 1;
}

/* A number of 0 to count - 1 for each: 7 has no factor in common with it. */
static uint32_t place(const Case *c, uint32_t i)
{
    return c->shuffled ? i * 7 % (c->columns * c->rows) : i;
}

static void build(ClothTopology *topology, const Case *c, Arena *arena)
{
    ClothTuning tuning = CLOTH_TUNING_DEFAULT;
    const uint32_t count = c->columns * c->rows;
    uint32_t(*triangles)[3] = arena_calloc(arena, 2 * (size_t)count, sizeof *triangles), n = 0;

    tuning.wind = (Vec3){3, 1, -7};
    tuning.mass = 2;
    cloth_topology_init(topology, &tuning, count, arena);
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t column = i % c->columns, row = i / c->columns;
        topology->rest[place(c, i)] = (Vec3){c->step * column, -c->step * row, 0};
    }
    if (!c->shuffled) {
        cloth_topology_from_grid(topology, c->columns, c->rows, c->closed, arena);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        if (i % c->columns == c->columns - 1 || i / c->columns == c->rows - 1)
            continue;
        const uint32_t a = place(c, i), b = place(c, i + 1), d = place(c, i + c->columns),
                       e = place(c, i + c->columns + 1);
        const uint32_t two[2][3] = {{a, b, e}, {a, e, d}};
        for (int k = 0; k < 6; k++)
            triangles[n + (uint32_t)k / 3][k % 3] = two[k / 3][k % 3];
        n += 2;
    }
    cloth_topology_from_mesh(topology, (const uint32_t(*)[3])triangles, n, arena);
}

static void expect_springs(Vec3 *f, const ClothTopology *t, const Vec3 *x, const Vec3 *v)
{
    for (uint32_t i = 0; i < t->spring_count; i++) {
        const ClothSpring *s = &t->springs[i];
        const Vec3 d = vec3_sub(x[s->b], x[s->a]), n = vec3_normalize(d);
        const double pull = s->stiffness * (vec3_length(d) - s->rest) +
                            s->damping * vec3_dot(vec3_sub(v[s->b], v[s->a]), n);
        f[s->a] = vec3_add(f[s->a], vec3_scale(n, pull));
        f[s->b] = vec3_sub(f[s->b], vec3_scale(n, pull));
    }
}

static void expect_air(Vec3 *f, const ClothTopology *t, const double *gusts, const Vec3 *x,
                       const Vec3 *v)
{
    for (uint32_t i = 0; i < t->face_count; i++) {
        const uint32_t *c = t->faces[i];
        const Vec3 n = vec3_cross(vec3_sub(x[c[1]], x[c[0]]), vec3_sub(x[c[2]], x[c[0]]));
        const double area = vec3_length(n) / 2,
                     gust = (gusts[c[0]] + gusts[c[1]] + gusts[c[2]]) / 3;
        const Vec3 speed = vec3_scale(vec3_add(vec3_add(v[c[0]], v[c[1]]), v[c[2]]), 1.0 / 3);
        const Vec3 air = vec3_sub(vec3_scale(t->tuning.wind, gust), speed),
                   unit = vec3_normalize(n);
        for (int k = 0; k < 3; k++)
            f[c[k]] =
                vec3_add(f[c[k]], vec3_scale(unit, t->tuning.air * area * vec3_dot(air, unit) / 3));
    }
}

static void check(const Case *c)
{
    Arena *arena = arena_create();
    ClothTopology t;
    Vec3 x[MOST], v[MOST], got[MOST], expected[MOST];
    double gusts[MOST], largest = 0;
    const Vec3 gravity = {1, -98, 2};
    uint32_t seed = 5;

    build(&t, c, arena);
    for (uint32_t i = 0; i < t.mass_count; i++) {
        x[i] = vec3_add((Vec3){500, 20, -300}, t.rest[i]);
        x[i] = vec3_add(x[i], (Vec3){0.1 * random_part(&seed), 0.1 * random_part(&seed),
                                     0.1 * random_part(&seed)});
        v[i] = (Vec3){9 * random_part(&seed), 9 * random_part(&seed), 9 * random_part(&seed)};
        gusts[i] = (1 + random_part(&seed)) / 2;
        const Vec3 wind = vec3_scale(t.tuning.wind, gusts[i]);
        expected[i] = vec3_add(vec3_scale(gravity, t.tuning.mass),
                               vec3_scale(vec3_sub(wind, v[i]), t.tuning.drag));
    }
    expect_springs(expected, &t, x, v);
    expect_air(expected, &t, gusts, x, v);
    ClothForces *forces = cloth_forces_create(&t, arena);
    cloth_forces_set_gusts(forces, gusts);
    cloth_forces_find(got, forces, gravity, x, v);
    for (uint32_t i = 0; i < t.mass_count; i++)
        largest = fmax(largest, vec3_length(expected[i]));
    for (uint32_t i = 0; i < t.mass_count; i++)
        if (!(vec3_length(vec3_sub(got[i], expected[i])) <= TOLERANCE * largest))
            fail_msg("%s, mass %u: (%.9g %.9g %.9g), not (%.9g %.9g %.9g)", c->what, i, got[i].x,
                     got[i].y, got[i].z, expected[i].x, expected[i].y, expected[i].z);
    assert_true(largest > 100);
    arena_destroy(arena);
}

static void sums_over_springs_and_faces(void **state)
{
    (void)state;
    static const Case CASES[] = {
        {"one mass", 1, 1, false, false, 1},
        {"two masses", 2, 1, false, false, 1},
        {"runs end before the border", 5, 3, false, false, 1},
        {"an open grid", 20, 17, false, false, 0.5},
        {"a closed grid", 19, 9, true, false, 0.5},
        {"a narrow grid", 3, 40, false, false, 1},
        {"a mesh", 12, 10, false, true, 0.5},
        {"an odd mesh", 5, 3, false, true, 1},
    };
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
        check(&CASES[i]);
}

/* Masses at one place, and faces without area. */
static void no_length_no_force(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    const Case c = {"", 6, 5, false, false, 1};
    ClothTopology t;
    Vec3 x[MOST], v[MOST], got[MOST];

    build(&t, &c, arena);
    t.tuning.drag = 0;
    ClothForces *forces = cloth_forces_create(&t, arena);
    for (uint32_t i = 0; i < t.mass_count; i++) {
        x[i] = (Vec3){3, 4, 5};
        v[i] = (Vec3){i, 0, 2};
    }
    cloth_forces_find(got, forces, (Vec3){0, -10, 0}, x, v);
    for (uint32_t i = 0; i < t.mass_count; i++)
        assert_true(got[i].x == 0 && got[i].y == -20 && got[i].z == 0);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_over_springs_and_faces),
        cmocka_unit_test(no_length_no_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
