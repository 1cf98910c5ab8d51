// SPDX-License-Identifier: MIT
/* Self-shadows (render/README.md 8): darkness of pixels, worked out by hand, and laws. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };
static const float PI = 3.14159265f;

/* Orthographic, 64 units high: one unit is one pixel.  From behind the wall, against the light: +x
 * is left.  So only the wall is visible, whatever is in front of it. */
static const CameraState FROM_BEHIND = {.rotation = {0, 3.14159265f, 0},
                                        .distance = -SIDE / 0.5625f,
                                        .fov_deg = 30,
                                        .orthographic = true};
static const CameraState FROM_FRONT = {
    .distance = -SIDE / 0.5625f, .fov_deg = 30, .orthographic = true};
static const RenderOptions PLAIN = {.width = SIDE,
                                    .height = SIDE,
                                    .samples = 1,
                                    .supersample = 1,
                                    .background = {0, 0, 0, 1},
                                    .shadow_map = 512};

typedef struct Stage {
    RenderFixture fixture;
    FrameState *state;
    Renderer *renderer; /* created by the first `draw` */
    Image image;
    Diag diag;
} Stage;

/* A square of white ambient light, +-size, at z; toon01. */
static SceneModel *add_square(Stage *stage, float size, float z, unsigned flags)
{
    PmxModel m = fixture_quad(stage->fixture.arena);

    for (uint32_t i = 0; i < m.vertex_count; i++) {
        m.vertices[i].position[0] *= size;
        m.vertices[i].position[1] *= size;
        m.vertices[i].position[2] = z;
    }
    m.materials[0].texture = PMX_NONE;
    m.materials[0].shared_toon = true;
    m.materials[0].toon = 0;
    m.materials[0].flags = (uint8_t)flags;
    for (int c = 0; c < 3; c++) {
        m.materials[0].diffuse[c] = 0;
        m.materials[0].ambient[c] = 1;
    }
    return render_fixture_add(&stage->fixture, m, NULL);
}

static PmxModel *model_of(Stage *stage, size_t number)
{
    return &stage->fixture.models[number].pmx;
}

static void set_up(Stage *stage)
{
    *stage = (Stage){.fixture.arena = arena_create()};
    stage->image.pixels = arena_array(stage->fixture.arena, uint8_t, 4 * SIDE * SIDE);
    diag_init(&stage->diag, NULL, NULL);
}

static void tear_down(Stage *stage)
{
    renderer_destroy(stage->renderer);
    arena_destroy(stage->fixture.arena);
}

static void rest(Stage *stage)
{
    stage->state = render_fixture_rest(&stage->fixture);
    stage->state->camera = FROM_BEHIND;
    stage->state->light = (LightState){{0.6f, 0.6f, 0.6f}, {0, 0, 1}};
}

static void draw(Stage *stage, const RenderOptions *options)
{
    if (stage->renderer == NULL)
        stage->renderer = renderer_create(&stage->fixture.scene, options, &stage->diag);
    assert_non_null(stage->renderer);
    assert_true(render_frame(&stage->image, stage->renderer, stage->state, &stage->diag));
}

static int grey(const Stage *stage, int x, int y)
{
    return stage->image.pixels[4 * (y * SIDE + x)];
}

static void expect(const Stage *stage, const char *what, int x, int y, int wanted, int slack)
{
    if (abs(grey(stage, x, y) - wanted) > slack)
        fail_msg("%s at %d,%d: %d, expected %d", what, x, y, grey(stage, x, y), wanted);
}

/* ---- strength ---- */

/* Shadow is (depth * 0.15 D * 1500 - 0.3), for D = 0.01125: depth * 2.53125 - 0.3; toon01's last
 * row is cd = 205.  Mode 2: depth * 6.75 - 0.3. */
