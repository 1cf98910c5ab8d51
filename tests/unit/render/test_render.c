// SPDX-License-Identifier: MIT
/* Passes and images: positions, draw order, blending, outlines, ground shadows, output. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "model_fixture.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 64 };

/* Orthographic, `SIDE` units high: one unit is one pixel; (0, 0) is the center. */
static const CameraState FLAT_CAMERA = {
    .distance = -SIDE / 0.5625f, .fov_deg = 30, .orthographic = true};
static const RenderOptions PLAIN = {
    .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {0, 0, 0, 1}};

typedef struct Stage {
    RenderFixture fixture;
    FrameState *state;
    Image image;
    Diag diag;
} Stage;

static void count_only(void *user, const DiagMessage *message)
{
    snprintf(user, 256, "%s", message->shown);
}

static char last_message[256];

static void set_up(Stage *stage)
{
    *stage = (Stage){.fixture.arena = arena_create()};
    stage->image.pixels = arena_array(stage->fixture.arena, uint8_t, 4 * SIDE * SIDE);
    diag_init(&stage->diag, count_only, last_message);
}

static void tear_down(Stage *stage)
{
    arena_destroy(stage->fixture.arena);
}

/* A square with the corners (-size, -size) and (size, size) in front of everything with a larger z.
 */
static SceneModel *add_square(Stage *stage, float size, float z, const float rgba[4])
{
    PmxModel m = fixture_quad(stage->fixture.arena);

    for (uint32_t i = 0; i < m.vertex_count; i++) {
        m.vertices[i].position[0] *= size;
        m.vertices[i].position[1] *= size;
        m.vertices[i].position[2] = z;
    }
    m.materials[0].texture = PMX_NONE;
    m.materials[0].toon = PMX_NONE;
    m.materials[0].flags = 0;
    memset(m.materials[0].diffuse, 0, sizeof(float[3]));
    memcpy(m.materials[0].ambient, rgba, sizeof(float[3]));
    m.materials[0].diffuse[3] = rgba[3];
    return render_fixture_add(&stage->fixture, m, NULL);
}

static PmxMaterial *material_of(Stage *stage, size_t model)
{
    return &stage->fixture.models[model].pmx.materials[0];
}

static void rest(Stage *stage)
{
    stage->state = render_fixture_rest(&stage->fixture);
    stage->state->camera = FLAT_CAMERA;
}

static void draw(Stage *stage, const RenderOptions *options)
{
    Renderer *renderer = renderer_create(&stage->fixture.scene, options, &stage->diag);

    if (renderer == NULL)
        fail_msg("%s", last_message);
    assert_true(render_frame(&stage->image, renderer, stage->state, &stage->diag));
    renderer_destroy(renderer);
}

static const uint8_t *pixel(const Stage *stage, int x, int y)
{
    return stage->image.pixels + 4 * (y * stage->image.width + x);
}

static void expect(const Stage *stage, const char *what, int x, int y, int r, int g, int b, int a)
{
    const uint8_t *p = pixel(stage, x, y);
    const int wanted[4] = {r, g, b, a};

    for (int c = 0; c < 4; c++)
        if (abs(p[c] - wanted[c]) > 1)
            fail_msg("%s at %d,%d: %d %d %d %d, expected %d %d %d %d", what, x, y, p[0], p[1], p[2],
                     p[3], r, g, b, a);
}

static const float RED[4] = {1, 0, 0, 1}, GREEN[4] = {0, 1, 0, 1}, HALF_RED[4] = {1, 0, 0, 0.5f},
                   HALF_GREEN[4] = {0, 1, 0, 0.5f}, FAINT_RED[4] = {1, 0, 0, 0.25f},
                   FAINT_GREEN[4] = {0, 1, 0, 0.25f};

/* ---- positions ---- */

static void test_orthographic(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    SceneModel *square = add_square(&stage, 10, 0, RED);
    square->placement.position[0] = 12;
    square->placement.position[1] = 5;
    rest(&stage);
    draw(&stage, &PLAIN);
    /* x from 2 to 22, y from -5 to 15: columns 34..53, rows 17..36 */
    expect(&stage, "inside, upper left", 34, 17, 255, 0, 0, 255);
    expect(&stage, "inside, lower right", 53, 36, 255, 0, 0, 255);
    expect(&stage, "left of it", 33, 25, 0, 0, 0, 255);
    expect(&stage, "right of it", 54, 25, 0, 0, 0, 255);
    expect(&stage, "above it", 40, 16, 0, 0, 0, 255);
    expect(&stage, "below it", 40, 37, 0, 0, 0, 255);
    tear_down(&stage);
}

/* At a distance of 20 with fov 30 the image is 2 * 20 * tan 15 degrees = 10.718 units high: a
 * square with sides of 5 units covers 29.86 pixels, columns 17.07 to 46.93. */
static void test_perspective(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 2.5f, 0, RED);
    rest(&stage);
    stage.state->camera = (CameraState){.distance = -20, .fov_deg = 30};
    draw(&stage, &PLAIN);
    expect(&stage, "outside", 16, 32, 0, 0, 0, 255);
    expect(&stage, "first column", 17, 32, 255, 0, 0, 255);
    expect(&stage, "last column", 46, 32, 255, 0, 0, 255);
    expect(&stage, "outside", 47, 32, 0, 0, 0, 255);
    tear_down(&stage);
}

