// SPDX-License-Identifier: MIT
/* Emitted light: which materials glow, and squares in known places whose light is worked by hand.
 */

#include <math.h>
#include <string.h>

#include "model_fixture.h"
#include "render/emission.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64, HALF = SIDE / 2 };

static void test_rule(void **unused)
{
    static const char *const names[] = {"lamp", "neon"};
    static const EmissionOptions none = {0}, named = {names, 2};
    static const struct {
        const char *what, *name;
        const EmissionOptions *options;
        float specular, power, expected;
    } rows[] = {
        {"power 100", "a", &none, 0, 100, 0},
        {"power 107", "a", &none, 0, 107, 1},
        {"power 121", "a", &none, 0, 121, 3},
        {"power 0", "a", &none, 0, 0, 0},
        {"a bright highlight", "a", &none, 0.2f, 150, 0},
        {"an almost black one", "a", &none, 0.005f, 107, 1},
        {"huge", "a", &none, 0, 1e30f, EMISSION_MAX_STRENGTH},
        {"named", "neon", &named, 0.5f, 5, 1},
        {"not named", "ne", &named, 0.5f, 5, 0},
        {"not named but made for it", "a", &named, 0, 114, 2},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const MaterialState m = {.specular = {rows[i].specular, 0, 0},
                                 .specular_power = rows[i].power};
        const float got = emission_strength(&m, rows[i].name, rows[i].options);
        if (fabsf(got - rows[i].expected) > 1e-6f)
            fail_msg("%s: %g, expected %g", rows[i].what, (double)got, (double)rows[i].expected);
    }
}

typedef struct Bench {
    RenderFixture fixture;
    FrameState *state;
    float (*light)[3]; /* [HALF * HALF] */
    Diag diag;
} Bench;

static void bench_init(Bench *b)
{
    *b = (Bench){.fixture.arena = arena_create()};
    diag_init(&b->diag, NULL, NULL);
    b->light = arena_calloc(b->fixture.arena, (size_t)HALF * HALF, sizeof *b->light);
}

/* A square of 2 x 2 units that faces -z; power 0 does not glow. */
static void add_square(Bench *b, float power, float alpha)
{
    PmxModel m = fixture_quad(b->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    material->texture = PMX_NONE;
    memcpy(material->diffuse, ((float[4]){0.8f, 0.4f, 0, alpha}), sizeof material->diffuse);
    memcpy(material->ambient, ((float[3]){0.4f, 0.4f, 0}), sizeof material->ambient);
    memset(material->specular, 0, sizeof material->specular);
    material->specular_power = power;
    render_fixture_add(&b->fixture, m, NULL);
}

static void draw(Bench *b, int samples, int supersample, float weight)
{
    const RenderOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = samples,
                                   .supersample = supersample,
                                   .background = {1, 1, 1, 1}};
    static uint8_t pixels[SIDE * SIDE * 4];
    Image image = {.pixels = pixels};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);

    assert_non_null(renderer);
    assert_true(render_frame(&image, renderer, b->state, &b->diag));
    assert_true(render_emission(b->light, weight, renderer, &b->diag));
    renderer_destroy(renderer);
}

static void expect_light(const Bench *b, const char *what, int x, int y, float red, float green)
{
    const float *light = b->light[y * HALF + x];

    if (fabsf(light[0] - red) > 0.02f || fabsf(light[1] - green) > 0.02f || light[2] != 0)
        fail_msg("%s at %d,%d: %g %g %g, expected %g %g 0", what, x, y, (double)light[0],
                 (double)light[1], (double)light[2], (double)red, (double)green);
}

static void place(Bench *b, size_t model, float scale, float x, float y, float z)
{
    b->state->models[model].placement =
        (Placement){.scale = scale, .rotation = {0, 0, 0, 1}, .position = {x, y, z}};
}

/* A pixel is a unit.  Colors are (diffuse + ambient / 2) / 2 = 0.5, 0.3, 0.  A square of 20 x 20
 * pixels with the strength 2 is partly hidden by one of 10 x 10 that does not glow, in front of its
 * upper right corner; a third with strength 1 and alpha 0.5 lies in front of its lower left corner,
 * one pixel off the grid of half-size pixels. */
static void draw_scene(int samples, int supersample)
{
    Bench b;

    bench_init(&b);
    add_square(&b, 114, 1);
    add_square(&b, 0, 1);
    add_square(&b, 107, 0.5f);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){.distance = -SIDE / 0.5625f, .orthographic = true};
    place(&b, 0, 10, 0, 0, 0);
    place(&b, 1, 5, 10, 10, -8);
    place(&b, 2, 5, -15, -10, -4);
    draw(&b, samples, supersample, 0.5f);
    expect_light(&b, "nothing", 2, 2, 0, 0);
    expect_light(&b, "the middle", 16, 16, 0.5f, 0.3f);
    expect_light(&b, "hidden", 20, 11, 0, 0);
    expect_light(&b, "beside what hides it", 17, 11, 0.5f, 0.3f);
    expect_light(&b, "half transparent", 8, 20, 0.125f, 0.075f);
    expect_light(&b, "half of its pixels", 6, 20, 0.125f, 0.075f);
    expect_light(&b, "the lower edge", 16, 21, 0.0f, 0.0f);
    draw(&b, samples, supersample, 0.5f); /* added */
    expect_light(&b, "twice", 16, 16, 1, 0.6f);
    arena_destroy(b.fixture.arena);
}

static void test_squares(void **unused)
{
    (void)unused;
    draw_scene(1, 1);
    draw_scene(1, 2);
    draw_scene(1, 3);
    draw_scene(4, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rule),
        cmocka_unit_test(test_squares),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
