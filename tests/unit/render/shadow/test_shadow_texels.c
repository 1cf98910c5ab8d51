// SPDX-License-Identifier: MIT
/* shadow_texels: what lookups of soft shadows read, against the depths one by one */

#include "render/shadow/shadow_texels.h"
#include "unit_test.h"

enum { WIDTH = 21, HEIGHT = 10, BORDER = 4 };

/* Of the map's texel (x, y); 1 outside of it. */
static unsigned depth_at(int x, int y)
{
    const unsigned hash = ((unsigned)x * 2654435761u) ^ ((unsigned)y * 2246822519u);

    return x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT ? 0xffff : hash >> 7 & 0xffff;
}

static void assert_lookup(const uint32_t *words, const int32_t layout[4], int column, int row)
{
    const int32_t first = row * layout[2] + column;
    unsigned low = 0xffff, high = 0;

    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            const uint32_t word = words[first + y * layout[2] + x / 2 * 2];
            const unsigned depth = depth_at(column + x - BORDER, row + y - BORDER);

            assert_int_equal(word >> (x % 2 * 16) & 0xffff, depth);
            low = depth < low ? depth : low;
            high = depth > high ? depth : high;
        }
    assert_int_equal(words[layout[3] + first] & 0xffff, low);
    assert_int_equal(words[layout[3] + first] >> 16, high);
}

static void lookups_find_depths_and_their_range(void **state)
{
    const ShadowTexelSize size = shadow_texel_size(WIDTH, HEIGHT);
    Arena *arena = arena_create();
    uint32_t *words = arena_calloc(arena, 2 * size.stride * size.rows, sizeof *words);
    uint16_t *depths = arena_calloc(arena, shadow_texels_scratch(size), sizeof *depths);
    int32_t layout[4];

    (void)state;
    shadow_texels_layout(layout, WIDTH, HEIGHT);
    assert_int_equal(layout[0], WIDTH + BORDER);
    assert_int_equal(layout[1], HEIGHT + BORDER);
    for (size_t y = 0; y < size.rows; y++)
        for (size_t x = 0; x < size.stride; x++)
            depths[y * size.stride + x] = (uint16_t)depth_at((int)x - BORDER, (int)y - BORDER);
    shadow_texels_arrange(words, depths, size);
    for (int row = 0; row <= layout[1]; row++)
        for (int column = 0; column <= layout[0]; column++)
            assert_lookup(words, layout, column, row);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lookups_find_depths_and_their_range)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
