// SPDX-License-Identifier: MIT
/* Surface shading (render/README.md 5): each row is a tile, its color worked out by hand. */

#include <assert.h>
#include <string.h>

#include "model_fixture.h"
#include "pixel_table.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { COLUMNS = 8, TILE = 8, SIDE = COLUMNS * TILE, WALLS = 2 };
enum { NO_TOON, TOON01, TOON03 = 3, TOON05 = 5, TOON06, OWN_TOON = 100 };
/* Images: index in the model plus one. */
enum { NONE, GREY, QUARTERS, CLEAR, RAMP, MISSING, TEXTURES = MISSING };

/* Light 0.6 grey, along +z: N.L is 1 on the wall's normal -z. */
typedef struct Row {
    const char *what;
    float diffuse[4], ambient[3];
    int texture, sphere, sphere_mode, toon;
    float normal[3]; /* 0: facing the eye */
    float specular, power;
    /* 0 in `multiply` means 1 */
    float texture_mul[4], texture_add[4], sphere_mul[4], sphere_add[4], toon_mul[4], toon_add[4];
    unsigned flags;
    bool accessory; /* as in .x files: shaded by the angle to the light instead of a toon */
    float extra[4];
    uint8_t expected[3]; /* over black */
} Row;

#define AWAY    \
    {           \
        0, 0, 1 \
    }
#define ONE       \
    {1, 1, 1, 1}, \
    {             \
        1, 1, 1   \
    }

