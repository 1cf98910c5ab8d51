// SPDX-License-Identifier: MIT
/*
 * Depth, material, normal and motion of squares in known places: the distance along the view, the
 * direction of each normal and the pixels of each motion are worked out by hand.
 */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "near.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64, PIXELS = SIDE * SIDE };
static const float HALF_TURN_8 = 0.38268343f, HALF_TURN_8_COS = 0.92387953f; /* of 45 degrees */

typedef struct Bench {
    RenderFixture fixture;
    FrameState *state;
    GeometryImage image;
    Diag diag;
} Bench;

static void bench_init(Bench *b)
{
    *b = (Bench){.fixture.arena = arena_create()};
    diag_init(&b->diag, NULL, NULL);
    b->image = (GeometryImage){.depth = arena_array(b->fixture.arena, float, PIXELS),
                               .ids = arena_array(b->fixture.arena, uint32_t, PIXELS),
                               .normals = arena_calloc(b->fixture.arena, PIXELS, 4)};
}

/* A square of 2 x 2 units that faces -z, with this alpha. */
static void add_square(Bench *b, float alpha)
{
    PmxModel m = fixture_quad(b->fixture.arena);

    m.materials[0].texture = PMX_NONE;
    memcpy(m.materials[0].diffuse, ((float[4]){1, 1, 1, alpha}), sizeof m.materials[0].diffuse);
    render_fixture_add(&b->fixture, m, NULL);
}

static Placement *placement(Bench *b, size_t model)
{
    return &b->state->models[model].placement;
}

/* before, after: of motion vectors; or NULL */
static void draw_between(Bench *b, unsigned wanted, const FrameState *before,
                         const FrameState *after)
{
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 2, .background = {1, 1, 1, 1}};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);

    assert_non_null(renderer);
    render_prepare(renderer, b->state);
    if (before)
        render_set_moments(renderer, before, after);
    assert_true(render_geometry(&b->image, renderer, wanted, &b->diag));
    renderer_destroy(renderer);
}

static void draw(Bench *b, unsigned wanted)
{
    draw_between(b, wanted, NULL, NULL);
}

static void expect_pixel(const Bench *b, const char *what, int x, int y, float depth, uint32_t id)
{
    const int i = y * SIDE + x;

    if (fabsf(b->image.depth[i] - depth) > 1e-3f || b->image.ids[i] != id)
        fail_msg("%s at %d,%d: distance %g, id %u, expected %g, %u", what, x, y,
                 (double)b->image.depth[i], b->image.ids[i], (double)depth, id);
}

static void expect_normal(const Bench *b, const char *what, int x, int y, const int expected[3])
{
    const uint8_t *n = b->image.normals[y * SIDE + x];

    for (int c = 0; c < 3; c++)
        if (abs(n[c] - expected[c]) > 1)
            fail_msg("%s at %d,%d: normal %d %d %d, expected %d %d %d", what, x, y, n[0], n[1],
                     n[2], expected[0], expected[1], expected[2]);
}

/* Orthographic, a pixel is a unit: squares of 20 x 20 and 10 x 10 pixels, the eye 64 / 0.5625 away
 * from z = 0.  The square of 10 is 8 units nearer; between it and the other one is one of alpha
 * 0.4, which does not count; a fourth is outside of the view. */
static void test_orthographic(void **unused)
{
    const float eye = SIDE / 0.5625f;
    Bench b;
    (void)unused;

    bench_init(&b);
    add_square(&b, 1);
    add_square(&b, 0.6f);
    add_square(&b, 0.4f);
    add_square(&b, 1);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){.distance = -eye, .fov_deg = 30, .orthographic = true};
    *placement(&b, 0) = (Placement){.scale = 10, .rotation = {0, 0, 0, 1}};
    *placement(&b, 1) = (Placement){.scale = 5, .rotation = {0, 0, 0, 1}, .position = {10, 10, -8}};
    *placement(&b, 2) = (Placement){.scale = 30, .rotation = {0, 0, 0, 1}, .position = {0, 0, -9}};
    *placement(&b, 3) = (Placement){.scale = 1, .rotation = {0, 0, 0, 1}, .position = {0, 500, 0}};
    draw(&b, GEOMETRY_DEPTH | GEOMETRY_ID | GEOMETRY_NORMAL);

    expect_pixel(&b, "nothing", 3, 3, 0, 0);
    expect_pixel(&b, "nothing behind the translucent square", 12, 12, 0, 0);
    expect_pixel(&b, "the large square", 25, 40, eye, 1);
    expect_pixel(&b, "its first pixel", 22, 22, eye, 1);
    expect_pixel(&b, "before it", 21, 22, 0, 0);
    expect_pixel(&b, "the small one before it", 39, 24, eye - 8, 2);
    expect_pixel(&b, "the small one, up and right", 46, 17, eye - 8, 2);
    expect_normal(&b, "towards the eye", 25, 40, (const int[3]){128, 128, 255});
    assert_int_equal(b.image.normals[3 * SIDE + 3][3], 0);
    arena_destroy(b.fixture.arena);
}

