// SPDX-License-Identifier: MIT
/* Mip levels: pixels worked out by hand, and the coverage of cutouts. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render/texture/mipmap.h"
#include "unit_test.h"

static void test_half(void **unused)
{
    static const struct {
        const char *what;
        uint8_t from[4][4], to[4];
    } rows[] = {
        {"opaque: the rounded mean",
         {{0, 1, 2, 255}, {1, 1, 2, 255}, {0, 1, 2, 255}, {1, 1, 4, 255}},
         {1, 1, 3, 255}},
        {"transparent pixels have no weight",
         {{200, 100, 0, 255}, {0, 0, 255, 0}, {0, 0, 255, 0}, {0, 0, 255, 0}},
         {200, 100, 0, 64}},
        {"by alpha: (3 * 90 + 1 * 10) / 4",
         {{90, 0, 0, 90}, {90, 0, 0, 90}, {90, 0, 0, 90}, {10, 0, 0, 90}},
         {70, 0, 0, 90}},
        {"by alpha: (200 * 10 + 100 * 30) / 40",
         {{10, 0, 0, 200}, {30, 0, 0, 100}, {30, 0, 0, 0}, {10, 0, 0, 0}},
         {17, 0, 0, 75}},
        {"all transparent: plain mean of the colors",
         {{8, 0, 0, 0}, {8, 0, 0, 0}, {4, 0, 0, 0}, {4, 0, 0, 0}},
         {6, 0, 0, 0}},
    };
    (void)unused;
    Arena *arena = arena_create();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t pixels[16];

        memcpy(pixels, rows[i].from, sizeof pixels);
        const Image image = {2, 2, true, pixels}, out = mipmap_half(&image, arena);

        assert_int_equal(out.width, 1);
        assert_int_equal(out.height, 1);
        if (memcmp(out.pixels, rows[i].to, 4) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].what, out.pixels[0], out.pixels[1], out.pixels[2],
                     out.pixels[3]);
    }
    arena_destroy(arena);
}

static void test_sizes(void **unused)
{
    static const int rows[][4] = {{5, 3, 2, 1}, {1, 7, 1, 3}, {1, 1, 1, 1}, {8, 1, 4, 1}};
    (void)unused;
    Arena *arena = arena_create();

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Image image = {rows[i][0], rows[i][1], false,
                             arena_array(arena, uint8_t, 4 * (size_t)(rows[i][0] * rows[i][1]))};
        const Image out = mipmap_half(&image, arena);

        assert_int_equal(out.width, rows[i][2]);
        assert_int_equal(out.height, rows[i][3]);
    }
    arena_destroy(arena);
}

enum { SIDE = 128 };

/* White; opaque every `period` columns. */
static Image combs(Arena *arena, int period, int alpha)
{
    Image image = {SIDE, SIDE, true, arena_array(arena, uint8_t, 4 * SIDE * SIDE)};

    for (int i = 0; i < SIDE * SIDE; i++) {
        memset(image.pixels + 4 * i, 255, 3);
        image.pixels[4 * i + 3] = (uint8_t)(i % SIDE % period == 0 ? alpha : 0);
    }
    return image;
}

static void test_is_cutout(void **unused)
{
    (void)unused;
    Arena *arena = arena_create();
    Image comb = combs(arena, 3, 255), faint = combs(arena, 3, 100), full = combs(arena, 1, 255);

    assert_true(mipmap_is_cutout(&comb));
    assert_false(mipmap_is_cutout(&faint)); /* translucent everywhere, so not a cutout */
    assert_false(mipmap_is_cutout(&full));
    comb.has_alpha = false;
    assert_false(mipmap_is_cutout(&comb));
    arena_destroy(arena);
}

/* A disc keeps its coverage at every level down to 8 pixels, with a tolerance for the alpha of its
 * edge.  Slanted lines of 3.2 in 17 pixels disappear from plain means as soon as no pixel is half
 * opaque any more. */
static void test_coverage(void **unused)
{
    (void)unused;
    Arena *arena = arena_create();
    Image disc = combs(arena, 1, 255), hairs = combs(arena, 1, 255);

    for (int i = 0; i < SIDE * SIDE; i++) {
        const int x = i % SIDE - 64, y = i / SIDE - 64;

        disc.pixels[4 * i + 3] = x * x + y * y < 45 * 45 ? 255 : 0;
        hairs.pixels[4 * i + 3] = fmod(0.9 * x + 0.436 * y + 17 * SIDE, 17) < 3.2 ? 255 : 0;
    }
    const double disc_share = mipmap_coverage(&disc), hair_share = mipmap_coverage(&hairs);
    assert_true(fabs(disc_share - 3.14159265 * 45 * 45 / (SIDE * SIDE)) < 0.002);
    assert_true(fabs(hair_share - 3.2 / 17) < 0.01);
    for (int i = 0; i < 4; i++) {
        disc = mipmap_half(&disc, arena);
        hairs = mipmap_half(&hairs, arena);
        const Image d = mipmap_match_coverage(&disc, disc_share, arena);
        const Image h = mipmap_match_coverage(&hairs, hair_share, arena);

        if (fabs(mipmap_coverage(&d) - disc_share) > 4.0 / d.width / d.width + 0.02)
            fail_msg("disc, %d wide: %.3f, not %.3f", d.width, mipmap_coverage(&d), disc_share);
        if (fabs(mipmap_coverage(&h) - hair_share) > 0.05)
            fail_msg("hairs, %d wide: %.3f, not %.3f", h.width, mipmap_coverage(&h), hair_share);
        assert_true(i < 2 || mipmap_coverage(&hairs) < 0.6 * hair_share);
    }
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_half),
        cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_is_cutout),
        cmocka_unit_test(test_coverage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