static const Row ROWS[] = {
    /* 255 * (0.5 * 0.6 + 0.1) = 102; 255 * (0.25 * 0.6 + 0.2) = 89.25; 255 * 0.6 = 153 */
    {.what = "diffuse times light plus ambient",
     .diffuse = {0.5f, 0.25f, 1, 1},
     .ambient = {0.1f, 0.2f, 0},
     .expected = {102, 89, 153}},
    {.what = "saturated before the texture: 1 * 0.6 + 0.5 gives the texture itself",
     .diffuse = {1, 1, 1, 1},
     .ambient = {0.5f, 0.5f, 0.5f},
     .texture = GREY,
     .expected = {100, 150, 200}},
    {.what = "texture times base: 0.5 * (100, 150, 200)",
     .diffuse = {0, 0, 0, 1},
     .ambient = {0.5f, 0.5f, 0.5f},
     .texture = GREY,
     .expected = {50, 75, 100}},
    {.what = "diffuse alpha 0.5 over black",
     .diffuse = {0, 0, 0, 0.5f},
     .ambient = {1, 1, 1},
     .expected = {128, 128, 128}},
    {.what = "missing texture is white",
     {0, 0, 0, 1},
     {1, 1, 1},
     .texture = MISSING,
     .expected = {255, 255, 255}},
    {.what = "missing sphere, multiplied, is white",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .sphere = MISSING,
     .sphere_mode = PMX_SPHERE_MULTIPLY,
     .expected = {102, 102, 102}},
    {.what = "missing sphere, added, is black",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .sphere = MISSING,
     .sphere_mode = PMX_SPHERE_ADD,
     .expected = {102, 102, 102}},
    {.what = "texel of alpha 0 leaves what is behind",
     {0, 0, 0, 1},
     {1, 1, 1},
     .texture = CLEAR,
     .expected = {0, 0, 0}},

    {.what = "toon01, N.L = 1: first row", ONE, .toon = TOON01, .expected = {255, 255, 255}},
    {.what = "toon01, N.L = -1: last row",
     ONE,
     .toon = TOON01,
     .normal = AWAY,
     .expected = {0xcd, 0xcd, 0xcd}},
    {.what = "toon03, N.L = -1",
     ONE,
     .toon = TOON03,
     .normal = AWAY,
     .expected = {0x9a, 0x9a, 0x9a}},
    {.what = "toon05, N.L = -1: row 31",
     ONE,
     .toon = TOON05,
     .normal = AWAY,
     .expected = {0xfe, 0xe8, 0xdf}},
    /* v = 0.5 - 0.5 * 0.2 = 0.4, row 12.8: between centers of rows 12 and 13 */
    {.what = "toon06, N.L = 0.2: rows 12 and 13",
     ONE,
     .toon = TOON06,
     .normal = {0.9797959f, 0, -0.2f},
     .expected = {0xff, 0xed, 0x61}},
    /* v = 0.75, row 24 of 32 by edge 24.0: the mean of rows 23 (ee) and 24 (d1) */
    {.what = "toon06, N.L = -0.5: halfway from row 23 to 24",
     ONE,
     .toon = TOON06,
     .normal = {0.8660254f, 0, 0.5f},
     .expected = {0xe0, 0xcb, 0x2f}},
    {.what = "own toon, N.L = 1: top", ONE, .toon = OWN_TOON, .expected = {10, 20, 30}},
    {.what = "own toon, N.L = -1: bottom",
     ONE,
     .toon = OWN_TOON,
     .normal = AWAY,
     .expected = {70, 80, 90}},

    /* 255 * 0.6 * 100 / 255 = 60, 90, 120 */
    {.what = "sphere multiplied",
     {1, 1, 1, 1},
     {0, 0, 0},
     .sphere = GREY,
     .sphere_mode = PMX_SPHERE_MULTIPLY,
     .expected = {60, 90, 120}},
    {.what = "sphere added: 0.2 * 255 = 51 more",
     {0, 0, 0, 1},
     {0.2f, 0.2f, 0.2f},
     .sphere = GREY,
     .sphere_mode = PMX_SPHERE_ADD,
     .expected = {151, 201, 251}},
    {.what = "sphere comes before the toon: (51 + 100) * cd",
     {0, 0, 0, 1},
     {0.2f, 0.2f, 0.2f},
     .sphere = GREY,
     .sphere_mode = PMX_SPHERE_ADD,
     .toon = TOON01,
     .normal = AWAY,
     .expected = {121, 162, 202}},
    {.what = "sphere, normal to the upper right",
     ONE,
     .sphere = QUARTERS,
     .sphere_mode = PMX_SPHERE_MULTIPLY,
     .normal = {0.5f, 0.5f, -0.7071068f},
     .expected = {0, 255, 0}},
    {.what = "sphere, normal to the lower left",
     ONE,
     .sphere = QUARTERS,
     .sphere_mode = PMX_SPHERE_MULTIPLY,
     .normal = {-0.5f, -0.5f, -0.7071068f},
     .expected = {0, 0, 255}},
    {.what = "sub-texture by additional UV 1",
     ONE,
     .sphere = QUARTERS,
     .sphere_mode = PMX_SPHERE_SUB_TEXTURE,
     .extra = {0.75f, 0.75f, 0, 0},
     .expected = {255, 255, 0}},
    {.what = "sphere mode off ignores the image",
     ONE,
     .sphere = QUARTERS,
     .expected = {255, 255, 255}},

    /* eye, light and normal are collinear in the middle of the wall: N.H = 1, whose powers are 1 */
    {.what = "specular times light, last: 102 + 0.5 * 0.6 * 255",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .specular = 0.5f,
     .power = 5,
     .expected = {178, 178, 178}},
    {.what = "specular after the toon: 205 * 0.4 and no shine from behind",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .toon = TOON01,
     .normal = AWAY,
     .specular = 0.5f,
     .power = 5,
     .expected = {82, 82, 82}},
    {.what = "power 0: no specular",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .specular = 0.5f,
     .expected = {102, 102, 102}},

    /* mix(1, t * mul + add, mul.a + add.a) */
    {.what = "texture factors: 100 * 0.5 + 51",
     ONE,
     .texture = GREY,
     .texture_mul = {0.5f, 0.5f, 0.5f, 1},
     .texture_add = {0.2f, 0.2f, 0.2f, 0},
     .expected = {101, 126, 151}},
    {.what = "texture faded out is white",
     ONE,
     .texture = GREY,
     .texture_mul = {1, 1, 1, 0},
     .expected = {255, 255, 255}},
    {.what = "texture faded half: (255 + t) / 2",
     ONE,
     .texture = GREY,
     .texture_mul = {1, 1, 1, 0.5f},
     .expected = {178, 203, 228}},
    {.what = "additive sphere faded out has no effect",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .sphere = GREY,
     .sphere_mode = PMX_SPHERE_ADD,
     .sphere_mul = {1, 1, 1, 0},
     .expected = {102, 102, 102}},
    {.what = "multiplied sphere faded out is white",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .sphere = GREY,
     .sphere_mode = PMX_SPHERE_MULTIPLY,
     .sphere_mul = {1, 1, 1, 0},
     .expected = {102, 102, 102}},
    {.what = "toon factors: cd * 0.5",
     ONE,
     .toon = TOON01,
     .normal = AWAY,
     .toon_mul = {0.5f, 0.5f, 0.5f, 1},
     .expected = {102, 102, 102}},

    {.what = "vertex color",
     ONE,
     .flags = PMX_VERTEX_COLOR,
     .extra = {0.2f, 0.4f, 0.6f, 1},
     .expected = {51, 102, 153}},
    {.what = "vertex color's alpha",
     ONE,
     .flags = PMX_VERTEX_COLOR,
     .extra = {1, 1, 1, 0.4f},
     .expected = {102, 102, 102}},
    {.what = "alpha below 0.005 is not drawn", {1, 1, 1, 0.004f}, {1, 1, 1}, .expected = {0, 0, 0}},
    {.what = "negative ambient: 0.5 * 0.6 - 0.2",
     {0.5f, 0.1f, 0.5f, 1},
     {-0.2f, -0.2f, 0},
     .expected = {26, 0, 77}},
    /* 60 degrees between N and H: 0.5 squared is 0.25; 102 + 0.25 * 0.5 * 0.6 * 255 = 121.1 */
    {.what = "specular, N.H = 0.5, power 2",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .specular = 0.5f,
     .power = 2,
     .normal = {0, 0.8660254f, -0.5f},
     .expected = {121, 121, 121}},
    {.what = "specular saturates: 204 + 0.5 * 0.6 * 255 = 280",
     {0, 0, 0, 1},
     {0.8f, 0.8f, 0.8f},
     .specular = 0.5f,
     .power = 5,
     .expected = {255, 255, 255}},
    /* 0.4 * (100, 150, 200) + 76.5 */
    {.what = "specular does not look at the texture",
     {0, 0, 0, 1},
     {0.4f, 0.4f, 0.4f},
     .texture = GREY,
     .specular = 0.5f,
     .power = 5,
     .expected = {117, 137, 157}},

    /* 255 (0.5 * 0.6 + 0.1 + max(0, N.L) * 0.5 * 0.6); ambient is the emissive color */
    {.what = "accessory facing the light: 0.3 + 0.1 + 0.3",
     {0.5f, 0.5f, 0.5f, 1},
     {0.1f, 0.1f, 0.1f},
     .accessory = true,
     .expected = {179, 179, 179}},
    {.what = "accessory, N.L = 0.5: 0.3 + 0.1 + 0.15",
     {0.5f, 0.5f, 0.5f, 1},
     {0.1f, 0.1f, 0.1f},
     .accessory = true,
     .normal = {0, 0.8660254f, -0.5f},
     .expected = {140, 140, 140}},
    {.what = "accessory away from the light: 0.3 + 0.1",
     {0.5f, 0.5f, 0.5f, 1},
     {0.1f, 0.1f, 0.1f},
     .accessory = true,
     .normal = AWAY,
     .expected = {102, 102, 102}},
    {.what = "accessory saturates before the texture",
     ONE,
     .accessory = true,
     .texture = GREY,
     .expected = {100, 150, 200}},
    {.what = "negative and large values are clamped",
     {-1, 4, 1, 7},
     {0, 0, 0},
     .expected = {0, 255, 153}},
};