static const struct {
    const char *what;
    unsigned wall, caster; /* flags */
    float before;          /* distance of the caster from the wall */
    float alpha;
    int texture_alpha; /* 0: no texture */
    int mode;
    float distance;
    float normal_z; /* of the wall; 0: -1 */
    int toon;
    int expected;
} ROWS[] = {
#define ALL PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED, PMX_CAST_SHADOW | PMX_DOUBLE_SIDED
#define D 0.01125f
    {"full shadow", ALL, 5, 1, 0, 1, D, 0, 0, 205},
    {"0.6 units are enough", ALL, 0.6f, 1, 0, 1, D, 0, 0, 205},
    {"0.316 units: half", ALL, 0.31605f, 1, 0, 1, D, 0, 0, 230},
    {"0.1 units: no shadow yet", ALL, 0.1f, 1, 0, 1, D, 0, 0, 255},
    {"mode 2, 0.1185 units: half", ALL, 0.11852f, 1, 0, 2, D, 0, 0, 230},
    {"mode 2, 0.3 units: full", ALL, 0.3f, 1, 0, 2, D, 0, 0, 205},
    {"twice the distance, half the depth", ALL, 0.15803f, 1, 0, 1, 2 * D, 0, 0, 230},
    {"mode 0: the toon's ramp, lit", ALL, 5, 1, 0, 0, D, 0, 0, 255},
    {"a caster without the flag", PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED,
     PMX_DOUBLE_SIDED | PMX_RECEIVE_SHADOW, 5, 1, 0, 1, D, 0, 0, 255},
    {"a receiver without the flag", PMX_CAST_SHADOW | PMX_DOUBLE_SIDED,
     PMX_CAST_SHADOW | PMX_DOUBLE_SIDED, 5, 1, 0, 1, D, 0, 0, 255},
    {"a faint caster casts", ALL, 5, 0.3f, 0, 1, D, 0, 0, 205},
    {"a caster of alpha 0 does not", ALL, 5, 0, 0, 1, D, 0, 0, 255},
    {"a texture of alpha 120 lets light through", ALL, 5, 1, 120, 1, D, 0, 0, 255},
    {"a texture of alpha 140 does not", ALL, 5, 1, 140, 1, D, 0, 0, 205},
    {"single-sided, its face to the light", PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED, PMX_CAST_SHADOW,
     5, 1, 0, 1, D, 0, 0, 205},
    {"white toon: no shadow to be seen", ALL, 5, 1, 0, 1, D, 0, 6, 255},
    {"toon03's last row", ALL, 5, 1, 0, 1, D, 0, 2, 0x9a},
    /* 3 * 0.2: 255 - 0.4 * 50 */
    {"behind the ridge: N.L = 0.2, no caster", ALL, -5, 1, 0, 1, D, -0.2f, 0, 235},
    {"away from the light", ALL, -5, 1, 0, 1, D, 0.5f, 0, 205},
    {"N.L = 0.4 is fully lit, where the ramp is at its edge", ALL, -5, 1, 0, 1, D, -0.4f, 0, 255},
};

static void add_texture(Stage *stage, size_t number, int alpha)
{
    Arena *arena = stage->fixture.arena;
    const uint8_t rgba[4] = {255, 255, 255, (uint8_t)alpha};
    const Image **list = arena_array(arena, const Image *, 1);

    list[0] = render_fixture_flat(arena, rgba);
    stage->fixture.models[number].textures = list;
    model_of(stage, number)->materials[0].texture = 0;
}

static void test_darkness(void **unused)
{
    (void)unused;

    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        Stage stage;

        set_up(&stage);
        add_square(&stage, 30, 0, ROWS[i].wall);
        add_square(&stage, 5, -ROWS[i].before, ROWS[i].caster);
        model_of(&stage, 0)->materials[0].toon = ROWS[i].toon;
        for (uint32_t v = 0; v < 4 && ROWS[i].normal_z != 0.0f; v++) {
            float *n = model_of(&stage, 0)->vertices[v].normal;

            n[2] = ROWS[i].normal_z;
            n[0] = sqrtf(1 - n[2] * n[2]);
        }
        if (ROWS[i].texture_alpha > 0)
            add_texture(&stage, 1, ROWS[i].texture_alpha);
        model_of(&stage, 1)->materials[0].diffuse[3] = ROWS[i].alpha;
        rest(&stage);
        stage.state->shadow = (ShadowState){(uint8_t)ROWS[i].mode, ROWS[i].distance};
        if (ROWS[i].before < 0) /* not in front of the camera either */
            stage.state->models[1].visible = false;
        draw(&stage, &PLAIN);
        expect(&stage, ROWS[i].what, 32, 32, ROWS[i].expected, 2);
        if (ROWS[i].normal_z == 0.0f)
            expect(&stage, "beside the shadow", 10, 32, 255, 0);
        tear_down(&stage);
    }
}

