// SPDX-License-Identifier: MIT
/* grade: pixels worked by hand from the formulas of picture/look/README.md 2 */

#include <stdlib.h>
#include <string.h>

#include "near.h"
#include "picture/look/grade.h"
#include "unit_test.h"

#define NEUTRAL .contrast = 1, .saturation = 1, .lut_strength = 1

typedef struct Bench {
    Arena *arena;
    const LightTables *light;
} Bench;

static int set_up(void **state)
{
    Arena *arena = arena_create();
    Bench *bench = arena_array(arena, Bench, 1);
    *bench = (Bench){arena, light_tables_create(arena)};
    *state = bench;
    return 0;
}

static int tear_down(void **state)
{
    arena_destroy(((Bench *)*state)->arena);
    return 0;
}

static void apply(uint8_t *pixels, int width, int height, const GradeOptions *options,
                  int64_t frame, const Bench *bench)
{
    Image image = {width, height, true, pixels};
    LookSetup setup = {.width = width, .height = height, .light = bench->light};
    GRADE_EFFECT.apply(&image, GRADE_EFFECT.create(options, &setup, bench->arena),
                       &(LookFrame){.number = frame});
}

static void test_pixels(void **state)
{
    static const struct {
        const char *what;
        GradeOptions options;
        uint8_t in[4], expected[4];
    } rows[] = {
        {"neutral", {NEUTRAL}, {1, 128, 254, 255}, {1, 128, 254, 255}},
        {"one stop more", {.exposure_ev = 1, NEUTRAL}, {64, 128, 200, 7}, {90, 176, 255, 7}},
        {"two stops less", {.exposure_ev = -2, NEUTRAL}, {64, 128, 200, 255}, {30, 66, 106, 255}},
        {"warm", {.temperature = 1, NEUTRAL}, {128, 128, 128, 255}, {146, 124, 106, 255}},
        {"contrast", {.contrast = 2, .saturation = 1}, {100, 128, 240, 255}, {73, 129, 255, 255}},
        {"no contrast", {.contrast = 0, .saturation = 1}, {0, 128, 255, 255}, {128, 128, 128, 255}},
        {"half the saturation",
         {.contrast = 1, .saturation = 0.5f},
         {200, 100, 0, 255},
         {157, 107, 57, 255}},
        {"black and white", {.contrast = 1}, {200, 100, 0, 255}, {114, 114, 114, 255}},
        {"transparent", {.exposure_ev = 5, NEUTRAL}, {9, 9, 9, 0}, {9, 9, 9, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint8_t pixel[4];
        memcpy(pixel, rows[i].in, 4);
        apply(pixel, 1, 1, &rows[i].options, 0, *state);
        if (memcmp(pixel, rows[i].expected, 4) != 0)
            fail_msg("%s: %d %d %d %d", rows[i].what, pixel[0], pixel[1], pixel[2], pixel[3]);
    }
}

/* Every stored value survives every neutral step. */
static void test_neutral(void **state)
{
    uint8_t pixels[256][4];
    const GradeOptions options = {.vignette = 1e-6f, NEUTRAL};
    for (int i = 0; i < 256; i++) {
        const uint8_t value = (uint8_t)i;
        memcpy(pixels[i], (uint8_t[4]){value, (uint8_t)(255 - i), value, 255}, 4);
    }
    apply(pixels[0], 16, 16, &options, 3, *state);
    for (int i = 0; i < 256; i++)
        if (pixels[i][0] != i || pixels[i][1] != 255 - i || pixels[i][2] != i)
            fail_msg("%d: %d %d %d", i, pixels[i][0], pixels[i][1], pixels[i][2]);
}

/* An inverting table, after exposure; half of it; and a pixel like its left neighbor. */
static void test_lut(void **state)
{
    const Bench *bench = *state;
    float entries[2][3] = {{1, 1, 1}, {0, 0, 0}};
    const Cube lut = {.size = 2, .domain_max = {1, 1, 1}, .entries = entries};
    GradeOptions options = {.exposure_ev = 1, .cube = &lut, NEUTRAL};
    uint8_t pixels[2][4] = {{64, 128, 0, 255}, {64, 128, 0, 255}};
    static const uint8_t full[4] = {165, 79, 255, 255}, half[4] = {159, 191, 128, 255};

    apply(pixels[0], 2, 1, &options, 0, bench);
    assert_memory_equal(pixels[0], full, 4);
    assert_memory_equal(pixels[1], full, 4);
    options.exposure_ev = 0;
    options.lut_strength = 0.25f;
    memcpy(pixels[0], (uint8_t[4]){128, 255, 0, 255}, 4);
    apply(pixels[0], 1, 1, &options, 0, bench);
    assert_int_equal(pixels[0][1], half[1]);
    assert_int_equal(pixels[0][2], 64);
}

/* 2 x 2 pixels: their centers are half as far away as the corners, r^2 = 1/4; corners of 1/4 of the
 * light mean k = 1, so these pixels have (1 / 1.25)^2 = 0.64 of it. */
static void test_vignette(void **state)
{
    const GradeOptions options = {.vignette = 0.75f, NEUTRAL};
    uint8_t pixels[9][4];
    memset(pixels, 200, sizeof pixels);
    apply(pixels[0], 2, 2, &options, 0, *state);
    for (int i = 0; i < 4; i++)
        assert_int_equal(pixels[i][0], 164);
    memset(pixels, 200, sizeof pixels);
    apply(pixels[0], 3, 3, &options, 0, *state);
    assert_int_equal(pixels[4][1], 200);
    assert_true(pixels[0][0] < pixels[1][0] && pixels[1][0] < 200);
    assert_int_equal(pixels[1][0], pixels[3][0]);
    assert_int_equal(pixels[0][0], pixels[8][0]);
}

enum { SIDE = 256 };

/* Of a mid-grey image: the mean stays, the deviation is the option's, frames differ. */
static void test_grain(void **state)
{
    const Bench *bench = *state;
    const GradeOptions options = {.grain = 0.05f, NEUTRAL};
    const size_t count = (size_t)SIDE * SIDE;
    uint8_t *first = arena_array(bench->arena, uint8_t, 4 * count);
    uint8_t *second = arena_array(bench->arena, uint8_t, 4 * count);
    double sum = 0, squares = 0;
    size_t equal = 0;

    memset(first, 128, 4 * count);
    memset(second, 128, 4 * count);
    apply(first, SIDE, SIDE, &options, 1, bench);
    apply(second, SIDE, SIDE, &options, 2, bench);
    for (size_t i = 0; i < count; i++) {
        const double value = first[4 * i] - 128;
        assert_int_equal(first[4 * i], first[4 * i + 2]);
        sum += value;
        squares += value * value;
        equal += first[4 * i] == second[4 * i];
    }
    assert_near(sum / (double)count, 0, 0.2);
    assert_near(sqrt(squares / (double)count), 0.05 * 255, 0.2);
    assert_true(equal < count / 20);
    memset(second, 128, 4 * count);
    apply(second, SIDE, SIDE, &options, 1, bench);
    assert_memory_equal(first, second, 4 * count);

    uint8_t ends[2][4] = {{0, 0, 0, 255}, {255, 255, 255, 255}};
    apply(ends[0], 2, 1, &options, 1, bench);
    assert_int_equal(ends[0][0], 0);
    assert_int_equal(ends[1][0], 255);
}

/* Values of the hash, worked out with arbitrary-precision integers. */
static void test_noise(void **state)
{
    (void)state;
    assert_near((double)grade_noise(0, 0, 0), -0.12178619756427604, 1e-6);
    assert_near((double)grade_noise(7, 3, 2), 1.4749661705006765, 1e-6);
    assert_near((double)grade_noise((INT64_C(1) << 33) + 1, 5, 9), 0.5480378890392422, 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels), cmocka_unit_test(test_neutral),
        cmocka_unit_test(test_lut),    cmocka_unit_test(test_vignette),
        cmocka_unit_test(test_grain),  cmocka_unit_test(test_noise),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