enum { ROW_COUNT = sizeof ROWS / sizeof *ROWS };
static_assert((int)ROW_COUNT <= COLUMNS * COLUMNS, "the wall is full");

/* ---- the wall ---- */

static Image *ramp(Arena *arena)
{
    static const uint8_t colors[4][4] = {
        {10, 20, 30, 255}, {1, 1, 1, 255}, {70, 80, 90, 255}, {1, 1, 1, 255}};

    return render_fixture_quarters(arena, colors);
}

static const Image **textures(Arena *arena)
{
    static const uint8_t quarters[4][4] = {
        {255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}};
    const Image **list = arena_array(arena, const Image *, TEXTURES);

    list[GREY - 1] = render_fixture_flat(arena, (const uint8_t[4]){100, 150, 200, 255});
    list[QUARTERS - 1] = render_fixture_quarters(arena, quarters);
    list[CLEAR - 1] = render_fixture_flat(arena, (const uint8_t[4]){255, 255, 255, 0});
    list[RAMP - 1] = ramp(arena);
    return list; /* MISSING remains NULL */
}

static void add_tile(PmxModel *m, uint32_t number)
{
    static const uint32_t corners[6] = {0, 1, 2, 2, 1, 3}; /* clockwise from the front */
    const Row *row = &ROWS[number];
    PmxMaterial *material = &m->materials[number];

    for (uint32_t i = 0; i < 4; i++) {
        const uint32_t vertex = 4 * number + i;
        const float x = (float)(number % COLUMNS + i % 2), y = (float)(number / COLUMNS + i / 2);

        m->vertices[vertex] = fixture_vertex(x, -y, 0, 0);
        if (row->normal[2] != 0.0f)
            memcpy(m->vertices[vertex].normal, row->normal, sizeof row->normal);
        memcpy(m->vertices[vertex].uv, ((float[2]){(float)(i % 2), (float)(i / 2)}),
               sizeof(float[2]));
        memcpy(m->extra_uv[0][vertex], row->extra, sizeof row->extra);
    }
    for (uint32_t i = 0; i < 6; i++)
        m->indices[6 * number + i] = 4 * number + corners[i];
    *material = fixture_material("tile", 6 * number, row->accessory == m->accessory ? 6 : 0);
    material->flags = (uint8_t)row->flags;
    material->texture = row->texture - 1;
    material->sphere_texture = row->sphere - 1;
    material->sphere_mode = (uint8_t)row->sphere_mode;
    material->shared_toon = row->toon != NO_TOON && row->toon != OWN_TOON;
    material->toon = row->toon == OWN_TOON ? RAMP - 1 : row->toon - 1;
    memcpy(material->diffuse, row->diffuse, sizeof row->diffuse);
    memcpy(material->ambient, row->ambient, sizeof row->ambient);
    for (int i = 0; i < 3; i++)
        material->specular[i] = row->specular;
    material->specular_power = row->power;
}