/* Light from the left front at 45 degrees: the shadow is shifted 5 units to the right.  N.H is cos
 * 22.5 degrees: 0.9239^5 * 0.5 * 0.6 * 255 = 51 is added to 102; in shadow only 102 * cd / ff = 82
 * remains. */
static void test_highlight(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 30, 0, PMX_RECEIVE_SHADOW);
    add_square(&stage, 5, -5, PMX_CAST_SHADOW);
    PmxMaterial *m = &model_of(&stage, 0)->materials[0];
    for (int c = 0; c < 3; c++) {
        m->ambient[c] = 0.4f;
        m->specular[c] = 0.5f;
    }
    m->specular_power = 5;
    rest(&stage);
    stage.state->camera = FROM_FRONT;
    stage.state->light.direction[0] = 1;
    draw(&stage, &PLAIN);
    expect(&stage, "in shadow no highlight", 39, 32, 82, 1);
    expect(&stage, "in the light", 44, 32, 153,
           8); /* half vectors are interpolated between the vertices */
    expect(&stage, "left of the caster", 24, 32, 153, 8);
    tear_down(&stage);
}

/* ---- position ---- */

static int dark_pixels(const Stage *stage)
{
    int count = 0;

    for (int i = 0; i < SIDE * SIDE; i++)
        count += stage->image.pixels[4 * i] < 230 && stage->image.pixels[4 * i] > 0;
    return count;
}

static void test_position(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 30, 0, PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED);
    SceneModel *caster = add_square(&stage, 5, -5, PMX_CAST_SHADOW);
    caster->placement.position[0] = 12;
    caster->placement.position[1] = 5;
    caster->placement.scale = 2; /* and z is -10 */
    rest(&stage);
    draw(&stage, &PLAIN);
    /* x from 2 to 22 (mirrored: columns 10..29), y from -5 to 15 (rows 17..36) */
    expect(&stage, "upper left", 10, 17, 205, 1);
    expect(&stage, "lower right", 29, 36, 205, 1);
    expect(&stage, "left of it", 9, 25, 255, 1);
    expect(&stage, "right of it", 30, 25, 255, 1);
    expect(&stage, "above it", 20, 16, 255, 1);
    expect(&stage, "below it", 20, 37, 255, 1);
    assert_int_equal(dark_pixels(&stage), 400);
    tear_down(&stage);
}

/* As in MMD, a face whose back is towards the light does not cast. */
static void test_back_face(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 30, 0, PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED);
    SceneModel *caster = add_square(&stage, 5, 5, PMX_CAST_SHADOW);
    memcpy(caster->placement.rotation, (float[4]){0, 1, 0, 0},
           sizeof(float[4])); /* rotated halfway: z = -5 */
    rest(&stage);
    draw(&stage, &PLAIN);
    assert_int_equal(dark_pixels(&stage), 0);
    tear_down(&stage);
}

/* Soft edges: symmetric about the sharp edge, and as wide as requested. */
static void test_soft(void **unused)
{
    (void)unused;
    RenderOptions options = PLAIN;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 30, 0, PMX_RECEIVE_SHADOW | PMX_DOUBLE_SIDED);
    add_square(&stage, 10, -5, PMX_CAST_SHADOW);
    rest(&stage);
    options.shadow_soft = 4; /* texels of 2 units: the edge at 10 is on a texel boundary */
    draw(&stage, &options);
    for (int k = 0; k < 6; k++) {
        const int inside = grey(&stage, 22 + k, 32), outside = grey(&stage, 21 - k, 32);

        assert_true(abs(inside + outside - (205 + 255)) <= 6);
        assert_true(inside <= grey(&stage, 21 + k, 32));
        assert_true(k < 4 || (inside == 205 && outside == 255));
        assert_true(k > 0 || (inside > 210 && outside < 250));
    }
    tear_down(&stage);
}

/* ---- laws ---- */

/* A tilted diamond in front of a large wall that also casts, so that the map is limited by MMD's
 * radius around the camera target and has coarse texels. */
static void set_up_crawl(Stage *stage)
{
    set_up(stage);
    add_square(stage, 200, 0, PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW | PMX_DOUBLE_SIDED);
    SceneModel *caster = add_square(stage, 12, -10, PMX_CAST_SHADOW | PMX_DOUBLE_SIDED);
    memcpy(caster->placement.rotation, (float[4]){0, 0, 0.3f, 0.9539392f}, sizeof(float[4]));
    rest(stage);
    stage->state->camera = FROM_FRONT;
    stage->state->light = (LightState){{1, 1, 1}, {0.7f, -0.5f, 0.8f}};
}

