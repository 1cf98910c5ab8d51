// SPDX-License-Identifier: MIT
/* Soft ground shadows: rays of a light, and the shadows of blocks that are worked out by hand. */

#include <math.h>
#include <string.h>

#include "base/arena.h"
#include "render/shadow/ground_light.h"
#include "unit_test.h"

/* A light from above: the slope of a ray is the tangent of its angle, at most that of 10 degrees;
 * rings of equal area have a mean square radius of half of that. */
static void test_rays(void **unused)
{
    const float above[3] = {0, 1, 0}, aside[3] = {0.6f, 0.8f, 0}, low[3] = {0, 0.01f, 0.99995f};
    const float angle = 20 * 3.14159265f / 180, tangent = tanf(angle / 2);
    GroundRays rays = ground_rays(above, angle);
    float sums[2] = {0, 0}, squares = 0;
    (void)unused;

    assert_true(rays.center[0] == 0 && rays.center[1] == 0);
    for (int i = 0; i < GROUND_RAYS; i++) {
        sums[0] += rays.shifts[i][0];
        sums[1] += rays.shifts[i][1];
        squares += rays.shifts[i][0] * rays.shifts[i][0] + rays.shifts[i][1] * rays.shifts[i][1];
    }
    assert_true(rays.spread < tangent && rays.spread > 0.98f * tangent);
    assert_true(fabsf(sums[0]) < 0.04f * GROUND_RAYS * tangent);
    assert_true(fabsf(sums[1]) < 0.04f * GROUND_RAYS * tangent);
    assert_true(fabsf(squares / GROUND_RAYS - tangent * tangent / 2) < 1e-4f);

    rays = ground_rays(aside, angle); /* a point at the height 4 casts its shadow 3 beside it */
    assert_true(fabsf(rays.center[0] + 0.75f) < 1e-6f && rays.center[1] == 0);
    rays = ground_rays(aside, 0);
    assert_true(rays.spread < 1e-6f);
    rays = ground_rays(low, angle); /* rays that are almost level do not reach infinity */
    assert_true(fabsf(rays.center[1]) < 20.001f && rays.spread < 40);
}

typedef struct Map {
    GroundMapShape shape;
    uint32_t *slices;
    uint8_t *shade;
    GroundScratch *scratch;
} Map;

static Map map_create(Arena *arena, int width, int height)
{
    Map map = {.shape = {.width = width, .height = height, .radius = 1}};

    map.slices = arena_array(arena, uint32_t, (size_t)width * (size_t)height);
    map.shade = arena_array(arena, uint8_t, (size_t)width * (size_t)height);
    map.scratch = arena_alloc(arena, ground_scratch_size);
    return map;
}

static int shade_at(const Map *map, int x, int y)
{
    return map->shade[y * map->shape.width + x];
}

/* 8 of 32 rays move slice 3 by 100 texels to the right and 2 down, 4 others by 70 to the left: a
 * place at (130, 5) shadows three places, by 20, 8 and 4 of 32 rays. Slice 9 does not move. */
static void test_moves(void **unused)
{
    Arena *arena = arena_create();
    Map map = map_create(arena, 300, 10);
    (void)unused;

    for (int ray = 0; ray < 12; ray++) {
        map.shape.moves[ray][3][0] = ray < 8 ? 100 : -70;
        map.shape.moves[ray][3][1] = ray < 8 ? 2 : 0;
    }
    map.slices[5 * 300 + 130] = 1u << 3;
    map.slices[1 * 300 + 63] = 1u << 9 | 1u << 31 | 1u;
    for (int again = 0; again < 2; again++) {
        memset(map.shade, 1, 300 * 10);
        ground_shade(map.shade, map.slices, &map.shape, map.scratch);
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 300; x++) {
                const int rays = x == 130 && y == 5   ? 20
                                 : x == 230 && y == 7 ? 8
                                 : x == 60 && y == 5  ? 4
                                 : x == 63 && y == 1  ? 32
                                                      : 0;
                assert_int_equal(shade_at(&map, x, y), (rays * 255 + 16) / 32);
            }
    }
    arena_destroy(arena);
}

/* Slices that a ray sees at the same place block it once; what leaves the map is gone. */
static void test_overlap_and_edges(void **unused)
{
    Arena *arena = arena_create();
    Map map = map_create(arena, 100, 4);
    (void)unused;

    for (int ray = 0; ray < GROUND_RAYS; ray++) {
        map.shape.moves[ray][0][0] = 1;
        map.shape.moves[ray][1][0] = -1;
        map.shape.moves[ray][2][0] = ray % 2 ? 1000 : -1000;
        map.shape.moves[ray][4][1] = ray % 2 ? 5 : -5;
    }
    map.slices[100 + 10] = 1u << 0;
    map.slices[100 + 12] = 1u << 1;
    map.slices[200 + 50] = 1u << 2;
    map.slices[200 + 70] = 1u << 4;
    ground_shade(map.shade, map.slices, &map.shape, map.scratch);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 100; x++)
            assert_int_equal(shade_at(&map, x, y), x == 11 && y == 1 ? 255 : 0);
    arena_destroy(arena);
}

/* A tent of radius 2 has the weights 1 2 1 of 4 in each direction. */
static void test_blur(void **unused)
{
    static const int weights[5] = {0, 1, 2, 1, 0};
    Arena *arena = arena_create();
    Map map = map_create(arena, 9, 9);
    (void)unused;

    map.shape.radius = 2;
    map.slices[4 * 9 + 4] = 1;
    ground_shade(map.shade, map.slices, &map.shape, map.scratch);
    for (int y = 0; y < 5; y++)
        for (int x = 0; x < 5; x++)
            assert_int_equal(shade_at(&map, x + 2, y + 2),
                             (int)lrintf((float)(weights[x] * weights[y]) * 255 / 16));
    map.shape.radius = GROUND_MAX_RADIUS;
    memset(map.slices, 0xff, 81 * sizeof *map.slices);
    ground_shade(map.shade, map.slices, &map.shape, map.scratch);
    assert_int_equal(shade_at(&map, 4, 4), 168); /* 52 of 64 in each direction */
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rays),
        cmocka_unit_test(test_moves),
        cmocka_unit_test(test_overlap_and_edges),
        cmocka_unit_test(test_blur),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