/* In perspective the distance is along the view, not to the eye: the same at the edge.  Squares
 * that are turned by 45 degrees: normals (-0.707, 0, -0.707) and (0, 0.707, -0.707) in the world,
 * and one that is seen from behind, whose normal is turned towards the eye. */
static void test_perspective(void **unused)
{
    static const int left[3] = {37, 128, 218}, up[3] = {128, 218, 218}, eye[3] = {128, 128, 255};
    Bench b;
    (void)unused;

    bench_init(&b);
    for (int i = 0; i < 4; i++)
        add_square(&b, 1);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){.distance = -50, .fov_deg = 53.130102f}; /* tan(half) = 0.5 */
    *placement(&b, 0) = (Placement){.scale = 20, .rotation = {0, 0, 0, 1}};
    *placement(&b, 1) = (Placement){
        .scale = 3, .rotation = {0, HALF_TURN_8, 0, HALF_TURN_8_COS}, .position = {-10, 0, -10}};
    *placement(&b, 2) = (Placement){
        .scale = 3, .rotation = {HALF_TURN_8, 0, 0, HALF_TURN_8_COS}, .position = {0, 0, -10}};
    *placement(&b, 3) = (Placement){.scale = 3, .rotation = {0, 1, 0, 0}, .position = {10, 0, -10}};
    draw(&b, GEOMETRY_DEPTH | GEOMETRY_ID | GEOMETRY_NORMAL);

    /* at distance 50 the image is 50 units wide, 1.28 pixels a unit; at 40, 1.6 */
    expect_pixel(&b, "the corner", 7, 7, 50, 1);
    expect_pixel(&b, "behind the right one", 48, 40, 50, 1);
    expect_pixel(&b, "from behind", 48, 32, 40, 4);
    expect_normal(&b, "from behind", 48, 32, eye);
    expect_normal(&b, "turned about y", 16, 32, left);
    expect_normal(&b, "turned about x", 32, 32, up);
    arena_destroy(b.fixture.arena);
}

/* Values that are not wanted are not written. */
static void test_wanted(void **unused)
{
    Bench b;
    (void)unused;

    bench_init(&b);
    add_square(&b, 1);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){.distance = -50, .fov_deg = 30};
    b.image.depth = NULL;
    b.image.normals = NULL;
    draw(&b, GEOMETRY_ID);
    assert_int_equal(b.image.ids[32 * SIDE + 32], 1);
    assert_int_equal(b.image.ids[0], 0);
    arena_destroy(b.fixture.arena);
}

/* Every value alone is the same, byte by byte, as drawn together with all others; each image is
 * written as a whole, and a second frame has no trace of the first one. */
static void test_each_alone(void **unused)
{
    static const size_t bytes[] = {4, 4, 4, 8, 16}; /* of a pixel, by bit */
    enum { VALUES = 5, ALL = (1 << VALUES) - 1 };
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 2, .background = {1, 1, 1, 1}};
    uint8_t *images[2][VALUES];
    Bench b;
    (void)unused;

    bench_init(&b);
    add_square(&b, 1);
    add_square(&b, 0.6f);
    for (int i = 0; i < VALUES; i++)
        for (int k = 0; k < 2; k++) {
            images[k][i] = arena_calloc(b.fixture.arena, PIXELS, bytes[i]);
            memset(images[k][i], 0x5a, PIXELS * bytes[i]);
        }
    FrameState *before = render_fixture_rest(&b.fixture);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = before->camera = (CameraState){.distance = -50, .fov_deg = 53.130102f};
    for (int bit = 0; bit <= VALUES; bit++) { /* the last time all */
        Renderer *renderer = renderer_create(&b.fixture.scene, &options, &b.diag);
        const unsigned wanted = bit < VALUES ? 1u << bit : ALL;
        uint8_t **out = images[bit == VALUES];
        GeometryImage image = {.depth = (void *)out[0],
                               .ids = (void *)out[1],
                               .normals = (void *)out[2],
                               .world_normals = (void *)out[3],
                               .motion = (void *)out[4]};

        for (int frame = 0; frame < 2; frame++) {
            *placement(&b, 0) = (Placement){
                .scale = 5, .rotation = {0, 0, 0, 1}, .position = {frame ? 9.3f : -20, 1, 0}};
            *placement(&b, 1) = (Placement){.scale = 7,
                                            .rotation = {HALF_TURN_8, 0, 0, HALF_TURN_8_COS},
                                            .position = {frame ? 4 : -20, 0, 0}};
            render_prepare(renderer, b.state);
            render_set_moments(renderer, before, b.state);
            assert_true(render_geometry(&image, renderer, wanted, &b.diag));
        }
        renderer_destroy(renderer);
    }
    for (int i = 0; i < VALUES; i++)
        assert_memory_equal(images[0][i], images[1][i], PIXELS * bytes[i]);
    const uint32_t *ids = (const uint32_t *)(const void *)images[0][1];
    assert_int_equal(ids[32 * SIDE + 48], 1);
    assert_int_equal(ids[32 * SIDE + 32], 2);
    for (int y = 0; y < SIDE; y++) /* where the squares were first */
        assert_int_equal(ids[y * SIDE + 8], 0);
    arena_destroy(b.fixture.arena);
}

