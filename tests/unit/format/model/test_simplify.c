// SPDX-License-Identifier: MIT
/* simplify: a flat grid, a sphere, and vertices that must stay */

#include <math.h>
#include <string.h>

#include "format/model/simplify.h"
#include "model_fixture.h"
#include "unit_test.h"

enum { SIDE = 9, RINGS = 16, SEGMENTS = 32 };

typedef struct Shape {
    PmxModel model;
    uint32_t *indices; /* of which simplify_triangles keeps some */
    bool *fixed;
} Shape;

static Shape new_shape(uint32_t vertices, uint32_t indices, Arena *arena)
{
    Shape shape = {.model = fixture_empty()};

    shape.model.vertices = arena_array(arena, PmxVertex, vertices);
    shape.model.vertex_count = vertices;
    shape.indices = arena_array(arena, uint32_t, indices);
    shape.model.index_count = indices;
    shape.fixed = arena_array(arena, bool, vertices);
    return shape;
}

static uint32_t add_quad(uint32_t *out, uint32_t a, uint32_t b, uint32_t c, uint32_t d)
{
    const uint32_t faces[6] = {a, b, c, a, c, d};

    memcpy(out, faces, sizeof faces);
    return 6;
}

/* SIDE x SIDE vertices in the plane z = 0, one unit apart. */
static Shape grid(Arena *arena)
{
    Shape shape = new_shape(SIDE * SIDE, 6 * (SIDE - 1) * (SIDE - 1), arena);
    uint32_t count = 0;

    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        shape.model.vertices[i] = fixture_vertex((float)(i % SIDE), (float)(i / SIDE), 0, 0);
    for (uint32_t y = 0; y + 1 < SIDE; y++)
        for (uint32_t x = 0; x + 1 < SIDE; x++) {
            const uint32_t at = y * SIDE + x;

            count += add_quad(shape.indices + count, at, at + 1, at + SIDE + 1, at + SIDE);
        }
    return shape;
}

/* Of radius 1, closed; the poles are rings of their own around a vertex. */
static Shape sphere(Arena *arena)
{
    const uint32_t south = RINGS * SEGMENTS, north = south + 1;
    Shape shape = new_shape(north + 1, 6 * SEGMENTS * RINGS, arena);
    const double pi = acos(-1.0);
    uint32_t count = 0;

    for (uint32_t i = 0; i < south; i++) {
        const double a = pi * (i / SEGMENTS + 1) / (RINGS + 1),
                     b = 2 * pi * (i % SEGMENTS) / SEGMENTS;

        shape.model.vertices[i] =
            fixture_vertex((float)(sin(a) * cos(b)), (float)-cos(a), (float)(sin(a) * sin(b)), 0);
    }
    shape.model.vertices[south] = fixture_vertex(0, -1, 0, 0);
    shape.model.vertices[north] = fixture_vertex(0, 1, 0, 0);
    for (uint32_t s = 0; s < SEGMENTS; s++) {
        const uint32_t t = (s + 1) % SEGMENTS, last = (RINGS - 1) * SEGMENTS;
        const uint32_t caps[6] = {south, s, t, north, last + t, last + s};

        for (uint32_t r = 0; r + 1 < RINGS; r++)
            count += add_quad(shape.indices + count, r * SEGMENTS + s, (r + 1) * SEGMENTS + s,
                              (r + 1) * SEGMENTS + t, r * SEGMENTS + t);
        memcpy(shape.indices + count, caps, sizeof caps);
        count += 6;
    }
    assert_int_equal(count, shape.model.index_count);
    return shape;
}

static uint32_t simplify(Shape *shape, float error, Arena *arena)
{
    return simplify_triangles(shape->indices, shape->model.index_count, &shape->model, shape->fixed,
                              error, arena);
}