static void test_placement(void **unused)
{
    (void)unused;
    static const float quarter_turn[4] = {0, 0, 0.70710678f, 0.70710678f}; /* +x becomes +y */
    Stage stage;

    set_up(&stage);
    SceneModel *square = add_square(&stage, 5, 0, RED);
    for (int i = 0; i < 4; i++) /* in model space: x from 5 to 15, y from -5 to 5 */
        stage.fixture.models[0].pmx.vertices[i].position[0] += 10;
    memcpy(square->placement.rotation, quarter_turn, sizeof quarter_turn);
    square->placement.scale = 2;
    square->placement.position[0] = 3;
    rest(&stage);
    draw(&stage, &PLAIN);
    /* rotated: y from 5 to 15, scaled by two: 10 to 30; x from -10 + 3 to 10 + 3: columns 25..44,
     * rows 2..21 */
    expect(&stage, "inside", 25, 2, 255, 0, 0, 255);
    expect(&stage, "inside", 44, 21, 255, 0, 0, 255);
    expect(&stage, "left", 24, 10, 0, 0, 0, 255);
    expect(&stage, "below", 30, 22, 0, 0, 0, 255);
    tear_down(&stage);
}

/* ---- order, blending, culling ---- */

static void test_order(void **unused)
{
    static const struct {
        const char *what;
        float z[2];
        const float *color[2];
        int expected[3], split[3]; /* in MMD's order; with transparent parts last */
    } rows[] = {
        {"nearer and later wins", {1, 0}, {GREEN, RED}, {255, 0, 0}, {255, 0, 0}},
        {"nearer and earlier wins", {0, 1}, {RED, GREEN}, {255, 0, 0}, {255, 0, 0}},
        {"same depth: later wins (LEQUAL)", {0, 0}, {RED, GREEN}, {0, 255, 0}, {0, 255, 0}},
        {"half in front, drawn later, is blended",
         {1, 0},
         {GREEN, HALF_RED},
         {128, 127, 0},
         {128, 127, 0}},
        {"half in front, drawn first, writes depth",
         {0, 1},
         {HALF_RED, GREEN},
         {128, 0, 0},
         {128, 127, 0}},
        {"half in front of half, drawn later",
         {1, 0},
         {HALF_GREEN, HALF_RED},
         {128, 64, 0},
         {128, 64, 0}},
        {"half in front of half, drawn first, hides it",
         {0, 1},
         {HALF_RED, HALF_GREEN},
         {128, 0, 0},
         {128, 0, 0}},
        {"a quarter in front of half, drawn first, does not",
         {0, 1},
         {FAINT_RED, HALF_GREEN},
         {64, 0, 0},
         {64, 96, 0}},
        {"half in front of a quarter, drawn first, hides it",
         {0, 1},
         {HALF_RED, FAINT_GREEN},
         {128, 0, 0},
         {128, 0, 0}},
        {"a quarter in front of a quarter, drawn first, is below it",
         {0, 1},
         {FAINT_RED, FAINT_GREEN},
         {64, 0, 0},
         {48, 64, 0}},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage stage;

        set_up(&stage);
        for (int k = 0; k < 2; k++)
            add_square(&stage, 10, rows[i].z[k], rows[i].color[k]);
        rest(&stage);
        RenderOptions options = PLAIN;
        for (int split = 0; split < 2; split++) {
            const int *wanted = split ? rows[i].split : rows[i].expected;

            options.split_transparency = split;
            draw(&stage, &options);
            expect(&stage, rows[i].what, 32, 32, wanted[0], wanted[1], wanted[2], 255);
        }
        tear_down(&stage);
    }
}

/* A strand of hair that is not opaque: a front and a back, which is culled, but not its hull.
 * The strand hides its own outline, in any order of draws. */
static void test_outline_behind_translucent(void **unused)
{
    (void)unused;
    for (int row = 0; row < 4; row++) {
        const bool split = row % 2, faint = row / 2;
        Stage stage;

        set_up(&stage);
        add_square(&stage, 10, 0, RED);
        PmxModel *m = &stage.fixture.models[0].pmx;
        const PmxModel front = *m;
        m->vertices = arena_array(stage.fixture.arena, PmxVertex, 8);
        uint32_t *indices = arena_array(stage.fixture.arena, uint32_t, 12);
        for (uint32_t i = 0; i < 8; i++) {
            m->vertices[i] = front.vertices[i % 4];
            m->vertices[i].position[2] = i < 4 ? 0 : 1;
            m->vertices[i].normal[2] = i < 4 ? -1 : 1;
        }
        for (uint32_t i = 0; i < 12; i++)
            indices[i] = i < 6 ? front.indices[i] : 4 + front.indices[11 - i];
        m->indices = indices;
        m->vertex_count = 8;
        m->index_count = m->materials[0].index_count = 12;
        m->materials[0].flags = PMX_EDGE;
        m->materials[0].diffuse[3] = faint ? 0.25f : 0.75f;
        memcpy(m->materials[0].edge_color, GREEN, sizeof GREEN);
        rest(&stage);
        RenderOptions options = PLAIN;
        options.edges = true;
        options.split_transparency = split;
        draw(&stage, &options);
        expect(&stage, split ? "split" : "order of the file", 32, 32, faint ? 64 : 191, 0, 0, 255);
        tear_down(&stage);
    }
}

