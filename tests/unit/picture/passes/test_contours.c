// SPDX-License-Identifier: MIT
/*
 * Contours, by hand: steps of depth and creases of surfaces without outlines, and the pass of lines
 * of a model without outlines.
 */

#include <string.h>

#include "model_fixture.h"
#include "picture/passes/contours.h"
#include "picture/passes/pass_painter.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 32, PIXELS = SIDE * SIDE };
enum { BARE = 1, OUTLINED = 2, IDS };

typedef struct Bench {
    float depth[PIXELS];
    uint32_t ids[PIXELS];
    uint8_t normals[PIXELS][4], image[PIXELS][4], mask[PIXELS];
} Bench;

static const uint8_t TO_EYE[3] = {128, 128, 255}, TO_RIGHT[3] = {255, 128, 128};

/* The left half of the image, up to column 15, or the right one. */
static void set_half(Bench *b, bool right, uint32_t id, float depth, const uint8_t normal[3])
{
    for (int i = 0; i < PIXELS; i++)
        if ((i % SIDE >= SIDE / 2) == right) {
            b->ids[i] = id;
            b->depth[i] = id ? depth : 0;
            memcpy(b->normals[i], normal, 3);
        }
}

/* A perspective view 8 units high at the distance 10, so that a pixel is 0.25 units there. */
static void draw(Bench *b)
{
    static const bool bare[IDS] = {[BARE] = true};
    const GeometryImage g = {.depth = b->depth, .ids = b->ids, .normals = b->normals};
    const View view = {.half_extent = {0.4f, 0.4f}, .reversed_depth = true};

    memset(b->image, 255, sizeof b->image);
    contours_draw(b->image, b->mask, SIDE, SIDE, &g, bare, &view);
}

/* The columns 14 to 17 of a row in the middle. */
static void expect(const Bench *b, const char *what, const int expected[4])
{
    for (int x = 14; x < 18; x++)
        if (b->image[16 * SIDE + x][1] != expected[x - 14])
            fail_msg("%s: column %d is %d, expected %d", what, x, b->image[16 * SIDE + x][1],
                     expected[x - 14]);
}

/* A line is black on the farther side, and a third of it, 170 of 255 remain, beside it. */
static void test_steps(void **state)
{
    static const struct {
        const char *what;
        uint32_t left, right;
        float right_depth;
        int expected[4];
    } rows[] = {
        {"nothing behind it", BARE, 0, 0, {255, 170, 0, 170}},
        {"nothing before it", 0, BARE, 10, {170, 0, 170, 255}},
        {"a surface 5 behind it", BARE, BARE, 15, {255, 170, 0, 170}},
        {"another model 5 behind it", BARE, OUTLINED, 15, {255, 170, 0, 170}},
        {"another model 5 in front of it", BARE, OUTLINED, 5, {255, 255, 255, 255}},
        {"models with outlines", OUTLINED, OUTLINED, 15, {255, 255, 255, 255}},
        {"a step of two pixels", BARE, BARE, 10.5f, {255, 255, 255, 255}},
    };
    static Bench b;
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        set_half(&b, false, rows[i].left, 10, TO_EYE);
        set_half(&b, true, rows[i].right, rows[i].right_depth, TO_EYE);
        draw(&b);
        expect(&b, rows[i].what, rows[i].expected);
    }
}

/* A plane has no lines, however steep it is: 1 / z is linear in the image. */
static void test_plane(void **state)
{
    static Bench b;
    (void)state;

    set_half(&b, false, BARE, 10, TO_EYE);
    set_half(&b, true, BARE, 10, TO_EYE);
    for (int i = 0; i < PIXELS; i++)
        b.depth[i] = 1 / (0.02f + 0.01f * (float)(i % SIDE));
    draw(&b);
    for (int i = 0; i < PIXELS; i++)
        assert_int_equal(b.image[i][0], 255);
}

