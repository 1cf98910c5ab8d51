// SPDX-License-Identifier: MIT
/* shadow_raster: the depths of random triangles against each texel's own plane equation, in double
 * precision; texels that an edge, or the border of a texel of the texture, passes are left out. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/model/pmx.h"
#include "random_value.h"
#include "render/shadow/shadow_raster.h"
#include "unit_test.h"

enum { WIDTH = 40, HEIGHT = 30, STRIDE = 48, TRIANGLES = 60, ROUNDS = 30, SIDE = 32 };

typedef struct Set {
    uint32_t seed;
    ShadowPoint points[3 * TRIANGLES];
    float uvs[6 * TRIANGLES];
    uint32_t indices[3 * TRIANGLES];
    uint16_t depths[STRIDE * HEIGHT];
    uint8_t pixels[4 * SIDE * SIDE]; /* of the texture */
    AlphaMask mask;
    ShadowRaster raster;
} Set;

/* A texture of 8 x 8 areas that are opaque, clear or mixed. */
static void set_texture(Set *set, Arena *arena)
{
    const Image image = {.width = SIDE, .height = SIDE, .has_alpha = true, .pixels = set->pixels};

    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            const int kind = (x / 8 + y / 8 * 2) % 3;

            set->pixels[4 * (y * SIDE + x) + 3] =
                (uint8_t)(kind == 2 ? (int)random_value(&set->seed, 0, 256) : 255 * kind);
        }
    alpha_mask_add(&set->mask, &image, arena);
}

static void set_up(Set *set, uint32_t seed, Arena *arena)
{
    *set = (Set){.seed = seed};
    for (uint32_t i = 0; i < 3 * TRIANGLES; i++) {
        const float x = random_value(&set->seed, -20, WIDTH + 20),
                    y = random_value(&set->seed, -20, HEIGHT + 20);

        set->points[i] = (ShadowPoint){x, y, random_value(&set->seed, -9000, 75000)};
        const float middle = i / 3 % 2 ? 0.125f * (float)(i / 6 % 8) : 0; /* of one area, or all */
        const float reach = i / 3 % 2 ? 0.1f : 1.2f;
        set->uvs[2 * i] = middle + random_value(&set->seed, -reach, reach);
        set->uvs[2 * i + 1] = 0.125f + random_value(&set->seed, -reach, reach);
        set->indices[i] = 3 * TRIANGLES - 1 - i;
    }
    set_texture(set, arena);
    set->mask.wrap[0] = (uint8_t)(seed % PMX_WRAPS);
    set->mask.wrap[1] = (uint8_t)(seed / PMX_WRAPS % PMX_WRAPS);
    memset(set->depths, 0xff, sizeof set->depths);
    set->raster = (ShadowRaster){.width = WIDTH,
                                 .height = HEIGHT,
                                 .stride = STRIDE,
                                 .depths = set->depths,
                                 .slope = 1.5f,
                                 .offset = 2.0f,
                                 .points = set->points,
                                 .uvs = set->uvs};
}

/* Weights of three corners at a point; returns twice the area, positive where they are clockwise.
 */
static double weigh(double w[3], const ShadowPoint *const p[3], double x, double y)
{
    double area = 0;

    for (int i = 0; i < 3; i++) {
        const ShadowPoint *a = p[(i + 1) % 3], *b = p[(i + 2) % 3];

        w[i] = ((double)a->x - x) * ((double)b->y - y) - ((double)a->y - y) * ((double)b->x - x);
        area += w[i];
    }
    for (int i = 0; i < 3; i++)
        w[i] /= area;
    return area;
}

/* The change of the depth from one texel to the next, the larger one of both directions. */
static double slope_of(const ShadowPoint *const p[3])
{
    double at[3][3], z[3] = {0, 0, 0};

    for (int k = 0; k < 3; k++) {
        weigh(at[k], p, k == 1, k == 2);
        for (int i = 0; i < 3; i++)
            z[k] += at[k][i] * (double)p[i]->depth;
    }
    return fmax(fabs(z[1] - z[0]), fabs(z[2] - z[0]));
}

/* The texel at a coordinate outside of the picture. */
static int wrapped(double at, unsigned wrap)
{
    const double side = SIDE, period = wrap == PMX_MIRROR ? 2 * side : side;
    const double rest = at - floor(at / period) * period;

    if (wrap == PMX_CLAMP)
        return (int)fmin(fmax(at, 0), side - 1);
    return (int)(rest < side ? rest : fmax(2 * side - rest - 1e-9, 0)) % SIDE;
}

/* Whether the texture is opaque; sets `unsure` close to the border of one of its texels. */
static bool is_opaque(const Set *set, const uint32_t *corners, const double w[3], bool *unsure)
{
    double at[2] = {0, 0};

    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++)
            at[k] += w[i] * (double)set->uvs[2 * corners[i] + (uint32_t)k] * SIDE;
    for (int k = 0; k < 2; k++)
        *unsure |= fabs(at[k] - round(at[k])) < 2e-3;
    const int x = wrapped(at[0], set->mask.wrap[0]), y = wrapped(at[1], set->mask.wrap[1]);

    return set->pixels[4 * (y * SIDE + x) + 3] >= 128;
}