/* A texel of alpha 0 in front writes no depth, so a surface drawn later behind it is visible. */
static void test_alpha_test(void **unused)
{
    (void)unused;
    const uint8_t clear[4] = {255, 255, 255, 0};
    Stage stage;

    set_up(&stage);
    add_square(&stage, 10, 0, RED);
    add_square(&stage, 10, 1, GREEN);
    const Image **textures = arena_array(stage.fixture.arena, const Image *, 1);
    textures[0] = render_fixture_flat(stage.fixture.arena, clear);
    stage.fixture.models[0].textures = textures;
    material_of(&stage, 0)->texture = 0;
    rest(&stage);
    draw(&stage, &PLAIN);
    expect(&stage, "behind a clear texel", 32, 32, 0, 255, 0, 255);
    tear_down(&stage);
}

static void test_hidden_materials(void **unused)
{
    static const struct {
        const char *what;
        bool turned, double_sided, hidden, invisible;
        float alpha;
        bool seen;
    } rows[] = {
        {"front", false, false, false, false, 1, true},
        {"back is culled", true, false, false, false, 1, false},
        {"back of a double-sided one", true, true, false, false, 1, true},
        {"hidden by the job", false, false, true, false, 1, false},
        {"model switched off", false, false, false, true, 1, false},
        {"alpha 0: neither surface nor edge nor shadow", true, true, false, false, 0, false},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = PLAIN;
        Stage stage;

        set_up(&stage);
        SceneModel *square = add_square(&stage, 10, 0, RED);
        if (rows[i].turned)
            memcpy(square->placement.rotation, (float[4]){0, 1, 0, 0}, sizeof(float[4]));
        square->hidden[0] = rows[i].hidden;
        material_of(&stage, 0)->diffuse[3] = rows[i].alpha;
        if (rows[i].double_sided)
            material_of(&stage, 0)->flags = PMX_DOUBLE_SIDED | PMX_EDGE | PMX_GROUND_SHADOW;
        rest(&stage);
        stage.state->models[0].visible = !rows[i].invisible;
        options.edges = options.ground_shadow = rows[i].alpha == 0.0f;
        options.ground_opacity = 0.5f;
        draw(&stage, &options);
        expect(&stage, rows[i].what, 32, 32, rows[i].seen ? 255 : 0, 0, 0, 255);
        tear_down(&stage);
    }
}

/* ---- watertight parts ---- */

enum { CELLS = 4, FACE_VERTICES = (CELLS + 1) * (CELLS + 1), FACE_INDICES = CELLS * CELLS * 6 };

/* One side of a cube of +-10: axis u to the right and v down as seen from outside, in the direction
 * `out`. */
static void add_side(PmxModel *m, const float out[3], const float u[3], const float v[3],
                     float texture_u, bool inward)
{
    static const int corners[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 1}};
    const uint32_t first = m->vertex_count;

    for (int i = 0; i < FACE_VERTICES; i++) {
        const float a = (float)(i % (CELLS + 1)) / CELLS * 20 - 10;
        const float b = (float)(i / (CELLS + 1)) / CELLS * 20 - 10;
        PmxVertex *vertex = &m->vertices[m->vertex_count++];

        *vertex = fixture_vertex(0, 0, 0, 0);
        for (int k = 0; k < 3; k++)
            vertex->position[k] = 10 * out[k] + a * u[k] + b * v[k];
        vertex->uv[0] = texture_u;
        vertex->uv[1] = 0.5f;
    }
    for (int cell = 0; cell < CELLS * CELLS; cell++)
        for (int k = 0; k < 6; k++) {
            const int *corner = corners[inward ? 5 - k : k];
            const int x = cell % CELLS + corner[0], y = cell / CELLS + corner[1];

            m->indices[m->index_count++] = first + (uint32_t)(y * (CELLS + 1) + x);
        }
}

/* A double-sided cube, red in front (towards -z), green elsewhere; the front is drawn last. */
static void add_cube(Stage *stage, bool inward, bool front, float alpha)
{
    static const float sides[6][3][3] = {
        {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}}, {{0, 0, 1}, {-1, 0, 0}, {0, -1, 0}},
        {{1, 0, 0}, {0, 0, 1}, {0, -1, 0}},  {{-1, 0, 0}, {0, 0, -1}, {0, -1, 0}},
        {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},  {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},
    };
    static const uint8_t colors[4][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 255}, {255, 0, 0, 255}, {0, 255, 0, 255}};
    Arena *arena = stage->fixture.arena;
    PmxModel m = fixture_bone_only(arena);
    const Image **textures = arena_array(arena, const Image *, 1);

    m.vertices = arena_array(arena, PmxVertex, 6 * FACE_VERTICES);
    m.indices = arena_array(arena, uint32_t, 6 * FACE_INDICES);
    for (int i = 5; i >= (front ? 0 : 1); i--)
        add_side(&m, sides[i][0], sides[i][1], sides[i][2], i == 0 ? 0.25f : 0.75f, inward);
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.materials[0] = fixture_material("cube", 0, m.index_count);
    m.material_count = 1;
    m.materials[0].flags = PMX_DOUBLE_SIDED | PMX_GROUND_SHADOW;
    m.materials[0].diffuse[3] = alpha;
    memcpy(m.materials[0].ambient, ((float[3]){1, 1, 1}), sizeof(float[3]));
    m.materials[0].texture = 0;
    m.texture_count = 1;
    textures[0] = render_fixture_quarters(arena, colors);
    render_fixture_add(&stage->fixture, m, textures);
}