static void test_crease(void **state)
{
    static Bench b;
    (void)state;

    set_half(&b, false, BARE, 10, TO_EYE);
    set_half(&b, true, BARE, 10, TO_RIGHT);
    draw(&b);
    expect(&b, "a right angle", (const int[]){255, 170, 0, 170});
    set_half(&b, true, OUTLINED, 10, TO_RIGHT);
    draw(&b);
    expect(&b, "between two models", (const int[]){255, 255, 255, 255});
}

/* A seam that is one pixel wide is a line; where it is met in single pixels only, there are no
 * dots.
 */
static void test_thin_seam(void **state)
{
    static Bench b;
    (void)state;

    for (int part = 0; part < 2; part++) {
        set_half(&b, false, BARE, 10, TO_EYE);
        set_half(&b, true, BARE, 10, TO_EYE);
        for (int y = 0; y < SIDE; y += part ? 3 : 1)
            memcpy(b.normals[y * SIDE + 15], TO_RIGHT, 3);
        draw(&b);
        expect(&b, part ? "single pixels" : "a seam",
               part ? (const int[]){255, 255, 255, 255} : (const int[]){170, 0, 0, 170});
    }
}

/* Black pixels of the pass of lines of a square, which covers half of the height.  flags: of its
 * two triangles. */
static int count_lines(uint8_t first, uint8_t second, bool stage)
{
    RenderFixture fixture = {.arena = arena_create()};
    const RenderOptions options = {.width = SIDE, .height = SIDE, .samples = 1, .supersample = 1};
    const Pass line = PASS_LINE;
    uint8_t pixels[PIXELS][4];
    Image image = {.width = SIDE, .height = SIDE, .pixels = pixels[0]};
    Diag diag = diag_quiet();
    PmxModel pmx = fixture_quad(fixture.arena);
    int count = 0;

    PmxMaterial *materials = arena_array(fixture.arena, PmxMaterial, 2);
    for (uint32_t i = 0; i < 2; i++) {
        materials[i] = pmx.materials[0];
        materials[i].texture = PMX_NONE;
        materials[i].flags = (uint8_t)(PMX_DOUBLE_SIDED | (i ? second : first));
        materials[i].edge_size = 1;
        materials[i].first_index = 3 * i;
        materials[i].index_count = 3;
    }
    pmx.materials = materials;
    pmx.material_count = 2;
    render_fixture_add(&fixture, pmx, NULL)->spec.stage = stage;
    model_prepare(&fixture.models[0], fixture.arena, &diag);
    FrameState *state = render_fixture_rest(&fixture);
    state->camera = (CameraState){.distance = -4, .fov_deg = 53.130102f};
    Renderer *renderer = renderer_create(&fixture.scene, &options, &diag);
    assert_non_null(renderer);
    PassPainter *painter = pass_painter_create(&(PassSettings){0}, &fixture.scene, (PassLabels){0},
                                               &line, 1, SIDE, SIDE, fixture.arena);
    render_prepare(renderer, state);
    assert_true(pass_painter_begin(painter, renderer, state, &diag));
    assert_true(pass_painter_paint(&image, painter, renderer, PASS_LINE, &diag));
    for (int i = 0; i < PIXELS; i++)
        count += pixels[i][0] == 0;
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
    return count;
}

static void test_pass(void **state)
{
    (void)state;
    /* Beside the sides of a square of 16 x 16 pixels; the ends of a line are grey. */
    assert_int_equal(count_lines(0, 0, false), 4 * 14);
    assert_int_equal(count_lines(0, 0, true), 0);
    assert_int_equal(count_lines(PMX_EDGE, 0, false), 4 * 14); /* outlines of a small part only */
    /* Outlines, which the options do not draw. */
    assert_int_equal(count_lines(PMX_EDGE, PMX_EDGE, false), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_steps),  cmocka_unit_test(test_plane),
        cmocka_unit_test(test_crease), cmocka_unit_test(test_thin_seam),
        cmocka_unit_test(test_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
