// SPDX-License-Identifier: MIT
/* MToon (render/README.md 17): each row is a tile, its color worked out by hand from the
 * specification of VRMC_materials_mtoon. */

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "pixel_table.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { COLUMNS = 6, TILE = 8, SIDE = COLUMNS * TILE };
/* Images: index in the model plus one.  In the middle of a tile its lower right quarter is seen. */
enum { NONE, GREY, QUARTERS, TEXTURES = QUARTERS };

/* Half a second after the start; light along +z, so N.L and N.V are 1 on the wall's normal -z. */
typedef struct Row {
    const char *what;
    float color[4]; /* stored */
    int texture;
    int textures[MTOON_TEXTURES];
    float normal[3]; /* 0: facing the eye */
    Mtoon mtoon;
    unsigned flags;
    uint8_t expected[3]; /* over black, in the default light, whose color is 154 / 255 */
    uint8_t dim[3];      /* in one that is darker by 0.25 */
} Row;

#define AWAY    \
    {           \
        0, 0, 1 \
    }
#define ACROSS  \
    {           \
        0, 1, 0 \
    }
#define TILTED               \
    {                        \
        0, 0.8660254f, -0.5f \
    } /* N.L = N.V = 0.5 */
#define WHITE      \
    {              \
        1, 1, 1, 1 \
    }
#define BLACK      \
    {              \
        0, 0, 0, 1 \
    }

/* Stored values of linear ones: 0.5: 188, 0.25: 137, 0.5225 (stored 0.75): 191.  Indirect light is
 * 0.1301 (101); of the other light there is 0.8699, in the dim one 0.3924.  So a linear shade of
 * 0.5 on white gives 0.565: 198. */