/* Positive halves from 2^-14 on. */
static float half_value(uint16_t half)
{
    const float size = ldexpf((float)(half & 1023) + 1024, (half >> 10 & 31) - 25);

    return half & 0x8000 ? -size : size;
}

/* The squares of test_perspective that are turned; the camera looks along +x, so that its right is
 * -z: the normal does not depend on it. */
static void test_world_normals(void **unused)
{
    static const float expected[3] = {0, 0.70710678f, -0.70710678f};
    Bench b;
    (void)unused;

    bench_init(&b);
    b.image.world_normals = arena_calloc(b.fixture.arena, PIXELS, 8);
    add_square(&b, 1);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera =
        (CameraState){.distance = -50, .fov_deg = 53.130102f, .rotation = {0, 0.5f, 0}};
    *placement(&b, 0) = (Placement){.scale = 3, .rotation = {HALF_TURN_8, 0, 0, HALF_TURN_8_COS}};
    draw(&b, GEOMETRY_WORLD_NORMAL);
    for (int c = 0; c < 3; c++) {
        const float n = half_value(b.image.world_normals[32 * SIDE + 32][c]);
        if (fabsf(n - expected[c]) > 2e-3f && fabsf(expected[c]) > 0)
            fail_msg("component %d: %g, expected %g", c, (double)n, (double)expected[c]);
    }
    assert_int_equal(b.image.world_normals[0][3], 0);
    arena_destroy(b.fixture.arena);
}

static void expect_motion(const Bench *b, const char *what, int x, int y, const float expected[4])
{
    const float *v = b->image.motion[y * SIDE + x];

    for (int c = 0; c < 4; c++)
        if (fabsf(v[c] - expected[c]) > 1e-3f)
            fail_msg("%s: component %d is %g, expected %g", what, c, (double)v[c],
                     (double)expected[c]);
}

/* At distance 50 a unit has 1.28 pixels.  The first square was 4 units left and 2 below, and will
 * be 5 units farther away: its point at x pixels from the middle will be at x 50 / 55.  The second
 * one stays, the third was hidden, the camera does not move. */
static void test_motion(void **unused)
{
    Bench b;
    (void)unused;

    bench_init(&b);
    b.image.motion = arena_calloc(b.fixture.arena, PIXELS, 16);
    for (int i = 0; i < 3; i++)
        add_square(&b, 1);
    FrameState *moments[3];
    for (int i = 0; i < 3; i++) {
        b.state = moments[i] = render_fixture_rest(&b.fixture);
        b.state->camera = (CameraState){.distance = -50, .fov_deg = 53.130102f};
        *placement(&b, 0) = (Placement){.scale = 5, .rotation = {0, 0, 0, 1}};
        *placement(&b, 1) =
            (Placement){.scale = 3, .rotation = {0, 0, 0, 1}, .position = {15, 15, 0}};
        *placement(&b, 2) =
            (Placement){.scale = 3, .rotation = {0, 0, 0, 1}, .position = {-15, 15, 0}};
    }
    moments[0]->models[0].placement.position[0] = -4;
    moments[0]->models[0].placement.position[1] = -2;
    moments[0]->models[2].visible = false;
    moments[2]->models[0].placement.position[2] = 5;
    moments[2]->models[2].placement.position[0] = -14;
    b.state = moments[1];
    draw_between(&b, GEOMETRY_MOTION, moments[0], moments[2]);

    const float x = 36.5f - 32, y = 32 - 29.5f, shrunk = 1 - 50.0f / 55;
    expect_motion(&b, "moves", 36, 29,
                  (const float[4]){-4 * 1.28f, -2 * 1.28f, x * shrunk, y * shrunk});
    expect_motion(&b, "stays", 51, 12, (const float[4]){0, 0, 0, 0});
    expect_motion(&b, "was hidden", 12, 12, (const float[4]){0, 0, -1.28f, 0});
    expect_motion(&b, "nothing", 2, 2, (const float[4]){0, 0, 0, 0});
    for (int c = 0; c < 4; c++) /* without any rounding */
        assert_true(b.image.motion[12 * SIDE + 51][c] == 0);
    arena_destroy(b.fixture.arena);
}

