// SPDX-License-Identifier: MIT
/* defocus: sizes of disks worked by hand; what is in focus does not change; light is not lost */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "near.h"
#include "picture/look/defocus.h"
#include "unit_test.h"

enum { SIDE = 64, PIXELS = SIDE * SIDE };

typedef struct Bench {
    Arena *arena;
    const LightTables *light;
    uint8_t pixels[PIXELS][4];
    float depth[PIXELS];
} Bench;

static Bench *make(uint8_t value, float depth)
{
    Arena *arena = arena_create();
    Bench *b = arena_array(arena, Bench, 1);
    b->arena = arena;
    b->light = light_tables_create(arena);
    for (int i = 0; i < PIXELS; i++) {
        memset(b->pixels[i], value, 3);
        b->pixels[i][3] = 255;
        b->depth[i] = depth;
    }
    return b;
}

static void apply(Bench *b, DefocusLens lens)
{
    Image image = {SIDE, SIDE, false, b->pixels[0]};
    const FocusOptions options = {
        .aperture = 2 * lens.scale, .distance = lens.focus, .lens_part = 1};
    const FrameState state = {0};
    const LookFrame frame = {
        .state = &state, .view = {.pixel_size = 1, .reversed_depth = true}, .distances = b->depth};
    LookSetup setup = {.width = SIDE, .height = SIDE, .light = b->light};
    DEFOCUS_EFFECT.apply(&image, DEFOCUS_EFFECT.create(&options, &setup, b->arena), &frame);
}

static void test_radius(void **state)
{
    const DefocusLens lens = {.focus = 10, .scale = 100};
    (void)state;
    assert_near((double)defocus_radius(&lens, 10), 0, 0);
    assert_near((double)defocus_radius(&lens, 20), 5, 1e-5);
    assert_near((double)defocus_radius(&lens, 5), 10, 1e-5);
    assert_near((double)defocus_radius(&lens, 0), 10, 1e-5); /* nothing: infinitely far */
    assert_near((double)defocus_radius(&lens, 0.5f), DEFOCUS_MAX_RADIUS, 0);
}

/* An even image stays even at any depths. */
static void test_even(void **state)
{
    Bench *b = make(90, 30);
    (void)state;
    for (int i = 0; i < PIXELS; i++)
        b->depth[i] = (float)(i * 37 % 100);
    apply(b, (DefocusLens){.focus = 20, .scale = 200});
    for (int i = 0; i < PIXELS; i++) {
        assert_near(b->pixels[i][0], 90, 1);
        assert_int_equal(b->pixels[i][3], 255);
    }
    arena_destroy(b->arena);
}

static void test_in_focus(void **state)
{
    Bench *b = make(0, 20);
    Bench *before;
    (void)state;
    for (int i = 0; i < PIXELS; i++)
        b->pixels[i][i % 3] = (uint8_t)(i * 7);
    before = arena_copy(b->arena, b, sizeof *b);
    apply(b, (DefocusLens){.focus = 20, .scale = 1000});
    assert_memory_equal(b->pixels, before->pixels, sizeof b->pixels);
    arena_destroy(b->arena);
}

static double light(const Bench *b)
{
    double sum = 0;
    for (int i = 0; i < PIXELS; i++)
        sum += (double)b->light->light[b->pixels[i][0]] / LIGHT_ONE;
    return sum;
}

/* A square of 4 x 4 white pixels becomes a disk of the radius 8 with about the same light. */
static void test_disk(void **state)
{
    Bench *b = make(0, 40);
    (void)state;
    for (int y = 30; y < 34; y++)
        for (int x = 30; x < 34; x++)
            b->pixels[y * SIDE + x][0] = 255;
    apply(b, (DefocusLens){.focus = 20, .scale = 320});
    assert_near(light(b), 16, 4);
    assert_true(b->pixels[32 * SIDE + 32][0] < 150);
    assert_true(b->pixels[32 * SIDE + 37][0] > 30);
    assert_int_equal(b->pixels[32 * SIDE + 45][0], 0);
    arena_destroy(b->arena);
}

/* A sharp figure in front of a blurred ground keeps its edge and its colors; a blurred figure
 * spreads over a sharp ground. */
static void test_edges(void **state)
{
    Bench *b = make(255, 100);
    (void)state;
    for (int i = 0; i < PIXELS; i++)
        if (i % SIDE < 32) {
            memset(b->pixels[i], 0, 3);
            b->depth[i] = 20;
        }
    Bench *other = arena_copy(b->arena, b, sizeof *b);
    apply(b, (DefocusLens){.focus = 20, .scale = 200});
    assert_int_equal(b->pixels[32 * SIDE + 30][0], 0);
    assert_true(b->pixels[32 * SIDE + 35][0] > 200);
    apply(other, (DefocusLens){.focus = 100, .scale = 200});
    assert_true(other->pixels[32 * SIDE + 34][0] < 250);
    assert_int_equal(other->pixels[32 * SIDE + 55][0], 255);
    assert_int_equal(other->pixels[32 * SIDE + 5][0], 0);
    arena_destroy(b->arena);
}