/* The depth of the texel (x, y); -1 if rounding may decide. */
static int expected(const Set *set, int x, int y, bool culled, bool cut_out)
{
    double nearest = SHADOW_FARTHEST;

    for (int t = 0; t < TRIANGLES; t++) {
        const uint32_t *corners = set->indices + 3 * t;
        const ShadowPoint *p[3];
        double w[3], depth = 0;
        bool unsure = false;

        for (int i = 0; i < 3; i++)
            p[i] = &set->points[corners[i]];
        const double area = weigh(w, p, x + 0.5, y + 0.5);
        const double least = fmin(w[0], fmin(w[1], w[2]));
        if (least < -1e-3 || (culled && area < 0))
            continue;
        if (cut_out && !is_opaque(set, corners, w, &unsure) && !unsure)
            continue;
        if (unsure || least < 1e-3)
            return -1;
        for (int i = 0; i < 3; i++)
            depth += w[i] * (double)p[i]->depth;
        nearest = fmin(nearest, fmax(depth + 1.5 * slope_of(p) + 2.0, 0));
    }
    return (int)lrint(nearest);
}

static void check(bool culled, bool cut_out)
{
    int covered = 0, known = 0;
    Arena *arena = arena_create();
    Set set;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        set_up(&set, round, arena);
        set.raster.mask = cut_out ? &set.mask : NULL;
        shadow_raster_draw(&set.raster, set.indices, 3 * TRIANGLES, culled);
        for (int y = 0; y < HEIGHT; y++)
            for (int x = 0; x < STRIDE; x++) {
                const int depth = set.depths[y * STRIDE + x];
                const int wanted =
                    x < WIDTH ? expected(&set, x, y, culled, cut_out) : SHADOW_FARTHEST;

                known += wanted >= 0;
                covered += wanted < SHADOW_FARTHEST;
                if (wanted >= 0 && abs(depth - wanted) > 3)
                    fail_msg("round %u, texel (%d, %d): %d, expected %d", round, x, y, depth,
                             wanted);
            }
    }
    assert_true(known > ROUNDS * STRIDE * HEIGHT / 2);
    assert_true(covered > ROUNDS * WIDTH * HEIGHT / 4);
    arena_destroy(arena);
}

static void test_depths(void **state)
{
    (void)state;
    check(false, false);
    check(true, false);
}

static void test_cut_outs(void **state)
{
    (void)state;
    check(false, true);
    check(true, true);
}

/* A texture of which the triangle shows 4 texels a texel of the map: only its third level counts.
 */
static void test_level(void **state)
{
    (void)state;
    Arena *arena = arena_create();
    Set set;

    set_up(&set, 1, arena);
    set.mask.level_count = 0;
    for (int i = 0; i < 4; i++) {
        const Image level = {
            .width = SIDE >> i, .height = SIDE >> i, .has_alpha = true, .pixels = set.pixels};

        memset(set.pixels, i == 2 ? 255 : 0, sizeof set.pixels);
        alpha_mask_add(&set.mask, &level, arena);
    }
    set.raster.mask = &set.mask;
    set.raster.slope = 0;
    for (uint32_t i = 0; i < 3; i++) {
        const float x = i == 1 ? 20 : 2, y = i == 2 ? 20 : 2;

        set.points[i] = (ShadowPoint){x, y, 100};
        set.uvs[2 * i] = x * 4 / SIDE;
        set.uvs[2 * i + 1] = y * 4 / SIDE;
        set.indices[i] = i;
    }
    shadow_raster_draw(&set.raster, set.indices, 3, true);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            if (x + y + 1 != 22) /* on the edge */
                assert_int_equal(set.depths[y * STRIDE + x],
                                 x >= 2 && y >= 2 && x + y + 1 < 22 ? 102 : SHADOW_FARTHEST);
    arena_destroy(arena);
}

/* Values that a damaged model may lead to leave the memory around the map alone. */
static void test_strange_values(void **state)
{
    (void)state;
    static const float strange[] = {NAN,   INFINITY, -INFINITY, 3e38f, -3e38f,
                                    1e20f, 1e6f,     0,         1e-30f};
    enum { COUNT = sizeof strange / sizeof *strange };
    Arena *arena = arena_create();
    Set set;

    set_up(&set, 2, arena);
    for (int i = 0; i < 20000; i++) {
        for (uint32_t k = 0; k < 3; k++) {
            ShadowPoint *p = &set.points[k];

            *p = (ShadowPoint){random_value(&set.seed, -5, 45), random_value(&set.seed, -5, 35),
                               500};
            if (random_value(&set.seed, 0, 1) < 0.5f)
                p->x = strange[(int)random_value(&set.seed, 0, COUNT)];
            if (random_value(&set.seed, 0, 1) < 0.5f)
                p->y = strange[(int)random_value(&set.seed, 0, COUNT)];
            if (random_value(&set.seed, 0, 1) < 0.2f)
                p->depth = strange[(int)random_value(&set.seed, 0, COUNT)];
            set.uvs[2 * k] = random_value(&set.seed, -1e6f, 1e6f);
            set.uvs[2 * k + 1] = random_value(&set.seed, -1e6f, 1e6f);
            set.indices[k] = k;
        }
        set.raster.mask = i % 2 ? &set.mask : NULL;
        shadow_raster_draw(&set.raster, set.indices, 3, false);
    }
    for (int y = 0; y < HEIGHT; y++)
        for (int x = WIDTH; x < STRIDE; x++)
            assert_int_equal(set.depths[y * STRIDE + x], 0xffff);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_depths),
        cmocka_unit_test(test_cut_outs),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_strange_values),
    };

    return cmocka_run_group_tests_name("shadow_raster", tests, NULL, NULL);
}