static const Row ROWS[] = {
    /* 255 * (0.5, 0.25, 1); dim: 0.75 of the stored values */
    {.what = "facing the light: the color",
     .color = {0.5f, 0.25f, 1, 1},
     .mtoon = {.toony = 0.9f},
     .expected = {128, 64, 255},
     .dim = {94, 46, 191}},
    {.what = "away from it: the shade color, which is linear",
     .color = WHITE,
     .normal = AWAY,
     .mtoon = {.toony = 0.9f, .shade = {0.5f, 0.25f, 0}},
     .expected = {198, 159, 101},
     .dim = {155, 131, 101}},
    /* without the last rule 0.87 * shade + 0.13 * 0.214: 243, 76 */
    {.what = "VRM 0.x: the shade is at most the color",
     .color = {0.5f, 0.5f, 0.5f, 1},
     .normal = AWAY,
     .mtoon = {.toony = 0.9f, .shade = {1, 0.05f, 1}, .is_older = true},
     .expected = {128, 76, 128},
     .dim = {128, 62, 128}},
    {.what = "N.L = 0: halfway",
     .color = WHITE,
     .normal = ACROSS,
     .mtoon = {.toony = 0.5f},
     .expected = {198, 198, 198},
     .dim = {155, 155, 155}},
    {.what = "N.L = 0.5, toony 0: (0.5 + 1) / 2",
     .color = WHITE,
     .normal = TILTED,
     .expected = {229, 229, 229},
     .dim = {174, 174, 174}},
    {.what = "N.L = 0.5, shift -0.6, toony 1: no light",
     .color = WHITE,
     .normal = TILTED,
     .mtoon = {.toony = 1, .shift = -0.6f, .shade = {0, 0.5f, 0}},
     .expected = {101, 198, 101},
     .dim = {101, 155, 101}},
    /* 0 - 0.5 + 100 / 255 * 2 = 0.28 */
    {.what = "a shift texture brings light back",
     .color = WHITE,
     .normal = ACROSS,
     .textures = {[MTOON_SHIFT] = GREY},
     .mtoon = {.toony = 1, .shift = -0.5f, .shift_scale = 2},
     .expected = {255, 255, 255},
     .dim = {191, 191, 191}},
    {.what = "texture of the color",
     .color = WHITE,
     .texture = GREY,
     .mtoon = {.toony = 0.9f},
     .expected = {100, 150, 200},
     .dim = {73, 111, 149}},
    {.what = "texture of the shade alone",
     .color = WHITE,
     .normal = AWAY,
     .textures = {[MTOON_SHADE] = QUARTERS},
     .mtoon = {.toony = 0.9f, .shade = {0.5f, 0.5f, 0.5f}},
     .expected = {198, 198, 101},
     .dim = {155, 155, 101}},
    /* at (0.5 + 0.495 * 0.6, 0.5 - 0.495 * 0.6): the upper right quarter, green */
    {.what = "matcap: the normal to the upper right; not lit",
     .color = BLACK,
     .normal = {0.6f, 0.6f, -0.5291503f},
     .textures = {[MTOON_MATCAP] = QUARTERS},
     .mtoon = {.matcap_factor = {1, 0.25f, 1}},
     .expected = {0, 137, 0},
     .dim = {0, 137, 0}},
    {.what = "rim: 1 - N.V = 0.5, lit",
     .color = BLACK,
     .normal = TILTED,
     .mtoon = {.rim = {1, 0, 0}, .rim_power = 1, .rim_lighting_mix = 1},
     .expected = {188, 0, 0},
     .dim = {139, 0, 0}},
    /* (0.5 + 0.25)^2 = 0.5625: 198 */
    {.what = "rim lift and power",
     .color = BLACK,
     .normal = TILTED,
     .mtoon = {.rim = {0, 1, 0}, .rim_power = 2, .rim_lift = 0.25f},
     .expected = {0, 198, 0},
     .dim = {0, 198, 0}},
    {.what = "rim texture",
     .color = BLACK,
     .normal = ACROSS, /* N.V = 0 */
     .textures = {[MTOON_RIM] = GREY},
     .mtoon = {.rim = {1, 1, 1}, .rim_power = 5},
     .expected = {100, 150, 200},
     .dim = {100, 150, 200}},
    {.what = "emission of a texture",
     .color = BLACK,
     .textures = {[MTOON_EMISSION] = QUARTERS},
     .mtoon = {.emission = {0.5f, 0.25f, 1}},
     .expected = {188, 137, 0},
     .dim = {188, 137, 0}},
    /* (0.56, 0.56) + (0.5, 0): the lower left quarter, blue */
    {.what = "scroll to the right",
     .color = WHITE,
     .texture = QUARTERS,
     .mtoon = {.toony = 0.9f, .scroll = {1, 0}},
     .expected = {0, 0, 255},
     .dim = {0, 0, 191}},
    /* down by 0.5: the upper right quarter, green */
    {.what = "scroll down",
     .color = WHITE,
     .texture = QUARTERS,
     .mtoon = {.toony = 0.9f, .scroll = {0, -3}},
     .expected = {0, 255, 0},
     .dim = {0, 191, 0}},
    /* a quarter of a turn: (0.06, 0.06) from the middle becomes (0.06, -0.06), green */
    {.what = "rotation",
     .color = WHITE,
     .texture = QUARTERS,
     .mtoon = {.toony = 0.9f, .rotation = 3.14159265f},
     .expected = {0, 255, 0},
     .dim = {0, 191, 0}},
    /* 0.56 + 0.5 * 4.304 * 200 / 255 = 2.25: the left half; without the mask 2.71 */
    {.what = "mask of the animation: blue",
     .color = WHITE,
     .texture = QUARTERS,
     .textures = {[MTOON_UV_MASK] = GREY},
     .mtoon = {.toony = 0.9f, .scroll = {4.304f, 0}},
     .expected = {0, 0, 255},
     .dim = {0, 0, 191}},
    /* 0.56 + 0.5 * 3.506 * 100 / 255 = 1.25; by blue 1.94 */
    {.what = "mask of VRM 0.x: red",
     .color = WHITE,
     .texture = QUARTERS,
     .textures = {[MTOON_UV_MASK] = GREY},
     .mtoon = {.toony = 0.9f, .scroll = {3.506f, 0}, .is_older = true},
     .expected = {0, 0, 255},
     .dim = {0, 0, 191}},
    {.what = "alpha 0.5: blended as stored values",
     .color = {1, 1, 1, 0.5f},
     .mtoon = {.toony = 0.9f},
     .expected = {128, 128, 128},
     .dim = {96, 96, 96}},
    {.what = "vertex colors are not used",
     .color = WHITE,
     .mtoon = {.toony = 0.9f},
     .flags = PMX_VERTEX_COLOR,
     .expected = {255, 255, 255},
     .dim = {191, 191, 191}},
    {.what = "the back of a double-sided surface faces the light",
     .color = WHITE,
     .normal = AWAY, /* its triangles are turned */
     .mtoon = {.toony = 0.9f},
     .flags = PMX_DOUBLE_SIDED,
     .expected = {255, 255, 255},
     .dim = {191, 191, 191}},
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };
static_assert((int)ROW_COUNT <= COLUMNS * COLUMNS, "the wall is full");