/* A square whose left edge is in the middle of the pixels of column 32, and whose upper one is at
 * 3/4 of row 20: of 4 x 4 samples half of the columns, and one row of four. */
static void test_labels(void **unused)
{
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {1, 1, 1, 1}};
    Bench b;
    (void)unused;

    bench_init(&b);
    add_square(&b, 1);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){
        .distance = -SIDE / 0.5625f, .fov_deg = 30, .orthographic = true}; /* a unit a pixel */
    *placement(&b, 0) =
        (Placement){.scale = 8, .rotation = {0, 0, 0, 1}, .position = {8.5f, 32 - 20.75f - 8, 0}};
    ImageRect part;
    uint8_t(*labels)[16] = arena_calloc(b.fixture.arena, PIXELS, sizeof *labels);
    Renderer *renderer = renderer_create(&b.fixture.scene, &options, &b.diag);
    render_prepare(renderer, b.state);
    assert_true(render_labels(labels[0], &part, renderer, 4, 1, &b.diag));
    renderer_destroy(renderer);
    for (int i = 0; i < 16; i++) {
        assert_int_equal(labels[30 * SIDE + 32][i], i % 4 >= 2);
        assert_int_equal(labels[20 * SIDE + 40][i], i / 4 >= 3);
        assert_int_equal(labels[20 * SIDE + 32][i], i / 4 >= 3 && i % 4 >= 2);
        assert_int_equal(labels[30 * SIDE + 40][i], 1);
        assert_int_equal(labels[30 * SIDE + 31][i], 0);
    }
    arena_destroy(b.fixture.arena);
}

/* How many of the 16 samples of a pixel in the middle have the label. */
static int count_labels(const uint8_t (*labels)[16], uint8_t label)
{
    int count = 0;

    for (int i = 0; i < 16; i++)
        count += labels[32 * SIDE + 32][i] == label;
    return count;
}

/* Squares behind each other that are half, a quarter, hardly and fully opaque: each has its part of
 * the samples that those in front leave. */
static void test_translucent_labels(void **unused)
{
    static const float alphas[] = {0.5f, 0.25f, 0.01f, 1.0f};
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {1, 1, 1, 1}};
    Bench b;
    (void)unused;

    bench_init(&b);
    for (size_t i = 0; i < 4; i++)
        add_square(&b, alphas[i]);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera = (CameraState){.distance = -10, .fov_deg = 30};
    for (size_t i = 0; i < 4; i++)
        *placement(&b, i) =
            (Placement){.scale = 8, .rotation = {0, 0, 0, 1}, .position = {0, 0, (float)i}};
    ImageRect part;
    uint8_t(*labels)[16] = arena_calloc(b.fixture.arena, PIXELS, sizeof *labels);
    Renderer *renderer = renderer_create(&b.fixture.scene, &options, &b.diag);
    render_prepare(renderer, b.state);
    assert_true(render_labels(labels[0], &part, renderer, 4, 1, &b.diag));
    renderer_destroy(renderer);
    assert_int_equal(count_labels(labels, 1), 8);
    assert_in_range(count_labels(labels, 2), 1, 3);
    assert_int_equal(count_labels(labels, 3), 0);
    assert_int_equal(count_labels(labels, 4), 8 - count_labels(labels, 2));
    arena_destroy(b.fixture.arena);
}