/* An orthographic image, including its shadow, does not change as the camera moves along its view;
 * when the camera moves sideways by whole pixels, the image moves by the same amount. */
static void test_no_crawl(void **unused)
{
    static const float moves[][3] = {{0, 0, 0.13f}, {0, 0, 0.5f}, {0, 0, 1.7f}, {0, 0, -2.9f},
                                     {3, 0, 0},     {0, -5, 0},   {7, 4, 0.3f}};
    RenderOptions options = PLAIN;
    uint8_t before[4 * SIDE * SIDE];
    Stage stage;
    (void)unused;

    options.shadow_map = 256;
    for (int soft = 0; soft < 2; soft++) {
        options.shadow_soft = (float)soft;
        set_up_crawl(&stage);
        draw(&stage, &options);
        memcpy(before, stage.image.pixels, sizeof before);
        assert_true(dark_pixels(&stage) > 100);
        for (size_t i = 0; i < sizeof moves / sizeof *moves; i++) {
            const int right = (int)moves[i][0], up = (int)moves[i][1];

            memcpy(stage.state->camera.target, moves[i], sizeof moves[i]);
            draw(&stage, &options);
            for (int y = 10; y < SIDE - 10; y++)
                for (int x = 10; x < SIDE - 10; x++) {
                    const int was = before[4 * ((y - up) * SIDE + x + right)];

                    if (abs(grey(&stage, x, y) - was) > 1)
                        fail_msg("move %zu, soft %d: %d,%d was %d, is %d", i, soft, x, y, was,
                                 grey(&stage, x, y));
                }
        }
        tear_down(&stage);
    }
}

/* A wall that casts on itself is fully lit at every angle at which the light reaches it, with
 * texels up to a third of a unit. */
static void test_no_acne(void **unused)
{
    RenderOptions options = PLAIN;
    (void)unused;

    options.shadow_map = 256;
    for (int soft = 0; soft < 2; soft++) {
        Stage stage;

        set_up(&stage);
        add_square(&stage, 200, 0, PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW);
        rest(&stage);
        stage.state->camera = FROM_FRONT;
        options.shadow_soft = 0.9f * (float)soft;
        for (int degrees = 0; degrees <= 68; degrees += 4) {
            const float slope = tanf((float)degrees * PI / 180);

            stage.state->light.direction[0] = 0.8f * slope;
            stage.state->light.direction[1] = -0.6f * slope;
            draw(&stage, &options);
            for (int i = 0; i < SIDE * SIDE; i++)
                if (stage.image.pixels[4 * i] != 255)
                    fail_msg("%d degrees: %d at pixel %d", degrees, stage.image.pixels[4 * i], i);
        }
        tear_down(&stage);
    }
}

/* A board standing on the wall: its shadow begins at its foot.  Light from the left at 45 degrees;
 * the shadow covers x from 0 to the height of the board, except the first 0.5 / sqrt(2), which is
 * MMD's bias. */
static void test_no_gap(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 30, 0, PMX_RECEIVE_SHADOW | PMX_CAST_SHADOW);
    add_square(&stage, 10, 0, PMX_CAST_SHADOW | PMX_DOUBLE_SIDED);
    for (uint32_t v = 0; v < 4;
         v++) { /* upright on the wall; seen from above it is a line at x = 0 */
        float *p = model_of(&stage, 1)->vertices[v].position;

        p[2] = p[0] < 0 ? -10.0f : 0.0f;
        p[0] = 0;
    }
    rest(&stage);
    stage.state->camera = FROM_FRONT;
    stage.state->light.direction[0] = 1;
    draw(&stage, &PLAIN);
    expect(&stage, "left of the board", 31, 32, 255, 0);
    for (int x = 33; x < 41; x++)
        expect(&stage, "its shadow", x, 32, 205, 1);
    expect(&stage, "beyond it", 43, 32, 255, 1);
    tear_down(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_darkness), cmocka_unit_test(test_highlight),
        cmocka_unit_test(test_position), cmocka_unit_test(test_back_face),
        cmocka_unit_test(test_soft),     cmocka_unit_test(test_no_crawl),
        cmocka_unit_test(test_no_acne),  cmocka_unit_test(test_no_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