static const Image **textures(Arena *arena)
{
    static const uint8_t quarters[4][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}};
    const Image **list = arena_array(arena, const Image *, TEXTURES);

    list[GREY - 1] = render_fixture_flat(arena, (const uint8_t[4]){100, 150, 200, 255});
    list[QUARTERS - 1] = render_fixture_quarters(arena, quarters);
    return list;
}

static void add_tile(PmxModel *m, uint32_t number, Mtoon *mtoon)
{
    static const uint32_t corners[2][6] = {{0, 1, 2, 2, 1, 3}, {0, 2, 1, 2, 3, 1}};
    const Row *row = &ROWS[number];
    PmxMaterial *material = &m->materials[number];

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t vertex = 4 * number + i;
        const float x = (float)(number % COLUMNS + i % 2), y = (float)(number / COLUMNS + i / 2);

        m->vertices[vertex] = fixture_vertex(x, -y, 0, 0);
        if (row->normal[0] != 0.0f || row->normal[1] != 0.0f || row->normal[2] != 0.0f)
            memcpy(m->vertices[vertex].normal, row->normal, sizeof row->normal);
        memcpy(m->vertices[vertex].uv, ((float[2]){(float)(i % 2), (float)(i / 2)}),
               sizeof(float[2]));
        m->extra_uv[0][vertex][3] = 1;
    }
    for (uint32_t i = 0; i < 6; i++)
        m->indices[6 * number + i] = 4 * number + corners[(row->flags & PMX_DOUBLE_SIDED) != 0][i];
    *material = fixture_material("tile", 6 * number, 6);
    material->flags = (uint8_t)row->flags;
    material->texture = row->texture - 1;
    material->sphere_texture = PMX_NONE;
    material->toon = PMX_NONE;
    memcpy(material->diffuse, row->color, sizeof row->color);
    *mtoon = row->mtoon;
    mtoon->writes_depth = true;
    for (int i = 0; i < MTOON_TEXTURES; i++)
        mtoon->textures[i] = row->textures[i] - 1;
    material->mtoon = mtoon;
}

static PmxModel wall(Arena *arena)
{
    PmxModel m = fixture_bone_only(arena);
    Mtoon *mtoons = arena_array(arena, Mtoon, ROW_COUNT);

    m.vertices = arena_array(arena, PmxVertex, 4 * ROW_COUNT);
    m.vertex_count = 4 * ROW_COUNT;
    m.extra_uv_count = 1;
    m.extra_uv[0] = arena_calloc(arena, m.vertex_count, sizeof(float[4]));
    m.indices = arena_array(arena, uint32_t, 6 * ROW_COUNT);
    m.index_count = 6 * ROW_COUNT;
    m.materials = arena_array(arena, PmxMaterial, ROW_COUNT);
    m.material_count = ROW_COUNT;
    m.texture_count = TEXTURES;
    for (uint32_t i = 0; i < ROW_COUNT; i++)
        add_tile(&m, i, &mtoons[i]);
    return m;
}

static void compare(const Image *image, bool dim)
{
    PixelTable table = pixel_table_begin(dim ? "MToon in less light" : "MToon");

    for (int i = 0; i < ROW_COUNT; i++) {
        const int x = i % COLUMNS * TILE + TILE / 2, y = i / COLUMNS * TILE + TILE / 2;

        pixel_table_check(&table, ROWS[i].what, image->pixels + 4 * (y * SIDE + x),
                          dim ? ROWS[i].dim : ROWS[i].expected, 1);
    }
    pixel_table_end(&table);
}