/* A figure with an outline, which has no depth, hardly out of focus (a disk of the radius 1) before
 * a blurred ground: it does not spread beyond its pixels. */
static void test_small_disks(void **state)
{
    Bench *b = make(255, 100);
    (void)state;
    for (int i = 0; i < PIXELS; i++) {
        if (i % SIDE >= 30)
            memset(b->pixels[i], 0, 3);
        if (i % SIDE >= 32)
            b->depth[i] = 20;
    }
    apply(b, (DefocusLens){.focus = 21, .scale = 420});
    for (int y = 20; y < 44; y++) {
        assert_int_equal(b->pixels[y * SIDE + 33][0], 0);
        for (int x = 20; x < 28; x++)
            assert_true(b->pixels[y * SIDE + x][0] > 235);
    }
    arena_destroy(b->arena);
}

/* The ground beside a sharp figure is blurred up to its edge: stripes 4 pixels high become grey in
 * disks of the radius 16. */
static void test_rim(void **state)
{
    static const int FIGURE[3] = {200, 40, 40};
    Bench *b = make(0, 100);
    (void)state;
    for (int i = 0; i < PIXELS; i++) {
        memset(b->pixels[i], i / SIDE / 4 % 2 ? 220 : 60, 3);
        if (i % SIDE < 32) {
            for (int c = 0; c < 3; c++)
                b->pixels[i][c] = (uint8_t)FIGURE[c];
            b->depth[i] = 20;
        }
    }
    apply(b, (DefocusLens){.focus = 20, .scale = 400});
    for (int y = 20; y < 44; y++) { /* the mean of their light is 162 */
        if (abs(b->pixels[y * SIDE + 32][0] - 162) > 40)
            fail_msg("row %d: %d beside the figure", y, b->pixels[y * SIDE + 32][0]);
        for (int c = 0; c < 3; c++)
            assert_near(b->pixels[y * SIDE + 31][c], FIGURE[c], 1);
    }
    arena_destroy(b->arena);
}

/* A dark line 2 pixels wide on white becomes one soft band: at x from its middle a disk of the
 * radius r loses 2 sqrt(r^2 - x^2) / (pi r^2) of its light for each pixel of width. */
static void test_line(void **state)
{
    enum { RADIUS = 14 };
    Bench *b = make(255, 40);
    double worst = 0;
    (void)state;
    for (int i = 0; i < PIXELS; i++)
        if (i % SIDE == 31 || i % SIDE == 32)
            memset(b->pixels[i], 0, 3);
    apply(b, (DefocusLens){.focus = 20, .scale = 40 * RADIUS});
    for (int x = 20; x < 44; x++) {
        const double away = x - 31.5;
        const double lost = fabs(away) < RADIUS
                                ? 4 * sqrt(RADIUS * RADIUS - away * away) / (PI * RADIUS * RADIUS)
                                : 0;
        const double light = (double)b->light->light[b->pixels[32 * SIDE + x][0]] / LIGHT_ONE;
        worst = fmax(worst, fabs(1 - lost - light));
    }
    if (worst > 0.022)
        fail_msg("differs by %g of the light, of which 0.09 are lost", worst);
    arena_destroy(b->arena);
}

/* A black figure with disks of the radius r before a sharp white ground: at x from its edge, on
 * both sides, it covers the segment (acos t - t sqrt(1 - t^2)) / pi of a disk, t = x / r. */
static void test_front_edge(void **state)
{
    enum { RADIUS = 10 };
    Bench *b = make(255, 100);
    double worst = 0;
    (void)state;
    for (int i = 0; i < PIXELS; i++)
        if (i % SIDE < 33) { /* half-size pixels at the edge belong to both */
            memset(b->pixels[i], 0, 3);
            b->depth[i] = 20;
        }
    apply(b, (DefocusLens){.focus = 100, .scale = 25 * RADIUS});
    for (int x = 20; x < 46; x++) {
        const double t = fmin(fmax((x - 32.5) / RADIUS, -1), 1);
        const double covered = (acos(t) - t * sqrt(1 - t * t)) / PI;
        const double light = (double)b->light->light[b->pixels[32 * SIDE + x][0]] / LIGHT_ONE;
        worst = fmax(worst, fabs(1 - covered - light));
    }
    if (worst > 0.1)
        fail_msg("differs by %g of the light", worst);
    arena_destroy(b->arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_radius),     cmocka_unit_test(test_even),
        cmocka_unit_test(test_in_focus),   cmocka_unit_test(test_disk),
        cmocka_unit_test(test_edges),      cmocka_unit_test(test_small_disks),
        cmocka_unit_test(test_rim),        cmocka_unit_test(test_line),
        cmocka_unit_test(test_front_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