/* Culling the hidden backs of watertight parts does not change the image. */
static void test_watertight_parts(void **unused)
{
    static const struct {
        const char *what;
        bool inward, front;
        float alpha, z; /* of the eye */
        int expected[3];
    } rows[] = {
        {"from outside: the front", false, true, 1, -40, {255, 0, 0}},
        {"from inside: the far side", false, true, 1, 0, {0, 255, 0}},
        {"inverted winding: still the front", true, true, 1, -40, {255, 0, 0}},
        {"half transparent: the far side shows through", false, true, 0.5f, -40, {128, 64, 0}},
        {"open in front: the inside of the far side", false, false, 1, -40, {0, 255, 0}},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Stage stage;

        set_up(&stage);
        add_cube(&stage, rows[i].inward, rows[i].front, rows[i].alpha);
        rest(&stage);
        stage.state->camera = (CameraState){.target = {0, 0, rows[i].z}, .fov_deg = 30};
        draw(&stage, &PLAIN);
        expect(&stage, rows[i].what, 32, 32, rows[i].expected[0], rows[i].expected[1],
               rows[i].expected[2], 255);
        tear_down(&stage);
    }
}

/*
 * The shadow of a watertight part is complete although the faces of one side are not drawn.  Seen
 * from above: a cube of +-10 at (0, 30, -20); the shadow of its top covers x from -30 to -10 and z
 * from -10 to 10, that of its bottom x from -20 to 0 and z from -20 to 0, and the area between.
 */
static void test_watertight_shadow(void **unused)
{
    (void)unused;
    RenderOptions options = PLAIN;
    Stage stage;

    options.ground_shadow = true;
    options.ground_opacity = 0.5f;
    memcpy(options.background, ((float[4]){1, 1, 1, 1}), sizeof(float[4]));
    set_up(&stage);
    add_cube(&stage, false, true, 1);
    stage.fixture.entries[0].placement.position[1] = 30;
    stage.fixture.entries[0].placement.position[2] = -20;
    rest(&stage);
    stage.state->light.direction[0] = -0.5f;
    stage.state->camera = FLAT_CAMERA;
    stage.state->camera.rotation[0] = -1.57079633f;
    draw(&stage, &options);
    expect(&stage, "of top and bottom", 17, 37, 128, 128, 128, 255);
    expect(&stage, "of the top alone", 3, 23, 128, 128, 128, 255);
    expect(&stage, "of the bottom alone", 13, 50, 128, 128, 128, 255);
    expect(&stage, "no corner at the lower left", 4, 50, 255, 255, 255, 255);
    expect(&stage, "no corner at the upper right", 30, 23, 255, 255, 255, 255);
    tear_down(&stage);
}

/* A quarter of black, or of half the light's color, on white; none of a model without shadow. */
static void test_color_of_ground_shadow(void **unused)
{
    static const struct {
        float brightness, opacity;
        bool casts_nothing;
        int expected[3];
    } rows[] = {{0, 0.25f, false, {191, 191, 191}},
                {0.5f, 1, false, {102, 77, 51}},
                {10, 0.5f, false, {255, 255, 255}},
                {0, 0.25f, true, {255, 255, 255}}};
    (void)unused;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = PLAIN;
        Stage stage;

        options.ground_shadow = true;
        options.ground_brightness = rows[i].brightness;
        options.ground_opacity = rows[i].opacity;
        memcpy(options.background, ((float[4]){1, 1, 1, 1}), sizeof(float[4]));
        set_up(&stage);
        add_cube(&stage, false, true, 1);
        stage.fixture.entries[0].placement.position[1] = 30;
        stage.fixture.entries[0].placement.position[2] = -20;
        rest(&stage);
        stage.state->light.direction[0] = -0.5f;
        memcpy(stage.state->light.color, ((float[3]){0.8f, 0.6f, 0.4f}), sizeof(float[3]));
        stage.state->camera = FLAT_CAMERA;
        stage.state->camera.rotation[0] = -1.57079633f;
        stage.state->models[0].casts_nothing = rows[i].casts_nothing;
        draw(&stage, &options);
        expect(&stage, "shadow", 17, 37, rows[i].expected[0], rows[i].expected[1],
               rows[i].expected[2], 255);
        tear_down(&stage);
    }
}

