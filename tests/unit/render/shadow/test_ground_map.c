// SPDX-License-Identifier: MIT
/* Soft ground shadows: darkness of pixels, worked out by hand. */

#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };
static const float PI = 3.14159265f;

typedef struct Bench {
    RenderFixture fixture;
    FrameState *state;
    RenderOptions options;
    Image image;
    Diag diag;
} Bench;

/* A white square of 2 x 2 units; a stage receives self-shadows, another model casts both kinds. */
static void add_square(Bench *b, bool stage)
{
    PmxModel m = fixture_quad(b->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    material->texture = PMX_NONE;
    material->shared_toon = true;
    material->toon = 0;
    material->flags = PMX_DOUBLE_SIDED;
    material->flags |= stage ? PMX_RECEIVE_SHADOW : PMX_GROUND_SHADOW | PMX_CAST_SHADOW;
    for (int c = 0; c < 3; c++) {
        material->diffuse[c] = 0;
        material->ambient[c] = 1;
    }
    material->diffuse[3] = 1;
    memset(material->specular, 0, sizeof material->specular);
    render_fixture_add(&b->fixture, m, NULL)->spec.stage = stage;
}

static Placement flat(float scale, float height)
{
    return (Placement){
        .scale = scale, .rotation = {0.70710678f, 0, 0, 0.70710678f}, .position = {0, height, 0}};
}

/* A square of 8 x 8 units, 10 above the ground.  Light falls from +x with a slope of 1: the middle
 * of its shadow is at x = -10.  The camera looks down, a unit is a pixel, +x is to the right. */
static void set_up(Bench *b, bool with_stage)
{
    *b = (Bench){.fixture.arena = arena_create()};
    diag_init(&b->diag, NULL, NULL);
    b->options = (RenderOptions){.width = SIDE,
                                 .height = SIDE,
                                 .samples = 1,
                                 .supersample = 1,
                                 .background = {1, 1, 1, 1},
                                 .ground_shadow = true,
                                 .ground_opacity = 0.5f,
                                 .ground_light = {.soft = true, .angle = 10 * PI / 180}};
    b->image.pixels = arena_array(b->fixture.arena, uint8_t, 4 * SIDE * SIDE);
    add_square(b, false);
    if (with_stage)
        add_square(b, true);
    b->state = render_fixture_rest(&b->fixture);
    b->state->camera = (CameraState){.rotation = {-PI / 2, 0, 0},
                                     .distance = -SIDE / 0.5625f,
                                     .fov_deg = 30,
                                     .orthographic = true};
    b->state->light = (LightState){{0.6f, 0.6f, 0.6f}, {-1, -1, 0}};
    b->state->models[0].placement = flat(4, 10);
    if (with_stage)
        b->state->models[1].placement = flat(30, 0);
}

static void draw(Bench *b)
{
    Renderer *renderer = renderer_create(&b->fixture.scene, &b->options, &b->diag);

    assert_non_null(renderer);
    for (int i = 0; i < 2; i++) /* a second frame is equal */
        assert_true(render_frame(&b->image, renderer, b->state, &b->diag));
    renderer_destroy(renderer);
}

static void expect(const Bench *b, const char *what, int x, int z, int channel, int wanted)
{
    for (int side = 0; side < 2; side++) { /* it is symmetric */
        const int row = SIDE / 2 + (side ? z : -1 - z), column = SIDE / 2 + x;
        const int value = b->image.pixels[4 * (row * SIDE + column) + channel];

        if (abs(value - wanted) > 8)
            fail_msg("%s at %d,%d: %d, expected %d", what, x, z, value, wanted);
    }
}

/*
 * The light is a disk of 10 degrees, so a ray to its rim moves by 10 tan 5 / sin 45 = 1.24 units
 * along z.  The edge of the square is at z = 4: at z = 3.5 the part of a disk beyond
 * 0.5 / 1.24 = 0.40 of its radius misses the square, (acos 0.40 - 0.40 sqrt(1 - 0.16)) / pi = 25 %,
 * and 75 % of the light is blocked.  At half the opacity that is 255 * (1 - 0.375) = 159.
 */
static void test_edge(void **unused)
{
    Bench b;
    (void)unused;

    set_up(&b, false);
    draw(&b);
    expect(&b, "umbra", -10, 0, 0, 128);
    expect(&b, "three quarters", -10, 3, 1, 159);
    expect(&b, "a quarter", -10, 4, 2, 223);
    expect(&b, "beside it", -10, 6, 0, 255);
    expect(&b, "far away", 20, 0, 0, 255);
    expect(&b, "the square", 0, 0, 0, 255);

    b.options.ground_opacity = 0.8f;
    draw(&b);
    expect(&b, "stronger", -10, 3, 0, 102); /* 255 * (1 - 0.8 * 0.75) */
    b.options.ground_light.angle = 0;
    draw(&b);
    expect(&b, "a point of light, inside", -10, 3, 0, 51);
    expect(&b, "a point of light, outside", -10, 4, 0, 255);
    b.options.ground_shadow = false;
    draw(&b);
    expect(&b, "without ground shadows", -10, 0, 0, 255);
    arena_destroy(b.fixture.arena);
}

/* Twice as high, edges are twice as wide; on a transparent background a shadow is in alpha. */
static void test_height_and_alpha(void **unused)
{
    Bench b;
    (void)unused;

    set_up(&b, false);
    b.state->models[0].placement = flat(4, 20);
    b.options.alpha = true;
    b.options.background[3] = 0;
    draw(&b);
    expect(&b, "umbra", -20, 0, 3, 128);
    expect(&b, "black", -20, 3, 0, 0);
    /* 0.5 / 2.47 = 0.20 of the radius: 37 % */
    expect(&b, "inside of the edge", -20, 3, 3, 80);
    expect(&b, "outside of the edge", -20, 4, 3, 47);
    expect(&b, "further out", -20, 7, 3, 0);

    b.options.ground_height = 10; /* as high above a higher ground */
    draw(&b);
    expect(&b, "higher ground", -10, 3, 3, 96);
    arena_destroy(b.fixture.arena);
}

/* A floor that receives self-shadows has the soft shadow instead; one above the ground keeps them.
 * The shadow pass has the shadow alone, black. */
static void test_stage(void **unused)
{
    Bench b;
    (void)unused;

    set_up(&b, true);
    b.options.shadow_map = 512;
    b.state->shadow = (ShadowState){.mode = 1, .distance = 0.01125f};
    draw(&b);
    expect(&b, "soft", -10, 3, 0, 159);
    expect(&b, "umbra", -10, 0, 0, 128);

    Renderer *renderer = renderer_create(&b.fixture.scene, &b.options, &b.diag);
    render_prepare(renderer, b.state);
    assert_true(render_overlay(&b.image, renderer, RENDER_SHADOWS, &b.diag));
    expect(&b, "the pass", -10, 3, 0, 64);
    expect(&b, "the pass in the umbra", -10, 0, 0, 0);
    renderer_destroy(renderer);

    b.options.ground_light.soft = false;
    draw(&b);
    expect(&b, "a self-shadow", -10, 3, 0, 205); /* the last row of toon01 */
    b.options.ground_light.soft = true;
    b.state->models[1].placement = flat(30, 0.2f);
    draw(&b);
    expect(&b, "a self-shadow above the ground", -10, 3, 0, 205);
    arena_destroy(b.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edge),
        cmocka_unit_test(test_height_and_alpha),
        cmocka_unit_test(test_stage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