/* The wall fills the image: orthographic, seen along +z. */
static void test_shading(void **unused)
{
    (void)unused;
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {0, 0, 0, 1}};
    RenderFixture fixture = {.arena = arena_create()};
    Image image = {.pixels = arena_array(fixture.arena, uint8_t, SIDE * SIDE * 4)};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    render_fixture_add(&fixture, wall(fixture.arena), textures(fixture.arena));
    FrameState *state = render_fixture_rest(&fixture);
    state->camera = (CameraState){.target = {COLUMNS / 2.0f, -COLUMNS / 2.0f, 0},
                                  .distance = -COLUMNS / 0.5625f,
                                  .fov_deg = 30,
                                  .orthographic = true};
    state->frame = 15;
    Renderer *renderer = renderer_create(&fixture.scene, &options, &diag);
    assert_non_null(renderer);
    for (int dim = 0; dim < 2; dim++) {
        const float light = 154.0f / 255 - (dim ? 0.25f : 0.0f);

        state->light = (LightState){{light, light, light}, {0, 0, 1}};
        assert_true(render_frame(&image, renderer, state, &diag));
        compare(&image, dim);
    }
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
}

/* ---- time, depth and outlines ---- */

typedef struct Quad {
    RenderFixture fixture;
    Mtoon mtoon[2];
    Image image;
    Renderer *renderer;
    FrameState *state;
    Diag diag;
} Quad;

/* Two squares of 4 units, the second one behind the first; the image is 8 units high. */
static void quad_init(Quad *q)
{
    const RenderOptions options = {.width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = 1,
                                   .edges = true,
                                   .background = {0, 0, 0, 1}};
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3};

    diag_init(&q->diag, NULL, NULL);
    q->fixture = (RenderFixture){.arena = arena_create()};
    PmxModel m = fixture_bone_only(q->fixture.arena);
    m.vertices = arena_array(q->fixture.arena, PmxVertex, 8);
    m.indices = arena_array(q->fixture.arena, uint32_t, 12);
    m.materials = arena_array(q->fixture.arena, PmxMaterial, 2);
    m.vertex_count = 8;
    m.index_count = 12;
    m.material_count = 2;
    for (uint32_t i = 0; i < 8; i++) {
        const float x = i % 2 ? 2.0f : -2.0f, y = i / 2 % 2 ? -2.0f : 2.0f;

        m.vertices[i] = fixture_vertex(x, y, i < 4 ? 0.0f : 1.0f, 0);
        memcpy(m.vertices[i].uv, ((float[2]){(float)(i % 2), (float)(i / 2 % 2)}),
               sizeof(float[2]));
    }
    for (uint32_t i = 0; i < 12; i++)
        m.indices[i] = i / 6 * 4 + corners[i % 6];
    for (uint32_t i = 0; i < 2; i++) {
        m.materials[i] = fixture_material("square", 6 * i, 6);
        m.materials[i].flags = PMX_DOUBLE_SIDED;
        m.materials[i].texture = m.materials[i].sphere_texture = m.materials[i].toon = PMX_NONE;
        m.materials[i].mtoon = &q->mtoon[i];
        m.materials[i].edge_size = 1;
        for (int k = 0; k < 4; k++)
            m.materials[i].diffuse[k] = i == 0 || k == 3;
        for (int k = 0; k < MTOON_TEXTURES; k++)
            q->mtoon[i].textures[k] = PMX_NONE;
        q->mtoon[i].writes_depth = true;
    }
    m.texture_count = TEXTURES;
    render_fixture_add(&q->fixture, m, textures(q->fixture.arena));
    q->state = render_fixture_rest(&q->fixture);
    q->state->camera = (CameraState){.distance = -8 / 0.5625f, .fov_deg = 30, .orthographic = true};
    q->state->light = (LightState){{154.0f / 255, 154.0f / 255, 154.0f / 255}, {0, 0, 1}};
    q->image.pixels = arena_array(q->fixture.arena, uint8_t, SIDE * SIDE * 4);
    q->renderer = renderer_create(&q->fixture.scene, &options, &q->diag);
    assert_non_null(q->renderer);
}

static void quad_destroy(Quad *q)
{
    renderer_destroy(q->renderer);
    arena_destroy(q->fixture.arena);
}

static int red_at(Quad *q, int x, int y)
{
    return q->image.pixels[4 * (y * SIDE + x)];
}