/* Two walls at the same position, each with the tiles of one kind. */
static PmxModel wall(bool accessory, Arena *arena)
{
    PmxModel m = fixture_bone_only(arena);

    m.accessory = accessory;
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
        add_tile(&m, i);
    return m;
}

static void set_factor(float mul[4], float add[4], const float row_mul[4], const float row_add[4])
{
    if (row_mul[0] != 0.0f)
        memcpy(mul, row_mul, sizeof(float[4]));
    memcpy(add, row_add, sizeof(float[4]));
}

static void set_factors(MaterialState *state, const Row *row)
{
    set_factor(state->texture_mul, state->texture_add, row->texture_mul, row->texture_add);
    set_factor(state->sphere_mul, state->sphere_add, row->sphere_mul, row->sphere_add);
    set_factor(state->toon_mul, state->toon_add, row->toon_mul, row->toon_add);
}

/* The wall fills the image: orthographic, 8 units high, seen along +z. */
static void set_view(FrameState *state)
{
    state->camera = (CameraState){.target = {COLUMNS / 2.0f, -COLUMNS / 2.0f, 0},
                                  .distance = -COLUMNS / 0.5625f,
                                  .fov_deg = 30,
                                  .orthographic = true};
    state->light = (LightState){{0.6f, 0.6f, 0.6f}, {0, 0, 1}};
}

static void compare(const Image *image)
{
    PixelTable table = pixel_table_begin("shading");

    for (int i = 0; i < ROW_COUNT; i++) {
        const int x = i % COLUMNS * TILE + TILE / 2, y = i / COLUMNS * TILE + TILE / 2;
        /* 1 for rounding; the highlight is exact in the view axis, and weaker a tile away */
        const int slack = ROWS[i].specular > 0 && ROWS[i].power > 0 ? 12 : 1;

        pixel_table_check(&table, ROWS[i].what, image->pixels + 4 * (y * SIDE + x),
                          ROWS[i].expected, slack);
    }
    pixel_table_end(&table);
}

static void test_shading(void **unused)
{
    (void)unused;
    const RenderOptions options = {
        .width = SIDE, .height = SIDE, .samples = 1, .supersample = 1, .background = {0, 0, 0, 1}};
    RenderFixture fixture = {.arena = arena_create()};
    Image image = {.pixels = arena_array(fixture.arena, uint8_t, SIDE * SIDE * 4)};
    Diag diag;

    diag_init(&diag, NULL, NULL);
    for (int i = 0; i < WALLS; i++)
        render_fixture_add(&fixture, wall(i == 1, fixture.arena), textures(fixture.arena));
    FrameState *state = render_fixture_rest(&fixture);
    set_view(state);
    for (int i = 0; i < ROW_COUNT; i++)
        set_factors(&state->models[ROWS[i].accessory].materials[i], &ROWS[i]);

    Renderer *renderer = renderer_create(&fixture.scene, &options, &diag);
    assert_non_null(renderer);
    assert_true(render_frame(&image, renderer, state, &diag));
    compare(&image);
    renderer_destroy(renderer);
    arena_destroy(fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_shading)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
