// SPDX-License-Identifier: MIT
/* Background images: how they fill the frame, and changing them between frames. */

#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };

/* A half-transparent red square of 20 x 20 pixels in the center of the frame. */
typedef struct Stage {
    RenderFixture fixture;
    FrameState *state;
    Image image;
    Diag diag;
} Stage;

static void set_up(Stage *stage)
{
    *stage = (Stage){.fixture.arena = arena_create()};
    PmxModel m = fixture_quad(stage->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    stage->image.pixels = arena_array(stage->fixture.arena, uint8_t, 4 * SIDE * SIDE);
    diag_init(&stage->diag, NULL, NULL);
    material->texture = PMX_NONE;
    memcpy(material->diffuse, ((float[4]){0, 0, 0, 0.5f}), sizeof material->diffuse);
    memcpy(material->ambient, ((float[3]){1, 0, 0}), sizeof material->ambient);
    render_fixture_add(&stage->fixture, m, NULL)->placement.scale = 10;
    stage->state = render_fixture_rest(&stage->fixture);
    stage->state->camera =
        (CameraState){.distance = -SIDE / 0.5625f, .fov_deg = 30, .orthographic = true};
}

static RenderOptions options_over(float grey)
{
    return (RenderOptions){.width = SIDE,
                           .height = SIDE,
                           .samples = 1,
                           .supersample = 1,
                           .background = {grey, grey, grey, 1}};
}

static void expect(const Stage *stage, const char *what, int x, int y, const uint8_t wanted[3])
{
    const uint8_t *p = stage->image.pixels + 4 * (y * SIDE + x);

    for (int c = 0; c < 3; c++)
        if (abs(p[c] - wanted[c]) > 1)
            fail_msg("%s at %d,%d: %d %d %d, expected %d %d %d", what, x, y, p[0], p[1], p[2],
                     wanted[0], wanted[1], wanted[2]);
}

/* An image of 64 x 32, red and blue, behind a frame whose background is grey. */
static void test_fit(void **unused)
{
    static const uint8_t red[4] = {200, 0, 0, 255}, blue[4] = {0, 0, 200, 255};
    static const struct {
        const char *what;
        ImageFit fit;
        int x, y;
        uint8_t expected[3];
    } rows[] = {
        {"cover: the middle half", IMAGE_COVER, 2, 2, {200, 0, 0}},
        {"cover: right", IMAGE_COVER, 61, 61, {0, 0, 200}},
        {"cover: left of the middle", IMAGE_COVER, 30, 10, {200, 0, 0}},
        {"contain: above", IMAGE_CONTAIN, 2, 15, {51, 51, 51}},
        {"contain: first row", IMAGE_CONTAIN, 2, 16, {200, 0, 0}},
        {"contain: last row", IMAGE_CONTAIN, 61, 47, {0, 0, 200}},
        {"contain: below", IMAGE_CONTAIN, 61, 48, {51, 51, 51}},
        {"stretch: above", IMAGE_STRETCH, 2, 2, {200, 0, 0}},
        {"stretch: below", IMAGE_STRETCH, 61, 61, {0, 0, 200}},
    };
    (void)unused;
    Stage stage;

    set_up(&stage);
    Image wide = {64, 32, false, arena_array(stage.fixture.arena, uint8_t, 4 * 64 * 32)};
    for (int i = 0; i < 64 * 32; i++)
        memcpy(wide.pixels + 4 * i, i % 64 < 32 ? red : blue, 4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = options_over(0.2f);

        options.background_image = &wide;
        options.background_fit = rows[i].fit;
        Renderer *renderer = renderer_create(&stage.fixture.scene, &options, &stage.diag);
        assert_non_null(renderer);
        assert_true(render_frame(&stage.image, renderer, stage.state, &stage.diag));
        expect(&stage, rows[i].what, rows[i].x, rows[i].y, rows[i].expected);
        renderer_destroy(renderer);
    }
    arena_destroy(stage.fixture.arena);
}

/* A different image for every frame, of the frame's size and of another, with and without alpha. */
static void test_changes(void **unused)
{
    (void)unused;
    const RenderOptions options = options_over(1);
    Stage stage;

    set_up(&stage);
    Arena *arena = stage.fixture.arena;
    const Image small = {1, 1, false, (uint8_t[4]){0, 0, 100, 255}};
    const struct {
        const char *what;
        const Image *image;
        uint8_t beside[3], under[3]; /* under the square: 0.5 * (255, 0, 0) + 0.5 * background */
    } rows[] = {
        {"as large as the frame",
         render_fixture_flat(arena, (const uint8_t[4]){0, 200, 0, 255}),
         {0, 200, 0},
         {128, 100, 0}},
        {"alpha 0.2 over white",
         render_fixture_flat(arena, (const uint8_t[4]){0, 0, 200, 51}),
         {204, 204, 244},
         {230, 102, 122}},
        {"smaller", &small, {0, 0, 100}, {128, 0, 50}},
    };
    Renderer *renderer = renderer_create(&stage.fixture.scene, &options, &stage.diag);
    assert_non_null(renderer);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        renderer_set_background(renderer, rows[i].image);
        assert_true(render_frame(&stage.image, renderer, stage.state, &stage.diag));
        expect(&stage, rows[i].what, 3, 3, rows[i].beside);
        expect(&stage, rows[i].what, 32, 32, rows[i].under);
    }
    renderer_destroy(renderer);
    arena_destroy(arena);
}

