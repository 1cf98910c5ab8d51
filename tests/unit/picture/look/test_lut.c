// SPDX-License-Identifier: MIT
/* lut: tables whose interpolation is known in closed form, and a cell worked by hand */

#include "base/arena.h"
#include "near.h"
#include "picture/look/grade.h"
#include "unit_test.h"

enum { STEPS = 7 };

/* Calls visit for colors on a grid that reaches outside 0..1. */
static void each_color(void (*visit)(const Cube *, const float[3]), const Cube *lut)
{
    for (int i = 0; i < STEPS * STEPS * STEPS; i++) {
        const float color[3] = {(float)(i % STEPS) / 5.0f - 0.1f,
                                (float)(i / STEPS % STEPS) / 5.0f - 0.1f,
                                (float)(i / STEPS / STEPS) / 5.0f - 0.1f};
        visit(lut, color);
    }
}

static double clamped(float value)
{
    return fmin(fmax((double)value, 0), 1);
}

static void expect_same(const Cube *lut, const float in[3])
{
    float out[3];
    lut_eval(out, lut, in);
    for (int c = 0; c < 3; c++)
        assert_near((double)out[c], clamped(in[c]), 1e-6);
}

/* Only white is 1: in each tetrahedron that is the smallest channel, which the trilinear product
 * would not give. */
static void expect_least(const Cube *lut, const float in[3])
{
    float out[3];
    lut_eval(out, lut, in);
    assert_near((double)out[0], fmin(clamped(in[0]), fmin(clamped(in[1]), clamped(in[2]))), 1e-6);
}

static void expect_not_greatest(const Cube *lut, const float in[3])
{
    float out[3];
    lut_eval(out, lut, in);
    assert_near((double)out[2], 1 - fmax(clamped(in[0]), fmax(clamped(in[1]), clamped(in[2]))),
                1e-6);
}

static Cube make(bool is_3d, size_t size, Arena *arena)
{
    Cube lut = {.is_3d = is_3d, .size = size, .domain_max = {1, 1, 1}};
    lut.entries = arena_calloc(arena, cube_count(&lut), sizeof *lut.entries);
    return lut;
}

static void test_identity(void **state)
{
    static const size_t sizes[] = {2, 3, 17};
    Arena *arena = arena_create();
    (void)state;
    for (size_t s = 0; s < 3; s++) {
        Cube lut = make(true, sizes[s], arena), curve = make(false, sizes[s], arena);
        const float last = (float)(sizes[s] - 1);
        for (size_t i = 0; i < cube_count(&lut); i++) {
            lut.entries[i][0] = (float)(i % sizes[s]) / last;
            lut.entries[i][1] = (float)(i / sizes[s] % sizes[s]) / last;
            lut.entries[i][2] = (float)(i / sizes[s] / sizes[s]) / last;
        }
        for (size_t i = 0; i < sizes[s]; i++)
            for (int c = 0; c < 3; c++)
                curve.entries[i][c] = (float)i / last;
        each_color(expect_same, &lut);
        each_color(expect_same, &curve);
    }
    arena_destroy(arena);
}

static void test_corners(void **state)
{
    Arena *arena = arena_create();
    (void)state;
    Cube lut = make(true, 2, arena);
    lut.entries[7][0] = 1;
    each_color(expect_least, &lut);
    lut.entries[0][2] = 1;
    each_color(expect_not_greatest, &lut);
    arena_destroy(arena);
}

/* A cell worked by hand: blue is greatest, then red, then green. */
static void test_cell(void **state)
{
    static const float in[3] = {0.5f, 0.25f, 0.75f};
    Arena *arena = arena_create();
    float out[3];
    (void)state;
    Cube lut = make(true, 2, arena);
    lut.entries[0][1] = 10; /* black */
    lut.entries[4][1] = 20; /* blue */
    lut.entries[5][1] = 60; /* blue and red */
    lut.entries[7][1] = 40; /* white */
    lut.entries[1][1] = lut.entries[2][1] = lut.entries[3][1] = lut.entries[6][1] = 1000;
    lut_eval(out, &lut, in);
    assert_near((double)out[1], 10 + 0.75 * 10 + 0.5 * 40 - 0.25 * 20, 1e-5);
    arena_destroy(arena);
}

static void test_domain(void **state)
{
    Arena *arena = arena_create();
    float out[3];
    (void)state;
    Cube lut = make(false, 3, arena);
    const float curve[3] = {0, 1, 5};
    for (int c = 0; c < 3; c++) {
        lut.domain_min[c] = -1;
        lut.domain_max[c] = 3;
        for (int i = 0; i < 3; i++)
            lut.entries[i][c] = curve[i];
    }
    lut_eval(out, &lut, (const float[3]){-5, 0, 2.5f});
    assert_near((double)out[0], 0, 0);
    assert_near((double)out[1], 0.5, 1e-6);
    assert_near((double)out[2], 4, 1e-6);
    lut_eval(out, &lut, (const float[3]){3, 99, 1});
    assert_near((double)out[0], 5, 0);
    assert_near((double)out[1], 5, 0);
    assert_near((double)out[2], 1, 1e-6);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_cell),
        cmocka_unit_test(test_domain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