/* The sum of the areas of all faces; of their z components if `flat`. */
static double area(const Shape *shape, uint32_t count, bool flat)
{
    double sum = 0;

    for (uint32_t i = 0; i < count; i += 3) {
        const float *a = shape->model.vertices[shape->indices[i]].position;
        const float *b = shape->model.vertices[shape->indices[i + 1]].position;
        const float *c = shape->model.vertices[shape->indices[i + 2]].position;
        double n[3];

        for (int k = 0; k < 3; k++) {
            const int p = (k + 1) % 3, q = (k + 2) % 3;

            n[k] = ((double)b[p] - (double)a[p]) * ((double)c[q] - (double)a[q]) -
                   ((double)b[q] - (double)a[q]) * ((double)c[p] - (double)a[p]);
        }
        sum += flat ? n[2] / 2 : sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]) / 2;
    }
    return sum;
}

/* Whether each edge is traversed equally often in both directions. */
static bool is_balanced(const Shape *shape, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t from = shape->indices[i], to = shape->indices[i % 3 == 2 ? i - 2 : i + 1];
        int balance = 0;

        for (uint32_t k = 0; k < count; k++) {
            const uint32_t a = shape->indices[k], b = shape->indices[k % 3 == 2 ? k - 2 : k + 1];

            balance += (a == from && b == to) - (a == to && b == from);
        }
        if (balance != 0)
            return false;
    }
    return true;
}

static bool uses(const Shape *shape, uint32_t count, uint32_t vertex)
{
    for (uint32_t i = 0; i < count; i++)
        if (shape->indices[i] == vertex)
            return true;
    return false;
}

/* All inner vertices of a plane are redundant; its border keeps every vertex and the area. */
static void test_flat(void **state)
{
    Arena *arena = arena_create();
    Shape shape = grid(arena);
    const uint32_t count = simplify(&shape, 0.001f, arena);

    (void)state;
    assert_true(count < shape.model.index_count / 2);
    assert_true(fabs(area(&shape, count, true) - (SIDE - 1) * (SIDE - 1)) < 1e-9);
    for (uint32_t i = 0; i < SIDE; i++) {
        assert_true(uses(&shape, count, i));
        assert_true(uses(&shape, count, i * SIDE));
        assert_true(uses(&shape, count, SIDE * SIDE - 1 - i));
    }
    arena_destroy(arena);
}

/* A sphere stays closed and loses area by the error at most: d = error leaves a radius of 1 - d. */
static void test_sphere(void **state)
{
    Arena *arena = arena_create();
    Shape shape = sphere(arena);
    const double before = area(&shape, shape.model.index_count, false);
    const uint32_t count = simplify(&shape, 0.05f, arena);

    (void)state;
    assert_true(count < shape.model.index_count * 2 / 3);
    assert_true(is_balanced(&shape, count));
    assert_true(area(&shape, count, false) < before);
    assert_true(area(&shape, count, false) > before * 0.95 * 0.95);
    arena_destroy(arena);
}

static void test_no_error(void **state)
{
    Arena *arena = arena_create();
    Shape shape = sphere(arena);

    (void)state;
    assert_int_equal(simplify(&shape, 0.0f, arena), shape.model.index_count);
    assert_int_equal(simplify_triangles(shape.indices, 0, &shape.model, shape.fixed, 1, arena), 0);
    arena_destroy(arena);
}

static void test_fixed_vertices(void **state)
{
    Arena *arena = arena_create();
    Shape shape = grid(arena);
    const uint32_t center = SIDE * SIDE / 2;

    (void)state;
    shape.fixed[center] = true;
    assert_true(uses(&shape, simplify(&shape, 0.001f, arena), center));
    arena_destroy(arena);
}

/* Vertices of other bones do not merge, however flat the surface is. */
static void test_weights(void **state)
{
    Arena *arena = arena_create();
    Shape shape = grid(arena);

    (void)state;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        shape.model.vertices[i].bones[0] = (int32_t)i;
    assert_int_equal(simplify(&shape, 0.001f, arena), shape.model.index_count);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),     cmocka_unit_test(test_sphere),
        cmocka_unit_test(test_no_error), cmocka_unit_test(test_fixed_vertices),
        cmocka_unit_test(test_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