/* Two squares above each other, seen from above, with shadows that overlap beside them. */
static void set_up_shadows(Stage *stage)
{
    set_up(stage);
    SceneModel *other = render_fixture_add(&stage->fixture, stage->fixture.models[0].pmx, NULL);
    other->placement.scale = 10;
    for (size_t i = 0; i < 2; i++) {
        stage->fixture.models[i].pmx.materials[0].flags = PMX_GROUND_SHADOW | PMX_DOUBLE_SIDED;
        stage->fixture.entries[i].placement.position[1] = 14.0f + 4.0f * (float)i;
    }
    stage->state = render_fixture_rest(&stage->fixture);
    stage->state->camera = (CameraState){.distance = -SIDE / 0.5625f,
                                         .rotation = {-1.2f, 0, 0},
                                         .fov_deg = 30,
                                         .orthographic = true};
    stage->state->light.direction[0] = -1;
}

static void draw_shadows(Stage *stage, Renderer *renderer, float light)
{
    for (int c = 0; c < 3; c++)
        stage->state->light.color[c] = light;
    assert_true(render_frame(&stage->image, renderer, stage->state, &stage->diag));
}

static int count_pixels(const Image *image, const int rgb[3])
{
    int count = 0;

    for (int i = 0; i < SIDE * SIDE; i++) {
        bool same = true;
        for (int c = 0; c < 3; c++)
            same &= abs(image->pixels[4 * i + c] - rgb[c]) <= 1;
        count += same;
    }
    return count;
}

/* On a color, ground shadows are filled without blending; on an image of that color they are
 * blended.  0.7 * (200, 150, 70) + 0.3 * brightness * light, and every pixel is almost the same. */
static void test_ground_shadow(void **unused)
{
    static const uint8_t color[4] = {200, 150, 70, 255};
    static const struct {
        float light;
        int expected[3];
    } rows[] = {{0.6f, {163, 128, 72}}, {0.6f, {163, 128, 72}}, {0, {140, 105, 49}}};
    (void)unused;
    RenderOptions options = options_over(0);
    Stage plain, image;

    options.ground_shadow = true;
    options.ground_brightness = 0.5f;
    options.ground_opacity = 0.3f;
    for (int c = 0; c < 4; c++)
        options.background[c] = (float)color[c] / 255.0f;
    set_up_shadows(&plain);
    set_up_shadows(&image);
    Renderer *filled = renderer_create(&plain.fixture.scene, &options, &plain.diag);
    Renderer *blended = renderer_create(&image.fixture.scene, &options, &image.diag);
    assert_non_null(filled);
    assert_non_null(blended);
    const Image *flat = render_fixture_flat(image.fixture.arena, color);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        renderer_set_background(blended, flat);
        draw_shadows(&plain, filled, rows[i].light);
        draw_shadows(&image, blended, rows[i].light);
        assert_true(count_pixels(&plain.image, rows[i].expected) > 100);
        for (int p = 0; p < 4 * SIDE * SIDE; p++) /* the image is put behind rounded samples */
            assert_in_range(plain.image.pixels[p] - image.image.pixels[p] + 1, 0, 2);
    }
    renderer_destroy(filled);
    renderer_destroy(blended);
    arena_destroy(plain.fixture.arena);
    arena_destroy(image.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_fit), cmocka_unit_test(test_changes),
                                       cmocka_unit_test(test_ground_shadow)};
    return cmocka_run_group_tests_name("render_background", tests, NULL, NULL);
}
