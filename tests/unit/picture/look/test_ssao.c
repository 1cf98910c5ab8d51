// SPDX-License-Identifier: MIT
/* ssao: flat surfaces stay as they are; a right angle and a contact get darker, where allowed */

#include <string.h>

#include "picture/look/ssao.h"
#include "unit_test.h"

enum { SIDE = 64, PIXELS = SIDE * SIDE };

typedef struct Bench {
    Arena *arena;
    uint8_t pixels[PIXELS][4];
    float depth[PIXELS];
    uint8_t normals[PIXELS][4];
    uint32_t ids[PIXELS];
    bool darkens[3];
} Bench;

static Bench *make(void)
{
    Arena *arena = arena_create();
    Bench *b = arena_array(arena, Bench, 1);
    b->arena = arena;
    memset(b->pixels, 200, sizeof b->pixels);
    b->darkens[1] = b->darkens[2] = true;
    return b;
}

static void set(Bench *b, int x, int y, float depth, const uint8_t normal[3], uint32_t id)
{
    const int at = y * SIDE + x;
    b->depth[at] = depth;
    memcpy(b->normals[at], normal, 3);
    b->ids[at] = id;
}

/* A parallel view: 64 pixels are 64 units. */
static void apply(Bench *b, float strength, float radius)
{
    Image image = {SIDE, SIDE, false, b->pixels[0]};
    const SsaoOptions options = {.strength = strength, .radius = radius, .darkens = b->darkens};
    LookSetup setup = {.width = SIDE, .height = SIDE};
    const GeometryImage geometry = {.depth = b->depth, .normals = b->normals, .ids = b->ids};
    const LookFrame frame = {.view = {.half_extent = {SIDE / 2, SIDE / 2}}, .geometry = &geometry};
    SSAO_EFFECT.apply(&image, SSAO_EFFECT.create(&options, &setup, b->arena), &frame);
}

static int value(const Bench *b, int x, int y)
{
    return b->pixels[y * SIDE + x][1];
}

static const uint8_t TO_EYE[3] = {128, 128, 255}, TO_RIGHT[3] = {255, 128, 128},
                     HALF[3] = {218, 128, 218};

static void test_flat(void **state)
{
    Bench *b = make();
    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) /* one half is slanted by 45 degrees, away from the eye */
            set(b, x, y, x < 32 ? 40 : 8 + (float)x, x < 32 ? TO_EYE : HALF, 1);
    for (int i = 0; i < 5 * SIDE; i++) /* and nothing at the top */
        b->depth[i] = 0, b->ids[i] = 0;
    apply(b, 1, 6);
    for (int i = 0; i < PIXELS; i++)
        if (b->pixels[i][0] < 199 || b->pixels[i][3] != 200)
            fail_msg("%d,%d: %d", i % SIDE, i / SIDE, b->pixels[i][0]);
    arena_destroy(b->arena);
}

/* A wall that comes towards the eye at the left of a floor seen from above. */
static void test_corner(void **state)
{
    Bench *b = make();
    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            if (x < 32)
                set(b, x, y, 8 + (float)x, TO_RIGHT, y < 32 ? 2 : 1); /* rises to the left */
            else
                set(b, x, y, 40, TO_EYE, y < 32 ? 1 : 2);
        }
    apply(b, 1, 8);
    assert_true(value(b, 34, 20) < 197);
    assert_true(value(b, 34, 20) < value(b, 37, 20));
    assert_true(value(b, 37, 20) < value(b, 39, 20));
    assert_int_equal(value(b, 46, 20), 200); /* farther than the radius */
    assert_int_equal(b->pixels[20 * SIDE + 34][3], 200);

    memset(b->pixels, 200, sizeof b->pixels);
    b->darkens[2] = false;
    apply(b, 0.5f, 8);
    assert_int_equal(value(b, 34, 50), 200);
    assert_true(value(b, 34, 20) < 200 && value(b, 34, 20) > 150);
    memset(b->pixels, 200, sizeof b->pixels);
    apply(b, 0, 8);
    assert_int_equal(value(b, 34, 20), 200);
    arena_destroy(b->arena);
}

/* Normals that a modeller turned, as those of faces and hair are, do not darken a flat surface. */
static void test_turned_normals(void **state)
{
    static const uint8_t UP[3] = {128, 218, 218};
    Bench *b = make();
    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            set(b, x, y, 40, x < 32 ? HALF : UP, 1);
    apply(b, 1, 8);
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(b->pixels[i][1], 200);
    arena_destroy(b->arena);
}

/* In a corner bright channels keep more of their light than dark ones, and white most of it. */
static void test_tint(void **state)
{
    static const uint8_t COLOR[4] = {255, 200, 100, 200};
    Bench *b = make();
    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            set(b, x, y, x < 32 ? 8 + (float)x : 40, x < 32 ? TO_RIGHT : TO_EYE, 1);
            memcpy(b->pixels[y * SIDE + x], COLOR, 4);
        }
    apply(b, 1, 8);
    double kept[3];
    for (int c = 0; c < 3; c++)
        kept[c] = (double)b->pixels[20 * SIDE + 34][c] / COLOR[c];
    assert_true(kept[0] > kept[1] + 0.01 && kept[1] > kept[2] + 0.02);
    assert_true(kept[0] > 0.95 && kept[0] < 1);
    arena_destroy(b->arena);
}

/* What is far in front of a surface does not touch it, so it has no dark border. */
static void test_far(void **state)
{
    Bench *b = make();
    (void)state;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            set(b, x, y, x < 32 ? 10 : 40, TO_EYE, 1);
    apply(b, 1, 8);
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(b->pixels[i][2], 200);
    arena_destroy(b->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_corner),
        cmocka_unit_test(test_turned_normals),
        cmocka_unit_test(test_tint),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