static void test_points_and_lines(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    add_square(&stage, 10.5f, 0, RED);
    material_of(&stage, 0)->flags = PMX_LINES;
    add_square(&stage, 20.5f, 0, GREEN);
    material_of(&stage, 1)->flags = PMX_POINTS;
    material_of(&stage, 1)->edge_size = 3;
    rest(&stage);
    draw(&stage, &PLAIN);
    expect(&stage, "line on the left side", 21, 30, 255, 0, 0, 255);
    expect(&stage, "nothing beside the diagonal", 28, 26, 0, 0, 0, 255);
    expect(&stage, "point at the upper left", 11, 11, 0, 255, 0, 255);
    expect(&stage, "nothing between points", 11, 32, 0, 0, 0, 255);
    tear_down(&stage);
}

/* ---- outline ---- */

/*
 * A square seen from behind, so that only its inverted hull is visible, with normals along +-x: the
 * hull is wider by k * edge size * edge scale on both sides, k = |eye - second bone| * min(fov /
 * 30, 1) * 0.001 * the model's edge scale.  The eye is 20 units from the square and 25 from the
 * second bone (a 3-4-5 triangle).
 */
static void test_edge_width(void **unused)
{
    static const struct {
        const char *what;
        float fov, size, scale, model_scale, placement_scale;
        double offset; /* MMD units */
    } rows[] = {
        {"size 40", 30, 40, 1, 1, 1, 25 * 0.001 * 40},
        {"half the edge scale of the vertices", 30, 40, 0.5f, 1, 1, 25 * 0.001 * 20},
        {"half the edge scale of the model", 30, 40, 1, 0.5f, 1, 25 * 0.001 * 20},
        {"fov above 30 has no effect", 40, 40, 1, 1, 1, 25 * 0.001 * 40},
        {"fov 20: two thirds", 20, 40, 1, 1, 1, 25 * 0.001 * 40 * 2 / 3},
        {"a scaled model keeps the width", 30, 40, 1, 1, 0.5f, 25 * 0.001 * 40},
        {"edge scale 0: no outline", 30, 40, 1, 0, 1, -1},
    };
    enum { WIDE = 400 };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = PLAIN;
        Stage stage;
        int width = 0;

        set_up(&stage);
        SceneModel *square = add_square(&stage, 2 / rows[i].placement_scale, 0, RED);
        PmxModel *m = &stage.fixture.models[0].pmx;
        PmxBone bones[] = {fixture_bone("", PMX_NONE, 0, 0, 0),
                           fixture_bone("", PMX_NONE, 0, 15 / rows[i].placement_scale, 0)};
        m->bones = bones;
        m->bone_count = 2;
        m->materials[0].flags = PMX_EDGE;
        m->materials[0].edge_size = rows[i].size;
        memcpy(m->materials[0].edge_color, ((float[4]){0, 0, 1, 1}), sizeof(float[4]));
        for (uint32_t v = 0; v < 4; v++) {
            const float side = m->vertices[v].position[0] > 0 ? 1.0f : -1.0f;

            memcpy(m->vertices[v].normal, ((float[3]){side, 0, 0}), sizeof(float[3]));
            m->vertices[v].edge_scale = rows[i].scale;
        }
        memcpy(square->placement.rotation, (float[4]){0, 1, 0, 0}, sizeof(float[4]));
        square->placement.scale = rows[i].placement_scale;
        square->spec.edge_scale = rows[i].model_scale;
        rest(&stage);
        stage.state->camera = (CameraState){.distance = -20, .fov_deg = rows[i].fov};
        options.width = options.height = WIDE;
        options.edges = true;
        stage.image.pixels = arena_array(stage.fixture.arena, uint8_t, 4 * WIDE * WIDE);
        draw(&stage, &options);
        for (int x = 0; x < WIDE; x++)
            width += pixel(&stage, x, WIDE / 2)[2] == 255;

        const double per_unit = WIDE / (2 * 20 * tan((double)rows[i].fov * 3.14159265358979 / 360));
        const double wanted = rows[i].offset < 0 ? 0 : 2 * (2 + rows[i].offset) * per_unit;
        if (fabs(width - wanted) > 1)
            fail_msg("%s: %d pixels wide, expected %.2f", rows[i].what, width, wanted);
        tear_down(&stage);
    }
}

/* A tilted square, and behind its left side a wall that recedes from the eye, whose hull shows
 * `width` pixels of blue. */
static void set_up_thin_edge(Stage *stage, float width)
{
    static const float leaning[4] = {0, 0, 0.0871557f, 0.9961947f}; /* by 10 degrees */
    static const uint32_t outside[6] = {0, 2, 1, 1, 2, 3};          /* facing away from the eye */

    set_up(stage);
    for (int i = 0; i < 2; i++)
        memcpy(add_square(stage, 10.3f, 0, RED)->placement.rotation, leaning, sizeof leaning);
    PmxModel *wall = &stage->fixture.models[1].pmx;
    PmxMaterial *material = material_of(stage, 1);

    memcpy(wall->indices, outside, sizeof outside);
    for (uint32_t v = 0; v < 4; v++) {
        float *position = wall->vertices[v].position;

        position[2] = position[0] < 0 ? 1.0f : 41.0f;
        position[0] = position[0] < 0 ? position[0] : -4.3f;
        memcpy(wall->vertices[v].normal, ((float[3]){-1, 0, 0}), sizeof(float[3]));
    }
    material->flags = PMX_EDGE;
    material->edge_size = width * 0.5625f / (SIDE * 0.001f); /* of the camera's distance */
    memcpy(material->edge_color, ((float[4]){0, 0, 1, 1}), sizeof(float[4]));
    rest(stage);
}

