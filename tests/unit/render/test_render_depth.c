// SPDX-License-Identifier: MIT
/*
 * Depth: which of two surfaces is in front, near and far from the eye, and what the near and far
 * planes clip.  Squares face the eye, so the expected colors follow from their distances alone.
 */

#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };

static const float DEGREE = 0.017453293f;

typedef struct Stage {
    RenderFixture fixture;
    FrameState *state;
    Image image;
    Diag diag;
} Stage;

typedef struct Square {
    float size, z; /* half of its width; its plane */
    const uint8_t *color;
} Square;

static const uint8_t RED[3] = {255, 0, 0}, GREEN[3] = {0, 255, 0}, BLUE[3] = {0, 0, 255};

static void set_up(Stage *stage)
{
    *stage = (Stage){.fixture.arena = arena_create()};
    stage->image.pixels = arena_array(stage->fixture.arena, uint8_t, 4 * SIDE * SIDE);
    diag_init(&stage->diag, NULL, NULL);
}

static SceneModel *add(Stage *stage, const Square *square)
{
    PmxModel m = fixture_quad(stage->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    for (uint32_t i = 0; i < m.vertex_count; i++) {
        m.vertices[i].position[0] *= square->size;
        m.vertices[i].position[1] *= square->size;
        m.vertices[i].position[2] = square->z;
    }
    material->texture = material->toon = PMX_NONE;
    material->flags = PMX_DOUBLE_SIDED;
    for (int c = 0; c < 3; c++) {
        material->diffuse[c] = 0;
        material->ambient[c] = (float)square->color[c] / 255.0f;
    }
    return render_fixture_add(&stage->fixture, m, NULL);
}

static void draw(Stage *stage, const CameraState *camera, int samples, bool ground_shadow)
{
    const RenderOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = samples,
                                   .supersample = 1,
                                   .ground_shadow = ground_shadow,
                                   .ground_opacity = 0.5f,
                                   .background = {0, 0, 1, 1}};

    stage->state->camera = *camera;
    Renderer *renderer = renderer_create(&stage->fixture.scene, &options, &stage->diag);
    assert_non_null(renderer);
    assert_true(render_frame(&stage->image, renderer, stage->state, &stage->diag));
    renderer_destroy(renderer);
}

/* Compares columns left..right and rows top..bottom with one color. */
static void expect_area(const Stage *stage, const char *what, const int area[4],
                        const uint8_t wanted[3])
{
    for (int y = area[1]; y <= area[3]; y++)
        for (int x = area[0]; x <= area[2]; x++) {
            const uint8_t *p = stage->image.pixels + 4 * (y * SIDE + x);

            for (int c = 0; c < 3; c++)
                if (abs(p[c] - wanted[c]) > 1)
                    fail_msg("%s at %d,%d: %d %d %d, expected %d %d %d", what, x, y, p[0], p[1],
                             p[2], wanted[0], wanted[1], wanted[2]);
        }
}

static const int EVERYWHERE[4] = {0, 0, SIDE - 1, SIDE - 1};

/* The eye is at (0, 0, -distance) and looks along +z.  Both squares fill the image; the first is
 * drawn first, so that the second, which is behind it, must fail the depth test. */