/* What does not write depths does not hide what is drawn later behind it. */
static void test_depth(void **unused)
{
    (void)unused;
    for (int writes = 0; writes < 2; writes++) {
        Quad q = {0};

        quad_init(&q);
        q.mtoon[0].blended = true;
        q.mtoon[0].writes_depth = writes;
        assert_true(render_frame(&q.image, q.renderer, q.state, &q.diag));
        assert_int_equal(red_at(&q, SIDE / 2, SIDE / 2), writes ? 255 : 0);
        quad_destroy(&q);
    }
}

/* The frame after another one is drawn again, although nothing but the time has changed. */
static void test_time(void **unused)
{
    (void)unused;
    Quad q = {0};

    quad_init(&q);
    PmxModel *pmx = &q.fixture.models[0].pmx;
    q.mtoon[0].scroll[0] = 1;
    pmx->materials[0].texture = QUARTERS - 1;
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {0, 0, 0, 1}};
    renderer_destroy(q.renderer);
    q.renderer = renderer_create(&q.fixture.scene, &options, &q.diag);
    assert_non_null(q.renderer);
    const int at = SIDE / 2 + 3; /* the lower right quarter, yellow; half a second later blue */
    assert_true(render_frame(&q.image, q.renderer, q.state, &q.diag));
    assert_int_equal(red_at(&q, at, at), 255);
    q.state->frame = 15;
    assert_true(render_frame(&q.image, q.renderer, q.state, &q.diag));
    assert_int_equal(red_at(&q, at, at), 0);
    quad_destroy(&q);
}

/* A hull of normals that point outwards: the square of 24 pixels grows by the width on each side.
 * 0.16 m are 2 units of 6 pixels; 1/8 of the height of 48 pixels are 6; corners move diagonally. */
static void test_outline(void **unused)
{
    static const struct {
        MtoonOutline mode;
        float width;
        int grown; /* pixels */
    } cases[] = {{MTOON_WORLD_OUTLINE, 0.08f, 6},
                 {MTOON_WORLD_OUTLINE, 0.16f, 12},
                 {MTOON_SCREEN_OUTLINE, 0.125f, 6}};

    (void)unused;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Quad q = {0};

        quad_init(&q);
        PmxModel *pmx = &q.fixture.models[0].pmx;
        q.mtoon[0].outline = cases[i].mode;
        q.mtoon[0].outline_width = cases[i].width * 1.4142136f;
        q.mtoon[0].outline_lighting_mix = i == 0 ? 1 : 0;
        pmx->materials[0].flags |= PMX_EDGE;
        for (int k = 0; k < 4; k++) { /* linear 0.25, times the white surface if it is lit */
            q.state->models[0].materials[0].edge_color[k] = k < 3 ? 137.0f / 255 : 1;
            const float x = k % 2 ? 1.0f : -1.0f, y = k / 2 ? -1.0f : 1.0f;
            memcpy(pmx->vertices[k].normal, ((float[3]){x, y, 0}), sizeof(float[3]));
        }
        /* the triangles of a hull are seen from their back */
        for (int k = 0; k < 2; k++) {
            const uint32_t turned = pmx->indices[3 * k + 1];

            pmx->indices[3 * k + 1] = pmx->indices[3 * k + 2];
            pmx->indices[3 * k + 2] = turned;
        }
        const RenderOptions options = {.width = SIDE,
                                       .height = SIDE,
                                       .samples = 1,
                                       .supersample = 1,
                                       .edges = true,
                                       .background = {0, 0, 0, 1}};
        renderer_destroy(q.renderer);
        q.renderer = renderer_create(&q.fixture.scene, &options, &q.diag);
        assert_non_null(q.renderer);
        assert_true(render_frame(&q.image, q.renderer, q.state, &q.diag));
        const int left = SIDE / 2 - 12 - cases[i].grown;
        if (left > 0)
            assert_int_equal(red_at(&q, left - 1, SIDE / 2), 0);
        const int color = red_at(&q, left + 1, SIDE / 2);
        /* N.L = 0, so the surface is 0.87 / 2 + 0.13 = 0.565, and the lit outline 0.141: 105 */
        if (abs(color - (i > 0 ? 137 : 105)) > 1)
            fail_msg("case %zu: %d", i, color);
        quad_destroy(&q);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shading), cmocka_unit_test(test_depth),
                                       cmocka_unit_test(test_time), cmocka_unit_test(test_outline)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