/* An outline thinner than a pixel is continuous in every row, with alpha in proportion to its
 * width. */
static void test_thin_edge(void **unused)
{
    static const struct {
        const char *what;
        float width;
        int samples, supersample;
    } rows[] = {
        {"a quarter of a pixel, 1 sample", 0.25f, 1, 1},
        {"a quarter, 4 samples", 0.25f, 4, 1},
        {"half, 1 sample", 0.5f, 1, 1},
        {"half, 4 samples", 0.5f, 4, 1},
        {"half, supersample 2", 0.5f, 1, 2},
        {"a quarter, both", 0.25f, 4, 2},
        {"a pixel, 4 samples", 1, 4, 1},
        {"three pixels", 3, 1, 1},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const double width = (double)rows[i].width / cos(10 * 3.14159265358979 / 180);
        RenderOptions options = PLAIN;
        double mean = 0;
        Stage stage;

        options.edges = true;
        options.samples = rows[i].samples;
        options.supersample = rows[i].supersample;
        set_up_thin_edge(&stage, rows[i].width);
        draw(&stage, &options);
        for (int y = 26; y < 38; y++) {
            double row = 0;

            for (int x = 0; x < SIDE / 2; x++)
                row += pixel(&stage, x, y)[2] / 255.0;
            mean += row / 12;
            if (row < 0.7 * width)
                fail_msg("%s: %.3f pixels in row %d, expected %.3f", rows[i].what, row, y, width);
        }
        if (fabs(mean - width) > 0.1 * width)
            fail_msg("%s: %.3f pixels, expected %.3f", rows[i].what, mean, width);
        tear_down(&stage);
    }
}

/* ---- ground shadow ---- */

/*
 * Seen from above, 64 units high.  Light direction (-0.5, -1, 0.5): a point at height y casts its
 * shadow at (x - y / 2, z + y / 2).  A flat square of +-5 at height 20 casts it on x from -15 to -5
 * and z from 5 to 15: columns 17..26; +z is up in the image: rows 17..26.
 */
static void set_up_ground(Stage *stage, unsigned square_flags, unsigned floor_flags, float floor_y)
{
    static const float lying[4] = {0.70710678f, 0, 0,
                                   0.70710678f}; /* facing down, rotated to face up */

    set_up(stage);
    for (int i = 0; i < 2; i++) { /* two shadows in the same area darken it once */
        SceneModel *square = add_square(stage, 5, 0, RED);

        memcpy(square->placement.rotation, lying, sizeof lying);
        square->placement.position[1] = 20;
        material_of(stage, (size_t)i)->flags = (uint8_t)square_flags;
    }
    SceneModel *floor = add_square(stage, 30, 0, GREEN);
    memcpy(floor->placement.rotation, lying, sizeof lying);
    floor->placement.position[1] = floor_y;
    floor->spec.stage = true; /* drawn first although last in the list; it receives the shadow */
    material_of(stage, 2)->flags = (uint8_t)floor_flags;
    material_of(stage, 2)->shared_toon = true;
    material_of(stage, 2)->toon = 0;
    rest(stage);
    stage->state->light.direction[0] = -0.5f;
    stage->state->camera = FLAT_CAMERA;
    stage->state->camera.rotation[0] = -1.57079633f;
}

static void test_ground_shadow(void **unused)
{
    enum {
        CAST = PMX_GROUND_SHADOW | PMX_CAST_SHADOW,
        RECEIVE = PMX_GROUND_SHADOW | PMX_RECEIVE_SHADOW
    };
    static const struct {
        const char *what;
        unsigned square, floor; /* flags */
        float height;
        int shadow_map, first, last, dark; /* columns and rows of the shadow, and its green value */
    } rows[] = {
        {"on the ground", CAST, PMX_GROUND_SHADOW, 0, 0, 17, 26, 128},
        /* 10 below the square: x from -10 to 0, z from 0 to 10 */
        {"on a higher floor", CAST, PMX_GROUND_SHADOW, 10, 0, 22, 31, 128},
        {"the floor neither casts nor receives self-shadow", CAST, PMX_GROUND_SHADOW, 0, 512, 17,
         26, 128},
        {"the floor has it from self-shadow: not twice", CAST, RECEIVE, 0, 512, 17, 26, 205},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *what = rows[i].what;
        const int first = rows[i].first, last = rows[i].last;
        RenderOptions options = PLAIN;
        Stage stage;

        options.ground_shadow = true;
        options.ground_opacity = 0.5f;
        options.ground_height = rows[i].height;
        options.shadow_map = rows[i].shadow_map;
        memcpy(options.background, ((float[4]){1, 1, 1, 1}), sizeof(float[4]));
        set_up_ground(&stage, rows[i].square, rows[i].floor, rows[i].height);
        draw(&stage, &options);
        expect(&stage, what, 34, 34, 255, 0, 0, 255); /* the square */
        expect(&stage, what, first, first, 0, rows[i].dark, 0, 255);
        if (last < 27) /* otherwise under the square */
            expect(&stage, what, last, last, 0, rows[i].dark, 0, 255);
        expect(&stage, what, first - 1, first + 3, 0, 255, 0, 255);
        expect(&stage, what, first + 3, last + 1, 0, 255, 0, 255);
        expect(&stage, what, 1, 1, 255, 255, 255, 255); /* outside the floor */
        tear_down(&stage);
    }
}

