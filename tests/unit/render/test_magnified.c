// SPDX-License-Identifier: MIT
/* Sampling only the first mip level of textures that are magnified wherever they are seen changes
 * no pixel: pictures of a square with a noisy texture equal those with mip levels, near and far,
 * from the front and at a slant. */
#include <string.h>

#include "model_fixture.h"
#include "random_value.h"
#include "render/renderer_state.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64, TEXELS = 32, VIEWS = 40, BYTES = 4 * SIDE * SIDE };

typedef struct Set {
    RenderFixture fixture;
    uint32_t seed;
    FrameState *state;
    Diag diag;
} Set;

static void set_up(Set *set, bool stage)
{
    *set = (Set){.fixture.arena = arena_create(), .seed = 3};
    Arena *arena = set->fixture.arena;
    Image *noise = arena_array(arena, Image, 1);
    const Image **textures = arena_array(arena, const Image *, 1);
    PmxModel square = fixture_quad(arena);

    diag_init(&set->diag, NULL, NULL);
    textures[0] = noise;
    *noise = (Image){.width = TEXELS, .height = TEXELS};
    noise->pixels = arena_array(arena, uint8_t, 4 * TEXELS * TEXELS);
    for (int i = 0; i < 4 * TEXELS * TEXELS; i++)
        noise->pixels[i] = i % 4 == 3 ? 255 : (uint8_t)random_value(&set->seed, 0, 255);
    for (int c = 0; c < 3; c++) {
        square.materials[0].diffuse[c] = 0;
        square.materials[0].ambient[c] = 1;
    }
    square.materials[0].toon = PMX_NONE;
    render_fixture_add(&set->fixture, square, textures)->spec.stage = stage;
    set->state = render_fixture_rest(&set->fixture);
}

/* Returns the number of views in which the texture was found to be magnified. */
static int draw_views(uint8_t pixels[VIEWS][BYTES], bool stage, bool all, int supersample)
{
    static Set set;
    int magnified = 0;

    set_up(&set, stage);
    const RenderOptions options = {.backend.backend = GL_AUTO,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = supersample,
                                   .all_triangles = all,
                                   .background = {1, 1, 1, 1}};
    Renderer *renderer = renderer_create(&set.fixture.scene, &options, &set.diag);
    assert_non_null(renderer);
    for (int view = 0; view < VIEWS; view++) {
        CameraState *camera = &set.state->camera;
        Image image = {.pixels = pixels[view]};

        camera->target[0] = random_value(&set.seed, -0.8f, 0.8f);
        camera->target[1] = random_value(&set.seed, -0.8f, 0.8f);
        camera->distance = -random_value(&set.seed, 0.2f, 4.0f) * (float)supersample;
        camera->rotation[0] = random_value(&set.seed, -0.9f, 0.9f);
        camera->rotation[1] = random_value(&set.seed, -0.9f, 0.9f);
        camera->fov_deg = random_value(&set.seed, 15, 60);
        camera->orthographic = view == 5;
        assert_true(render_frame(&image, renderer, set.state, &set.diag));
        magnified += renderer->draw.actors[0].magnified[0];
    }
    renderer_destroy(renderer);
    arena_destroy(set.fixture.arena);
    return magnified;
}

static void compare_views(int supersample)
{
    static uint8_t all[VIEWS][BYTES], found[VIEWS][BYTES];

    assert_int_equal(draw_views(all, true, true, supersample), 0);
    const int magnified = draw_views(found, true, false, supersample);
    assert_true(magnified > VIEWS / 8 && magnified < VIEWS * 7 / 8);
    for (int view = 0; view < VIEWS; view++)
        if (memcmp(all[view], found[view], BYTES) != 0)
            fail_msg("view %d: pixels differ", view);
}

static void test_pixels_are_equal(void **state)
{
    (void)state;
    compare_views(1);
}

static void test_pixels_are_equal_supersampled(void **state)
{
    (void)state;
    compare_views(2);
}

static void test_only_stages(void **state)
{
    static uint8_t pixels[VIEWS][BYTES];

    (void)state;
    assert_int_equal(draw_views(pixels, false, false, 2), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_are_equal),
        cmocka_unit_test(test_pixels_are_equal_supersampled),
        cmocka_unit_test(test_only_stages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
