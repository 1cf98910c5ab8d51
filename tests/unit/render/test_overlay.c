// SPDX-License-Identifier: MIT
/*
 * Lines and shadows without the picture, by laws: of white surfaces on white, the picture follows
 * from them.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64, BYTES = 4 * SIDE * SIDE };

typedef struct Stage {
    RenderFixture fixture;
    FrameState *state;
    RenderOptions options;
    uint8_t picture[BYTES], overlay[BYTES];
    Diag diag;
} Stage;

static void set_up(Stage *stage)
{
    *stage = (Stage){.fixture.arena = arena_create(),
                     .options = {.width = SIDE,
                                 .height = SIDE,
                                 .samples = 1,
                                 .supersample = 2,
                                 .background = {1, 1, 1, 1}}};
    diag_init(&stage->diag, NULL, NULL);
}

/* Turns the square over, so that only the back of its outline is seen. */
static void turn_over(PmxModel *m, Arena *arena)
{
    uint32_t *indices = arena_array(arena, uint32_t, 6);

    for (uint32_t i = 0; i < 6; i++)
        indices[i] = m->indices[5 - i];
    m->indices = indices;
}

/* A white square of 2 x 2 units around (0, 1), with toon01, whose dark end is 205, and black
 * outlines. */
static PmxModel square_model(Stage *stage, unsigned flags)
{
    PmxModel m = fixture_quad(stage->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    for (uint32_t i = 0; i < m.vertex_count; i++) {
        m.vertices[i].position[1] += 1;
        m.vertices[i].edge_scale = 1;
    }
    if (flags & PMX_EDGE)
        turn_over(&m, stage->fixture.arena);
    material->texture = PMX_NONE;
    material->shared_toon = true;
    material->toon = 0;
    material->flags = (uint8_t)(flags & PMX_EDGE ? flags : flags | PMX_DOUBLE_SIDED);
    material->edge_size = 5;
    for (int c = 0; c < 4; c++) {
        material->edge_color[c] = c == 3;
        material->diffuse[c] = c == 3;
        if (c < 3)
            material->ambient[c] = 1;
    }
    return m;
}

static void add_square(Stage *stage, unsigned flags)
{
    render_fixture_add(&stage->fixture, square_model(stage, flags), NULL);
}

/* Square `model` is `scale` times as large, with its lower edge at y = 0. */
static void place(Stage *stage, size_t model, float scale, float z)
{
    stage->state->models[model].placement =
        (Placement){.scale = scale, .rotation = {0, 0, 0, 1}, .position = {0, 0, z}};
}

static void rest(Stage *stage)
{
    stage->state = render_fixture_rest(&stage->fixture);
    stage->state->camera = (CameraState){.target = {0, 10, 0}, .distance = -60, .fov_deg = 30};
    stage->state->light = (LightState){{0.6f, 0.6f, 0.6f}, {0.7f, -0.4f, 1}};
    stage->state->shadow = (ShadowState){.mode = 1, .distance = 0.01125f};
}

/* The overlay before the picture and after it, which must be the same. */
static void draw(Stage *stage, RenderOverlay overlay)
{
    uint8_t alone[BYTES];
    Image image = {.pixels = alone};
    Renderer *renderer = renderer_create(&stage->fixture.scene, &stage->options, &stage->diag);

    assert_non_null(renderer);
    render_prepare(renderer, stage->state);
    image.width = image.height = SIDE;
    assert_true(render_overlay(&image, renderer, overlay, &stage->diag));
    image.pixels = stage->picture;
    assert_true(render_frame(&image, renderer, stage->state, &stage->diag));
    image.pixels = stage->overlay;
    assert_true(render_overlay(&image, renderer, overlay, &stage->diag));
    assert_memory_equal(stage->overlay, alone, BYTES);
    image.pixels = alone; /* the same picture again, whose colors the overlay has replaced */
    assert_true(render_frame(&image, renderer, stage->state, &stage->diag));
    assert_memory_equal(stage->picture, alone, BYTES);
    renderer_destroy(renderer);
    arena_destroy(stage->fixture.arena);
}

/* picture = dark + (255 - dark) * overlay / 255 everywhere, and at least `count` pixels are black.
 */
static void expect_law(const Stage *stage, int dark, int count)
{
    int black = 0, white = 0;

    for (int i = 0; i < BYTES; i += 4) {
        const int overlay = stage->overlay[i], picture = stage->picture[i];
        const int expected = dark + (255 - dark) * overlay / 255;

        if (abs(picture - expected) > 2)
            fail_msg("pixel %d, %d: picture %d, overlay %d, expected %d", i / 4 % SIDE,
                     i / 4 / SIDE, picture, overlay, expected);
        black += overlay == 0;
        white += overlay == 255;
    }
    if (black < count || white < SIDE * SIDE / 2)
        fail_msg("%d black and %d white pixels", black, white);
}

/* Across an upright outline samples are black or white in whole columns: means of a pixel's own
 * ones are 0, 1/2 or 1, those of outlines are eighths (render/README.md 10). */
static void expect_weights(const Stage *stage)
{
    int eighths = 0;

    for (int x = 0; x < SIDE; x++) {
        const int value = stage->picture[4 * (SIDE / 2 * SIDE + x)];

        eighths += abs(value - 32) < 2 || abs(value - 96) < 2 || abs(value - 159) < 2 ||
                   abs(value - 223) < 2;
    }
    assert_true(eighths >= 2);
}

static void test_lines(void **unused)
{
    static Stage stage;
    (void)unused;

    set_up(&stage);
    stage.options.edges = true;
    add_square(&stage, PMX_EDGE);
    add_square(&stage, PMX_EDGE);
    add_square(&stage, 0);
    rest(&stage);
    place(&stage, 0, 8, 0);
    place(&stage, 1, 5, 5);  /* hidden by the first one */
    place(&stage, 2, 3, -5); /* before it, without outline */
    draw(&stage, RENDER_LINES);
    expect_law(&stage, 0, 20);
    expect_weights(&stage);
}

/* Over white a pixel is brighter than over black by what its alpha leaves of the background: the
 * background does not decide which samples count. Outlines of 0.3 samples are drawn wider, with
 * less alpha. */
static void test_thin_lines(void **unused)
{
    static uint8_t pictures[3][BYTES]; /* over black, over white, over nothing */
    int faint = 0;
    (void)unused;

    for (int i = 0; i < 3; i++) {
        static Stage stage;

        set_up(&stage);
        stage.options.edges = true;
        stage.options.alpha = i == 2;
        for (int c = 0; c < 4; c++)
            stage.options.background[c] = i == 1 || (i == 0 && c == 3);
        add_square(&stage, PMX_EDGE);
        rest(&stage);
        stage.state->models[0].materials[0].edge_size = 0.3f;
        place(&stage, 0, 8, 0);
        draw(&stage, RENDER_LINES);
        memcpy(pictures[i], stage.picture, BYTES);
    }
    for (int i = 0; i < BYTES; i += 4) {
        const int rest = pictures[1][i] - pictures[0][i], alpha = pictures[2][i + 3];

        faint += alpha > 0 && alpha < 255;
        if (abs(rest - (255 - alpha)) > 1)
            fail_msg("pixel %d, %d: %d over black, %d over white, alpha %d", i / 4 % SIDE,
                     i / 4 / SIDE, pictures[0][i], pictures[1][i], alpha);
    }
    assert_true(faint > 20);
}

/* Makes the sides nearly upright, and turns their normals away from the square. */
static void slant(PmxModel *m, float slope)
{
    const float length = sqrtf(1 + slope * slope);

    for (uint32_t i = 0; i < m->vertex_count; i++) {
        PmxVertex *v = &m->vertices[i];
        const float side = v->position[0] > 0 ? 1.0f : -1.0f;

        v->position[0] += slope * v->position[1];
        v->normal[0] = side / length;
        v->normal[1] = -side * slope / length;
        v->normal[2] = 0;
    }
}

/* Nearly upright outlines thinner than a sample have the darkness of such lines in each row of
 * pixels, wherever they are between the columns of samples. */
static void test_steady_lines(void **unused)
{
    const float slope = 0.1f, edge_size = 3;
    static Stage stage;
    PmxModel square;
    (void)unused;

    set_up(&stage);
    stage.options.edges = true;
    for (int i = 0; i < 2; i++) {
        square = square_model(&stage, i == 0 ? PMX_EDGE : 0);
        slant(&square, slope);
        render_fixture_add(&stage.fixture, square, NULL);
    }
    rest(&stage);
    stage.state->models[0].materials[0].edge_size = edge_size;
    place(&stage, 0, 8, 0);
    place(&stage, 1, 8, -0.001f); /* before the hull, without outline */
    draw(&stage, RENDER_LINES);
    /* render/README.md 6; the eye is at (0, 10, -60), the bone at the origin */
    const float width = 0.001f * edge_size * sqrtf(10 * 10 + 60 * 60);
    const float pixel = 2 * 60 * 0.26794919f / SIDE;
    const float expected = 2 * 255 * width / pixel * sqrtf(1 + slope * slope);
    for (int y = 24; y < 44; y++) {
        int sum = 0;

        for (int x = 0; x < SIDE; x++)
            sum += 255 - stage.overlay[4 * (y * SIDE + x)];
        if (fabsf((float)sum - expected) > 0.05f * expected)
            fail_msg("row %d: darkness %d, expected %.1f", y, sum, (double)expected);
    }
}

static void test_self_shadow(void **unused)
{
    static Stage stage;
    (void)unused;

    set_up(&stage);
    stage.options.shadow_map = 512;
    add_square(&stage, PMX_RECEIVE_SHADOW);
    add_square(&stage, PMX_CAST_SHADOW);
    rest(&stage);
    place(&stage, 0, 9, 3);
    place(&stage, 1, 4, -6);
    draw(&stage, RENDER_SHADOWS);
    expect_law(&stage, 205, 20);
}

static void test_ground_shadow(void **unused)
{
    static Stage stage;
    (void)unused;

    set_up(&stage);
    stage.options.ground_shadow = true;
    stage.options.ground_opacity = 0.5f;
    add_square(&stage, PMX_GROUND_SHADOW);
    add_square(&stage, 0);
    rest(&stage);
    stage.state->camera.rotation[0] = 0.5f; /* from above */
    stage.state->shadow.mode = 0;
    place(&stage, 0, 4, 0);
    place(&stage, 1, 2, 3); /* hides a part of the shadow */
    draw(&stage, RENDER_SHADOWS);
    expect_law(&stage, 127, 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),         cmocka_unit_test(test_thin_lines),
        cmocka_unit_test(test_steady_lines),  cmocka_unit_test(test_self_shadow),
        cmocka_unit_test(test_ground_shadow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