/* ---- samples, alpha, background ---- */

/* A square from x = -10.5: half of column 21 (x from -11 to -10) is covered. */
static void test_antialiasing(void **unused)
{
    static const struct {
        const char *what;
        int samples, supersample, low, high; /* of the half-covered column */
    } rows[] = {
        {"4 samples", 4, 1, 64, 192}, /* depends on llvmpipe's sample positions: one to three of
                                         four */
        {"supersample 2", 1, 2, 127, 128}, {"supersample 4", 1, 4, 127, 128},
        {"supersample 3", 1, 3, 85, 170}, /* the center of the middle third is on the edge */
        {"both", 4, 2, 127, 128},          {"neither", 1, 1, 0, 255},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = PLAIN;
        Stage stage;

        options.samples = rows[i].samples;
        options.supersample = rows[i].supersample;
        set_up(&stage);
        add_square(&stage, 10.5f, 0, RED);
        rest(&stage);
        draw(&stage, &options);
        const int edge = pixel(&stage, 21, 32)[0];
        if (edge < rows[i].low || edge > rows[i].high)
            fail_msg("%s: %d, expected %d..%d", rows[i].what, edge, rows[i].low, rows[i].high);
        expect(&stage, rows[i].what, 22, 32, 255, 0, 0, 255);
        expect(&stage, rows[i].what, 20, 32, 0, 0, 0, 255);
        tear_down(&stage);
    }
}

static void test_alpha(void **unused)
{
    (void)unused;
    RenderOptions options = PLAIN;
    Stage stage;

    options.alpha = true;
    options.background[3] = 0;
    options.ground_shadow = true;
    options.ground_opacity = 0.5f;
    set_up(&stage);
    add_square(&stage, 10, 0, HALF_RED);
    add_square(&stage, 5, -1, HALF_RED);
    rest(&stage);
    draw(&stage, &options);
    expect(&stage, "nothing", 5, 5, 0, 0, 0, 0);
    expect(&stage, "one layer: its own color, alpha 0.5", 24, 24, 255, 0, 0, 128);
    expect(&stage, "two layers: alpha 0.75", 32, 32, 255, 0, 0, 191);
    assert_true(stage.image.has_alpha);
    tear_down(&stage);
}

static void test_background(void **unused)
{
    static const uint8_t colors[4][4] = {
        {200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}, {0, 0, 0, 0}};
    (void)unused;

    for (int samples = 1; samples <= 4; samples += 3) {
        RenderOptions options = PLAIN;
        Stage stage;

        options.samples = samples;
        memcpy(options.background, ((float[4]){1, 1, 1, 1}), sizeof(float[4]));
        set_up(&stage);
        options.background_image = render_fixture_quarters(stage.fixture.arena, colors);
        add_square(&stage, 10, 0, HALF_RED);
        rest(&stage);
        draw(&stage, &options);
        expect(&stage, "upper left", 3, 3, 200, 0, 0, 255);
        expect(&stage, "upper right", 60, 3, 0, 200, 0, 255);
        expect(&stage, "lower left", 3, 60, 0, 0, 200, 255);
        expect(&stage, "transparent: the color behind", 60, 60, 255, 255, 255, 255);
        expect(&stage, "blended over it", 36, 28, 128, 100, 0, 255);
        tear_down(&stage);
    }
}

/* ---- reproducibility ---- */

/* A scene with every feature: the bent strip, a textured square in front, outlines, shadow. */
static void build_mixture(Stage *stage)
{
    static const uint8_t colors[4][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 128}, {0, 0, 255, 255}, {255, 255, 0, 0}};
    PmxModel strip = fixture_strip_of(PMX_SDEF, stage->fixture.arena);
    const Image **textures = arena_array(stage->fixture.arena, const Image *, 1);

    strip.materials[0].flags = PMX_EDGE | PMX_GROUND_SHADOW | PMX_DOUBLE_SIDED;
    strip.materials[0].toon = 0;
    strip.materials[0].shared_toon = true;
    strip.materials[0].specular_power = 10;
    strip.materials[0].specular[0] = 1;
    render_fixture_add(&stage->fixture, strip, NULL);
    add_square(stage, 1, -1, RED)->placement.position[1] = 1;
    textures[0] = render_fixture_quarters(stage->fixture.arena, colors);
    stage->fixture.models[1].textures = textures;
    material_of(stage, 1)->texture = 0;
    rest(stage);
    stage->state->camera = (CameraState){
        .target = {0, 2, 0}, .rotation = {-0.2f, 0.5f, 0}, .distance = -14, .fov_deg = 30};
}

static void bend(Stage *stage, float angle)
{
    const float rotation[4] = {sinf(angle / 2), 0, 0, cosf(angle / 2)};

    memcpy(stage->state->models[0].bones[1].rotation, rotation, sizeof rotation);
}

