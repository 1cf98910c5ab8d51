/*
 * Depth, material and normal of squares in known places: the distance along the view and the
 * direction of each normal are worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"

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

static void draw(Bench *b, unsigned wanted)
{
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 2, .background = {1, 1, 1, 1}};
    Renderer *renderer = renderer_create(&b->fixture.scene, &options, &b->diag);

    assert_non_null(renderer);
    render_prepare(renderer, b->state);
    assert_true(render_geometry(&b->image, renderer, wanted, &b->diag));
    renderer_destroy(renderer);
    arena_destroy(b->fixture.arena);
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
    draw(&b, GEOMETRY_ALL);

    expect_pixel(&b, "nothing", 3, 3, 0, 0);
    expect_pixel(&b, "nothing behind the translucent square", 12, 12, 0, 0);
    expect_pixel(&b, "the large square", 25, 40, eye, 1);
    expect_pixel(&b, "its first pixel", 22, 22, eye, 1);
    expect_pixel(&b, "before it", 21, 22, 0, 0);
    expect_pixel(&b, "the small one before it", 39, 24, eye - 8, 2);
    expect_pixel(&b, "the small one, up and right", 46, 17, eye - 8, 2);
    expect_normal(&b, "towards the eye", 25, 40, (const int[3]){128, 128, 255});
    assert_int_equal(b.image.normals[3 * SIDE + 3][3], 0);
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
    draw(&b, GEOMETRY_ALL);

    /* at distance 50 the image is 50 units wide, 1.28 pixels a unit; at 40, 1.6 */
    expect_pixel(&b, "the corner", 7, 7, 50, 1);
    expect_pixel(&b, "behind the right one", 48, 40, 50, 1);
    expect_pixel(&b, "from behind", 48, 32, 40, 4);
    expect_normal(&b, "from behind", 48, 32, eye);
    expect_normal(&b, "turned about y", 16, 32, left);
    expect_normal(&b, "turned about x", 32, 32, up);
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
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orthographic),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
