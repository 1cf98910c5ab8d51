// SPDX-License-Identifier: MIT
/* The mirror: reflected points are where geometry puts them, with the chosen opacity. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/mirror.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };

/* The eye at (0, 10, -10) looks down at the origin with a field of view of 90 degrees. */
static CameraState camera(void)
{
    return (CameraState){.rotation = {-0.78539816f, 0, 0}, .distance = -14.142136f, .fov_deg = 90};
}

static void test_view(void **unused)
{
    const CameraState c = camera();
    const LightState light = LIGHT_DEFAULT;
    const View view = view_of(&c, &light, SIDE, SIDE);
    const View mirrored = mirror_view(&view, 2);
    (void)unused;
    assert_true(fabsf(view.axes.eye[1] - 10) < 1e-4f && fabsf(view.axes.eye[2] + 10) < 1e-4f);
    assert_true(fabsf(mirrored.axes.eye[1] + 6) < 1e-4f); /* 2 - (10 - 2) */
    for (int row = 0; row < 4; row++) {                   /* (3, 7, 1) is seen at (3, -3, 1) */
        const float at = mirrored.clip[0][row] * 3 + mirrored.clip[1][row] * 7 +
                         mirrored.clip[2][row] * 1 + mirrored.clip[3][row];
        const float expected = view.clip[0][row] * 3 + view.clip[1][row] * -3 +
                               view.clip[2][row] * 1 + view.clip[3][row];
        assert_true(fabsf(at - expected) < 1e-4f);
    }
    Mirror mirror = {.options = {.strength = 0.5f, .height = 9.9f}};
    assert_true(mirror_is_visible(&mirror, &view));
    mirror.options.height = 10.1f;
    assert_false(mirror_is_visible(&mirror, &view));
    mirror.options = (MirrorOptions){0};
    assert_false(mirror_is_visible(&mirror, &view));
}

typedef struct Bench {
    RenderFixture fixture;
    FrameState *state;
    uint8_t pixels[SIDE * SIDE][4];
    Diag diag;
} Bench;

/* A square of 2 x 2 units that has one color in any light. */
static void add_square(Bench *b, const float color[3])
{
    PmxModel m = fixture_quad(b->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    material->texture = PMX_NONE;
    material->flags = PMX_DOUBLE_SIDED;
    memset(material->diffuse, 0, 3 * sizeof(float));
    material->diffuse[3] = 1;
    memset(material->specular, 0, sizeof material->specular);
    memcpy(material->ambient, color, sizeof material->ambient);
    render_fixture_add(&b->fixture, m, NULL);
}

static void draw(Bench *b, MirrorOptions mirror, int samples, int supersample, bool alpha)
{
    const RenderOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = samples,
                                   .supersample = supersample,
                                   .background = {1, 1, 1, alpha ? 0.0f : 1.0f},
                                   .alpha = alpha,
                                   .mirror = mirror};
    Image image = {.pixels = b->pixels[0]};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);

    assert_non_null(renderer);
    for (int i = 0; i < 2; i++) /* a second frame is equal */
        assert_true(render_frame(&image, renderer, b->state, &b->diag));
    renderer_destroy(renderer);
}

static void expect_pixel(const Bench *b, const char *what, int x, int y, const int expected[4])
{
    const uint8_t *p = b->pixels[y * SIDE + x];

    for (int c = 0; c < 4; c++)
        if (abs(p[c] - expected[c]) > 2)
            fail_msg("%s at %d,%d: %d %d %d %d, expected %d %d %d %d", what, x, y, p[0], p[1], p[2],
                     p[3], expected[0], expected[1], expected[2], expected[3]);
}

/* A square at (0, 3, 0) is reflected at (0, -3, 0): from the eye (0, -13, 10), which is 23 / sqrt 2
 * along the view and -3 / sqrt 2 upwards, so 32 * 3 / 23 = 4.2 rows below the middle, row 36. The
 * square itself is 17 / sqrt 2 along the view, so 32 * 3 / 17 = 5.6 rows above the middle, row 26.
 */
static void test_square(void **unused)
{
    static const int red[4] = {255, 0, 0, 255}, pink[4] = {255, 153, 153, 255},
                     white[4] = {255, 255, 255, 255}, nothing[4] = {0, 0, 0, 0};
    /* Supersampled, with an eighth of the row of samples below the reflection. */
    static const int mixed[4] = {255, 166, 166, 255}, faint[4] = {255, 0, 0, 89};
    const MirrorOptions mirror = {.strength = 0.4f}, none = {0}, low = {0.4f, -50, 0};
    static const int rows[][2] = {{1, 1}, {1, 2}, {4, 1}};
    Bench *b;
    (void)unused;

    Arena *arena = arena_create();
    b = arena_array(arena, Bench, 1);
    b->fixture.arena = arena;
    diag_init(&b->diag, NULL, NULL);
    add_square(b, (const float[3]){1, 0, 0});
    b->state = render_fixture_rest(&b->fixture);
    b->state->camera = camera();
    b->state->models[0].placement =
        (Placement){.scale = 0.7f, .rotation = {0, 0, 0, 1}, .position = {0, 3, 0}};
    for (size_t i = 0; i < 3; i++) {
        draw(b, mirror, rows[i][0], rows[i][1], false);
        expect_pixel(b, "the square", 32, 26, red);
        expect_pixel(b, "its reflection", 32, 36, rows[i][1] > 1 ? mixed : pink);
        expect_pixel(b, "beside it", 45, 36, white);
    }
    draw(b, mirror, 1, 2, true);
    expect_pixel(b, "on nothing", 32, 36, faint);
    expect_pixel(b, "nothing", 45, 36, nothing);
    draw(b, none, 1, 1, false);
    expect_pixel(b, "without a mirror", 32, 36, white);
    draw(b, low, 1, 1, false);
    expect_pixel(b, "far below", 32, 36, white);
    arena_destroy(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view),
        cmocka_unit_test(test_square),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