static void test_order(void **unused)
{
    static const struct {
        const char *what;
        float distance, fov_deg;
        bool orthographic;
        Square front, back;
        const uint8_t *expected;
    } rows[] = {
        {"0.01 apart at 900 units", 900, 3, false, {40, 0, GREEN}, {40, 0.01f, RED}, GREEN},
        {"0.002 apart at 300 units", 300, 12, false, {60, 0, GREEN}, {60, 0.002f, RED}, GREEN},
        {"0.0001 apart at 20 units", 20, 30, false, {20, 0, GREEN}, {20, 1e-4f, RED}, GREEN},
        {"0.001 apart at 0.2 units", 0.2f, 60, false, {1, 0, GREEN}, {1, 1e-3f, RED}, GREEN},
        {"0.02 units from the eye", 0.02f, 90, false, {1, 0, GREEN}, {50, 45, RED}, GREEN},
        {"before the near plane of 0.01", 0.005f, 90, false, {1, 0, GREEN}, {50, 45, RED}, RED},
        {"behind the eye", 10, 30, false, {1, -10.5f, GREEN}, {50, 45, RED}, RED},
        {"a sky of 10000", 45, 30, false, {9e3f, 1e4f, GREEN}, {9e3f, 1e4f, GREEN}, GREEN},
        {"a sky of 50000", 45, 30, false, {5e4f, 5e4f, GREEN}, {9e4f, 6e4f, RED}, GREEN},
        {"a sky of 1000000", 45, 30, false, {9e5f, 9e5f, GREEN}, {9.9e5f, 9.9e5f, RED}, GREEN},
        {"orthographic, 0.0001 apart", 45, 30, true, {20, 0, GREEN}, {20, 1e-4f, RED}, GREEN},
        {"orthographic, 0.01 apart at 900",
         900,
         30,
         true,
         {1e3f, 0, GREEN},
         {1e3f, 1e-2f, RED},
         GREEN},
        {"orthographic, a sky of 1000000",
         45,
         30,
         true,
         {20, 9e5f, GREEN},
         {20, 9.9e5f, RED},
         GREEN},
        {"orthographic, behind the eye", 45, 30, true, {20, -46, GREEN}, {20, 45, RED}, RED},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const CameraState camera = {.distance = -rows[i].distance,
                                    .fov_deg = rows[i].fov_deg,
                                    .orthographic = rows[i].orthographic};
        Stage stage;

        set_up(&stage);
        add(&stage, &rows[i].front);
        add(&stage, &rows[i].back);
        stage.state = render_fixture_rest(&stage.fixture);
        for (int samples = 1; samples <= 4; samples += 3) {
            draw(&stage, &camera, samples, false);
            expect_area(&stage, rows[i].what, EVERYWHERE, rows[i].expected);
        }
        arena_destroy(stage.fixture.arena);
    }
}

/* Two squares 0.02 apart, seen at 60 degrees from their normal: depths change across the image. */
static void test_slanted(void **unused)
{
    static const Square front = {200, 0, GREEN}, back = {200, 0.02f, RED};
    const CameraState camera = {.distance = -900, .fov_deg = 3, .rotation = {0, 60 * DEGREE, 0}};
    Stage stage;
    (void)unused;

    set_up(&stage);
    add(&stage, &front);
    add(&stage, &back);
    stage.state = render_fixture_rest(&stage.fixture);
    draw(&stage, &camera, 1, false);
    expect_area(&stage, "slanted", EVERYWHERE, GREEN);
    arena_destroy(stage.fixture.arena);
}

/*
 * A square of half width 10 at the height 10 casts a shadow straight down on a floor at the height
 * 0.  The eye is above at 45 degrees, so the square hides the floor from z = 0 to z = 20, and the
 * shadow is visible from z = -10 to z = 0.  At the distance D the image shows D tan(fov / 2) = h
 * units above its center, so x is at column 32 + 32 x / h, z at row 32 - 32 z sin(45) / h.  With h
 * = 23.57 the shadow covers columns 18.4 to 45.6 and rows 32 to 41.6.  It halves the floor's green.
 */
static void test_ground_shadow(void **unused)
{
    static const float lying[4] = {0.70710678f, 0, 0, 0.70710678f}; /* +z becomes -y, -z up */
    static const Square floor_square = {60, 0, GREEN}, caster = {10, 0, RED};
    static const int shadow[4] = {19, 33, 44, 40}, left[4] = {2, 20, 12, 60};
    static const uint8_t half_green[3] = {0, 128, 0};
    static const struct {
        const char *what;
        CameraState camera;
    } rows[] = {
        {"at 900 units", {.distance = -900, .fov_deg = 3}},
        {"at 280 units", {.distance = -280, .fov_deg = 9.6225f}},
        {"at 60 units", {.distance = -60, .fov_deg = 42.89f}},
        {"orthographic", {.distance = -2 * 23.57f / 0.5625f, .fov_deg = 30, .orthographic = true}},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        CameraState camera = rows[i].camera;
        Stage stage;

        camera.rotation[0] = -45 * DEGREE;
        set_up(&stage);
        SceneModel *ground = add(&stage, &floor_square), *square = add(&stage, &caster);
        ground->spec.stage = true;
        square->placement.position[1] = 10;
        memcpy(ground->placement.rotation, lying, sizeof lying);
        memcpy(square->placement.rotation, lying, sizeof lying);
        stage.fixture.models[1].pmx.materials[0].flags |= PMX_GROUND_SHADOW;
        stage.state = render_fixture_rest(&stage.fixture);
        memcpy(stage.state->light.direction, ((float[3]){0, -1, 0}), sizeof(float[3]));
        draw(&stage, &camera, 1, true);
        expect_area(&stage, rows[i].what, shadow, half_green);
        expect_area(&stage, rows[i].what, left, GREEN);
        arena_destroy(stage.fixture.arena);
    }
}

