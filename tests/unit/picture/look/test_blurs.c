// SPDX-License-Identifier: MIT
/* glow and diffusion: pixels worked by hand from the formulas of picture/look/README.md 4 and 5 */

#include <string.h>

#include "near.h"
#include "picture/look/diffusion.h"
#include "picture/look/glow.h"
#include "unit_test.h"

/* One half-size pixel and one level: half of the light is added to each of the four pixels. */
static void test_glow(void **state)
{
    static const struct {
        const char *what;
        float strength, light[3];
        uint8_t in[4], expected[4];
    } rows[] = {
        {"added", 1, {0.4f, 0.2f, 0}, {100, 100, 100, 255}, {151, 126, 100, 255}},
        {"strength", 2, {0.4f, 0.2f, 0}, {100, 100, 100, 255}, {202, 151, 100, 255}},
        {"clipped", 10, {0.4f, 0.2f, 0}, {100, 100, 100, 255}, {255, 255, 100, 255}},
        {"none", 1, {0, 0, 0}, {1, 2, 3, 0}, {1, 2, 3, 0}},
        {"on nothing", 1, {0.8f, 0.4f, 0}, {9, 9, 9, 0}, {255, 128, 0, 102}},
        {"on half", 1, {0.4f, 0, 0}, {100, 100, 100, 128}, {202, 100, 100, 128}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        const GlowOptions options = {.strength = rows[i].strength, .size = 0.1f};
        LookSetup setup = {.width = 2, .height = 2};
        void *glow = GLOW_EFFECT.create(&options, &setup, arena);
        uint8_t pixels[4][4];
        Image image = {2, 2, true, pixels[0]};
        for (int k = 0; k < 4; k++)
            memcpy(pixels[k], rows[i].in, 4);
        memcpy(setup.emission[0], rows[i].light, sizeof rows[i].light);
        GLOW_EFFECT.apply(&image, glow, NULL);
        for (int k = 0; k < 4; k++)
            if (memcmp(pixels[k], rows[i].expected, 4) != 0)
                fail_msg("%s: %d %d %d %d", rows[i].what, pixels[k][0], pixels[k][1], pixels[k][2],
                         pixels[k][3]);
        arena_destroy(arena);
    }
}

static void test_blend(void **state)
{
    static const struct {
        DiffusionBlend blend;
        double v, b, expected;
    } rows[] = {
        {DIFFUSION_SCREEN, 0.5, 0.5, 0.625},    {DIFFUSION_SCREEN, 0, 0.8, 0.64},
        {DIFFUSION_SCREEN, 1, 0.3, 1},          {DIFFUSION_LIGHTEN, 0.5, 0.6, 0.5},
        {DIFFUSION_LIGHTEN, 0.5, 0.8, 0.64},    {DIFFUSION_OVERLAY, 0.25, 0.5, 0.25},
        {DIFFUSION_OVERLAY, 0.25, 1, 0.5},      {DIFFUSION_OVERLAY, 0.75, 0.5, 0.75},
        {DIFFUSION_OVERLAY, 0.75, 0.75, 0.875},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_near((double)diffusion_blend(rows[i].blend, (float)rows[i].v, (float)rows[i].b),
                    rows[i].expected, 1e-6);
}

static void apply(uint8_t *pixels, int width, int height, DiffusionOptions options)
{
    Arena *arena = arena_create();
    Image image = {width, height, true, pixels};
    LookSetup setup = {.width = width, .height = height};
    DIFFUSION_EFFECT.apply(&image, DIFFUSION_EFFECT.create(&options, &setup, arena), NULL);
    arena_destroy(arena);
}

/* An even image is its own blur, at odd sizes too: 153 = 0.6, screened with 0.36 is 0.744. */
static void test_even_image(void **state)
{
    uint8_t pixels[7 * 5][4];
    (void)state;
    memset(pixels, 255, sizeof pixels);
    for (int i = 0; i < 35; i++)
        pixels[i][0] = 153;
    apply(pixels[0], 7, 5, (DiffusionOptions){DIFFUSION_SCREEN, 1, 0.9f});
    for (int i = 0; i < 35; i++) {
        assert_int_equal(pixels[i][0], 190);
        assert_int_equal(pixels[i][1], 255);
    }
    apply(pixels[0], 7, 5, (DiffusionOptions){DIFFUSION_OVERLAY, 0, 0.9f});
    assert_int_equal(pixels[17][0], 190);
}

/* A light spreads into the dark beside it; what is transparent adds nothing; alpha is kept. */
static void test_spread(void **state)
{
    uint8_t pixels[16][4] = {{0}};
    (void)state;
    for (int i = 0; i < 16; i++)
        pixels[i][3] = 255;
    memset(pixels[0], 255, 4);
    apply(pixels[0], 16, 1, (DiffusionOptions){DIFFUSION_LIGHTEN, 1, 4});
    assert_int_equal(pixels[0][0], 255);
    assert_true(pixels[2][0] > 0 && pixels[2][0] < pixels[1][0]);
    assert_int_equal(pixels[15][0], 0);
    memset(pixels, 0, sizeof pixels);
    pixels[0][0] = 255;
    pixels[1][3] = 200;
    apply(pixels[0], 16, 1, (DiffusionOptions){DIFFUSION_LIGHTEN, 1, 4});
    assert_int_equal(pixels[1][0], 0);
    assert_int_equal(pixels[1][3], 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_glow),
        cmocka_unit_test(test_blend),
        cmocka_unit_test(test_even_image),
        cmocka_unit_test(test_spread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