static const RenderOptions EVERYTHING = {.width = SIDE,
                                         .height = SIDE,
                                         .samples = 4,
                                         .supersample = 2,
                                         .background = {0.3f, 0.6f, 0.9f, 1},
                                         .ground_shadow = true,
                                         .ground_opacity = 0.5f,
                                         .edges = true};

static void test_frames_in_any_order(void **unused)
{
    (void)unused;
    Stage stage;

    set_up(&stage);
    build_mixture(&stage);
    uint8_t *first = arena_array(stage.fixture.arena, uint8_t, 4 * SIDE * SIDE);
    Renderer *renderer = renderer_create(&stage.fixture.scene, &EVERYTHING, &stage.diag);
    assert_non_null(renderer);

    bend(&stage, 0.7f);
    assert_true(render_frame(&stage.image, renderer, stage.state, &stage.diag));
    memcpy(first, stage.image.pixels, 4 * SIDE * SIDE);
    bend(&stage, -1.1f);
    stage.state->models[0].materials[0].diffuse[3] = 0.5f;
    stage.state->models[1].visible = false;
    assert_true(render_frame(&stage.image, renderer, stage.state, &stage.diag));
    assert_memory_not_equal(first, stage.image.pixels, 4 * SIDE * SIDE);
    bend(&stage, 0.7f);
    stage.state->models[0].materials[0].diffuse[3] = 1.0f;
    stage.state->models[1].visible = true;
    memset(stage.image.pixels, 77, 4 * SIDE * SIDE);
    assert_true(render_frame(&stage.image, renderer, stage.state, &stage.diag));
    assert_memory_equal(first, stage.image.pixels, 4 * SIDE * SIDE);
    renderer_destroy(renderer);
    tear_down(&stage);
}

/* Draws with a backend; returns false, with a message, if this machine does not have it. */
static bool draw_with(char *identity, size_t size, Stage *stage, const RenderOptions *options)
{
    GlContext *context = gl_create(options->backend, &stage->diag);
    Renderer *renderer = NULL;

    if (context != NULL) {
        snprintf(identity, size, "%s", gl_renderer(context));
        renderer = renderer_create_in(context, &stage->fixture.scene, options, &stage->diag);
    }
    if (renderer == NULL) {
        print_message("skipped: %s\n", last_message);
        return false;
    }
    assert_true(render_frame(&stage->image, renderer, stage->state, &stage->diag));
    renderer_destroy(renderer);
    return true;
}

static void test_backends(void **unused)
{
    (void)unused;
    RenderOptions options = EVERYTHING;
    Stage stage;

    set_up(&stage);
    build_mixture(&stage);
    bend(&stage, 0.7f);
    uint8_t *osmesa = arena_array(stage.fixture.arena, uint8_t, 4 * SIDE * SIDE);
    char identity[256];

    options.backend.backend = GL_OSMESA;
    if (!draw_with(identity, sizeof identity, &stage, &options)) {
        tear_down(&stage);
        skip();
        return;
    }
    memcpy(osmesa, stage.image.pixels, 4 * SIDE * SIDE);

    char other[256];
    options.backend.backend = GL_EGL;
    const bool drawn = draw_with(other, sizeof other, &stage, &options);
    if (drawn && strcmp(identity, other) == 0)
        assert_memory_equal(osmesa, stage.image.pixels, 4 * SIDE * SIDE);
    tear_down(&stage);
    if (!drawn)
        skip();
}

/* ---- messages ---- */

static void test_refusals(void **unused)
{
    static const struct {
        const char *what;
        int width, samples;
        const char *shader_dir, *message;
        DiagKind kind;
    } rows[] = {
        {"too wide", 100000, 1, NULL, "exceeds the limit", DIAG_RESOURCE},
        {"more samples than there are", 64, 64, NULL, "64 samples", DIAG_RESOURCE},
        {"no such shaders", 64, 1, "no/such/directory", "no/such/directory/", DIAG_MISSING},
    };
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        RenderOptions options = PLAIN;
        Stage stage;

        set_up(&stage);
        add_square(&stage, 1, 0, RED);
        options.width = rows[i].width;
        options.height = 64;
        options.samples = rows[i].samples;
        options.shader_dir = rows[i].shader_dir;
        assert_null(renderer_create(&stage.fixture.scene, &options, &stage.diag));
        if (strstr(last_message, rows[i].message) == NULL)
            fail_msg("%s: '%s'", rows[i].what, last_message);
        assert_int_equal(stage.diag.kind, rows[i].kind);
        tear_down(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orthographic),
        cmocka_unit_test(test_perspective),
        cmocka_unit_test(test_placement),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_outline_behind_translucent),
        cmocka_unit_test(test_alpha_test),
        cmocka_unit_test(test_hidden_materials),
        cmocka_unit_test(test_watertight_parts),
        cmocka_unit_test(test_watertight_shadow),
        cmocka_unit_test(test_color_of_ground_shadow),
        cmocka_unit_test(test_points_and_lines),
        cmocka_unit_test(test_edge_width),
        cmocka_unit_test(test_thin_edge),
        cmocka_unit_test(test_ground_shadow),
        cmocka_unit_test(test_antialiasing),
        cmocka_unit_test(test_alpha),
        cmocka_unit_test(test_background),
        cmocka_unit_test(test_frames_in_any_order),
        cmocka_unit_test(test_backends),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