/* A square whose last material, of 300, has its faces: numbers of more than one byte. */
static void test_many_labels(void **unused)
{
    enum { MATERIALS = 300 };
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {1, 1, 1, 1}};
    Bench b;
    (void)unused;

    bench_init(&b);
    PmxModel m = fixture_quad(b.fixture.arena);
    PmxMaterial *materials = arena_array(b.fixture.arena, PmxMaterial, MATERIALS);
    for (int i = 0; i < MATERIALS; i++) {
        materials[i] = m.materials[0];
        materials[i].texture = PMX_NONE;
        materials[i].index_count = i == MATERIALS - 1 ? 6 : 0;
    }
    m.materials = materials;
    m.material_count = MATERIALS;
    render_fixture_add(&b.fixture, m, NULL);
    b.state = render_fixture_rest(&b.fixture);
    b.state->camera =
        (CameraState){.distance = -SIDE / 0.5625f, .fov_deg = 30, .orthographic = true};
    *placement(&b, 0) = (Placement){.scale = 8, .rotation = {0, 0, 0, 1}};
    assert_int_equal(geometry_label_size(255), 1);
    assert_int_equal(geometry_label_size(256), 2);
    uint16_t(*labels)[9] = arena_calloc(b.fixture.arena, PIXELS, sizeof *labels);
    memset(labels, 255, PIXELS * sizeof *labels);
    ImageRect part;
    Renderer *renderer = renderer_create(&b.fixture.scene, &options, &b.diag);
    render_prepare(renderer, b.state);
    assert_true(render_labels(labels, &part, renderer, 3, 2, &b.diag));
    renderer_destroy(renderer);
    for (int i = 0; i < PIXELS; i++)
        for (int k = 0; k < 9; k++) {
            const int x = i % SIDE, y = i / SIDE;
            const bool inside = x >= 24 && x < 40 && y >= 24 && y < 40;
            const bool set = x >= part.left && x < part.right && y >= part.top && y < part.bottom;
            assert_true(set || !inside);
            assert_int_equal(labels[i][k], inside ? MATERIALS : set ? 0 : UINT16_MAX);
        }
    assert_true(part.right - part.left < 32 && part.bottom - part.top < 32);
    arena_destroy(b.fixture.arena);
}

/* Distances of the picture: a square 40 units away on the left, and one on the right that is seen
 * from behind and culled, of which only the outline is drawn, 50 units away: the picture shows it,
 * render_geometry does not. */
static void test_distances(void **unused)
{
    static const struct {
        int samples, supersample;
    } rows[] = {{1, 1}, {1, 2}, {4, 1}};
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const RenderOptions options = {.width = SIDE,
                                       .height = SIDE,
                                       .samples = rows[i].samples,
                                       .supersample = rows[i].supersample,
                                       .edges = true};
        Bench b;
        bench_init(&b);
        add_square(&b, 1);
        PmxModel m = fixture_quad(b.fixture.arena);
        m.materials[0].texture = PMX_NONE;
        m.materials[0].flags = PMX_EDGE;
        m.materials[0].edge_size = 0.01f;
        memcpy(m.materials[0].edge_color, ((float[4]){0, 0, 0, 1}), sizeof(float[4]));
        render_fixture_add(&b.fixture, m, NULL);
        b.state = render_fixture_rest(&b.fixture);
        b.state->camera = (CameraState){.distance = -50, .fov_deg = 53.130102f};
        *placement(&b, 0) =
            (Placement){.scale = 5, .rotation = {0, 0, 0, 1}, .position = {-10, 0, -10}};
        *placement(&b, 1) =
            (Placement){.scale = 5, .rotation = {0, 1, 0, 0}, .position = {12.5f, 0, 0}};
        Renderer *renderer = renderer_create(&b.fixture.scene, &options, &b.diag);
        Image image = {.pixels = arena_calloc(b.fixture.arena, PIXELS, 4)};
        assert_true(render_frame(&image, renderer, b.state, &b.diag));
        assert_true(render_distances(b.image.depth, renderer, &b.diag));
        expect_pixel(&b, "the square", 16, 32, 40, 0);
        expect_pixel(&b, "its last column", 23, 32, 40, 0);
        expect_pixel(&b, "beside it", 24, 32, 0, 0);
        assert_near((double)b.image.depth[32 * SIDE + 48], 50, 0.1);
        assert_true(render_geometry(&b.image, renderer, GEOMETRY_DEPTH, &b.diag));
        expect_pixel(&b, "no surface", 48, 32, 0, 0);
        renderer_destroy(renderer);
        arena_destroy(b.fixture.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orthographic),  cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_wanted),        cmocka_unit_test(test_each_alone),
        cmocka_unit_test(test_world_normals), cmocka_unit_test(test_motion),
        cmocka_unit_test(test_labels),        cmocka_unit_test(test_translucent_labels),
        cmocka_unit_test(test_many_labels),   cmocka_unit_test(test_distances),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