/* Three copies of a square, of which the first is a red material and the others are a green one
 * that shows only light: `lit` is the one of them whose normal points to the light. */
static void add_copies(Stage *stage, uint32_t lit)
{
    static const Square red = {20, 0, RED};
    SceneModel *entry = add(stage, &red);
    PmxModel *m = &stage->fixture.models[0].pmx;
    Arena *arena = stage->fixture.arena;
    PmxVertex *vertices = arena_array(arena, PmxVertex, 12);
    uint32_t *indices = arena_array(arena, uint32_t, 18);
    PmxMaterial *materials = arena_array(arena, PmxMaterial, 2);

    for (uint32_t i = 0; i < 12; i++) {
        vertices[i] = m->vertices[i % 4];
        memcpy(vertices[i].normal, ((float[3]){0, 0, i / 4 == lit ? -1 : 1}), sizeof(float[3]));
    }
    for (uint32_t i = 0; i < 18; i++)
        indices[i] = m->indices[i % 6] + i / 6 * 4;
    materials[0] = materials[1] = m->materials[0];
    materials[1].first_index = 6;
    materials[1].index_count = 12;
    memcpy(materials[1].ambient, ((float[3]){0, 0, 0}), sizeof(float[3]));
    memcpy(materials[1].diffuse, ((float[3]){0, 0.5f, 0}), sizeof(float[3]));
    m->vertices = vertices;
    m->vertex_count = 12;
    m->indices = indices;
    m->index_count = 18;
    m->materials = materials;
    m->material_count = 2;
    m->accessory = true;
    entry->spec.stage = true;
    entry->hidden = arena_array(stage->fixture.arena, bool, m->material_count);
}

/* Of the triangles of a stage that have the same depth, the last one in the file is seen. */
static void test_equal_depths(void **unused)
{
    static const uint8_t half_green[3] = {0, 128, 0};
    (void)unused;

    for (uint32_t lit = 1; lit <= 2; lit++)
        for (int orthographic = 0; orthographic <= 1; orthographic++) {
            const CameraState camera = {
                .distance = -20, .fov_deg = 30, .orthographic = orthographic != 0};
            Stage stage;

            set_up(&stage);
            add_copies(&stage, lit);
            stage.state = render_fixture_rest(&stage.fixture);
            memcpy(stage.state->light.direction, ((float[3]){0, 0, 1}), sizeof(float[3]));
            memcpy(stage.state->light.color, ((float[3]){1, 1, 1}), sizeof(float[3]));
            draw(&stage, &camera, 1, false);
            expect_area(&stage, "equal depths", EVERYWHERE, lit == 2 ? GREEN : half_green);
            arena_destroy(stage.fixture.arena);
        }
}

/* Nothing but the background where nothing is drawn. */
static void test_background(void **unused)
{
    static const Square small = {1, 0, RED};
    static const int corner[4] = {0, 0, 5, 5};
    const CameraState camera = {.distance = -900, .fov_deg = 3};
    Stage stage;
    (void)unused;

    set_up(&stage);
    add(&stage, &small);
    stage.state = render_fixture_rest(&stage.fixture);
    draw(&stage, &camera, 1, false);
    expect_area(&stage, "background", corner, BLUE);
    arena_destroy(stage.fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_order), cmocka_unit_test(test_slanted),
                                       cmocka_unit_test(test_ground_shadow),
                                       cmocka_unit_test(test_equal_depths),
                                       cmocka_unit_test(test_background)};
    return cmocka_run_group_tests_name("render_depth", tests, NULL, NULL);
}
