// SPDX-License-Identifier: MIT
/* Ground shadows whose samples the CPU finds equal those whose triangles the driver draws, but for
 * samples that an edge touches: on a background of one color, on an image and on a stage; with and
 * without overlays. */

#include <stdlib.h>
#include <string.h>

#include "model_fixture.h"
#include "random_value.h"
#include "render/renderer.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 96, LOOSE = 120, VIEWS = 16, BYTES = 4 * SIDE * SIDE };

/* What the shadows are on. */
typedef enum Below { COLOR, IMAGE, STAGE } Below;

typedef struct Set {
    RenderFixture fixture;
    uint32_t seed;
    FrameState *state;
    Diag diag;
} Set;

static void add_stage_quad(Set *set, Placement placement, unsigned flags)
{
    PmxModel m = fixture_quad(set->fixture.arena);
    PmxMaterial *material = &m.materials[0];

    material->texture = PMX_NONE;
    material->shared_toon = true;
    material->toon = 2;
    material->flags = (uint8_t)(PMX_DOUBLE_SIDED | flags);
    SceneModel *entry = render_fixture_add(&set->fixture, m, NULL);
    entry->spec.stage = true;
    entry->placement = placement;
}

/* Half of the floor can be darkened by self-shadows; a wall hides part of the ground. */
static void add_stage(Set *set)
{
    const Placement left = {{-40, 0, 0}, {0.7071068f, 0, 0, 0.7071068f}, 40};
    const Placement right = {{40, 0, 0}, {0.7071068f, 0, 0, 0.7071068f}, 40};
    const Placement wall = {{3, 1, 2}, {0, 0.2588190f, 0, 0.9659258f}, 3};

    add_stage_quad(set, left, PMX_RECEIVE_SHADOW);
    add_stage_quad(set, right, 0);
    add_stage_quad(set, wall, 0);
}

/* Nothing of it is visible, but lines that cast shadows are left to the driver. */
static void add_lines(PmxModel *m)
{
    PmxMaterial lines = fixture_material("lines", 0, 3);

    lines.flags = PMX_LINES | PMX_GROUND_SHADOW;
    lines.diffuse[3] = 0;
    m->materials[m->material_count++] = lines;
}

/* Triangles above the ground, of which the camera sees only the shadows. */
static void set_up(Set *set, Below below, bool driver)
{
    *set = (Set){.fixture.arena = arena_create(), .seed = 9};
    Arena *arena = set->fixture.arena;
    PmxModel m = fixture_bone_only(arena);
    PmxMaterial material = fixture_material("triangles", 0, 3 * LOOSE);

    diag_init(&set->diag, NULL, NULL);
    m.vertices = arena_array(arena, PmxVertex, 3 * LOOSE);
    m.indices = arena_array(arena, uint32_t, 3 * LOOSE);
    m.materials = arena_array(arena, PmxMaterial, 2);
    for (int i = 0; i < LOOSE; i++) {
        const float x = random_value(&set->seed, -12, 12), z = random_value(&set->seed, -12, 12);
        const float size = random_value(&set->seed, 0.1f, 3);

        for (int corner = 0; corner < 3; corner++, m.vertex_count++) {
            m.vertices[m.vertex_count] =
                fixture_vertex(x + random_value(&set->seed, -size, size),
                               60 + random_value(&set->seed, -size, size),
                               z + random_value(&set->seed, -size, size), 0);
            m.indices[m.index_count++] = m.vertex_count;
        }
    }
    material.flags = PMX_GROUND_SHADOW | PMX_DOUBLE_SIDED;
    material.diffuse[3] = 1;
    m.materials[m.material_count++] = material;
    if (driver)
        add_lines(&m);
    if (below == STAGE)
        add_stage(set);
    render_fixture_add(&set->fixture, m, NULL);
    set->state = render_fixture_rest(&set->fixture);
}

static void set_view(Set *set, int view)
{
    CameraState *camera = &set->state->camera;
    LightState *light = &set->state->light;

    camera->target[1] = 0;
    camera->distance = random_value(&set->seed, -40, -5);
    camera->rotation[0] =
        random_value(&set->seed, 0.4f, 0.8f); /* looks down, below the triangles */
    camera->rotation[1] = random_value(&set->seed, -3, 3);
    camera->fov_deg = random_value(&set->seed, 20, 40);
    camera->orthographic = view % 4 == 3;
    light->direction[0] = random_value(&set->seed, -0.1f, 0.1f);
    light->direction[1] = -1;
    light->direction[2] = random_value(&set->seed, -0.1f, 0.1f);
}

static Renderer *create(Set *set, const Image *background)
{
    const RenderOptions options = {.backend.backend = GL_AUTO,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = 2,
                                   .ground_shadow = true,
                                   .ground_opacity = 0.5f,
                                   .shadow_map = 256,
                                   .background = {1, 1, 1, 1},
                                   .background_image = background};
    Renderer *renderer = renderer_create(&set->fixture.scene, &options, &set->diag);

    assert_non_null(renderer);
    return renderer;
}

static void draw(Set *set, uint8_t *pixels, Renderer *renderer)
{
    Image image = {.pixels = pixels};

    assert_true(render_frame(&image, renderer, set->state, &set->diag));
}

static void draw_shadows(Set *set, uint8_t *pixels, Renderer *renderer)
{
    Image image = {.pixels = pixels, .width = SIDE, .height = SIDE};

    assert_true(render_overlay(&image, renderer, RENDER_SHADOWS, &set->diag));
}

/* Adds the pixels that are dark, and those that differ, by one or two samples of four. */
static void compare(const uint8_t *a, const uint8_t *b, int *dark, int *different)
{
    for (int i = 0; i < BYTES; i += 4) {
        *dark += a[i] < 200;
        *different += a[i] != b[i];
        if (abs(a[i] - b[i]) > 130)
            fail_msg("pixel (%d, %d): %d and %d", i / 4 % SIDE, i / 4 / SIDE, a[i], b[i]);
    }
}

typedef struct Pictures {
    uint8_t alone[VIEWS][BYTES], again[VIEWS][BYTES], shadows[VIEWS][BYTES];
} Pictures;

/* All views of the same set; IMAGE: one of the background's color; overlays: then the overlay of
 * each, and the picture once more. */
static void draw_views(Pictures *out, Below below, bool driver, bool overlays)
{
    static const uint8_t white[4] = {255, 255, 255, 255};
    static Set set;

    set_up(&set, below, driver);
    Renderer *renderer =
        create(&set, below == IMAGE ? render_fixture_flat(set.fixture.arena, white) : NULL);
    for (int view = 0; view < VIEWS; view++) {
        set_view(&set, view);
        draw(&set, out->alone[view], renderer);
        if (!overlays)
            continue;
        draw_shadows(&set, out->shadows[view], renderer);
        draw(&set, out->again[view], renderer);
    }
    renderer_destroy(renderer);
    arena_destroy(set.fixture.arena);
}

static void test_equals_the_driver(void **state)
{
    (void)state;
    static Pictures filled, drawn;

    for (int below = COLOR; below <= STAGE; below++) {
        int dark = 0, different = 0;

        draw_views(&filled, (Below)below, false, false);
        draw_views(&drawn, (Below)below, true, false);
        for (int view = 0; view < VIEWS; view++)
            compare(filled.alone[view], drawn.alone[view], &dark, &different);
        assert_true(dark > VIEWS * 100);
        assert_true(different * 200 < dark);
    }
}

/* Whether what is below is a color or an image of that color makes no difference. */
static void test_image_equals_color(void **state)
{
    (void)state;
    static Pictures color, image;

    draw_views(&color, COLOR, false, false);
    draw_views(&image, IMAGE, false, false);
    for (int view = 0; view < VIEWS; view++) /* the image is put behind samples that were rounded */
        for (int i = 0; i < BYTES; i++)
            assert_in_range(color.alone[view][i] - image.alone[view][i] + 1, 0, 2);
}

/* The overlay of shadows has the same samples, and the picture is the same with it. */
static void test_with_overlays(void **state)
{
    (void)state;
    static Pictures plain, both;

    draw_views(&plain, COLOR, false, false);
    draw_views(&both, COLOR, false, true);
    assert_memory_equal(plain.alone, both.alone, sizeof plain.alone);
    assert_memory_equal(plain.alone, both.again, sizeof plain.alone);
    for (int view = 0; view < VIEWS; view++)
        for (int i = 0; i < BYTES; i += 4) { /* half of the light remains in the shadow */
            const int picture = plain.alone[view][i], light = both.shadows[view][i];

            if (abs(picture - (127 + (light + 1) / 2)) > 1)
                fail_msg("view %d, pixel %d: %d beside %d", view, i / 4, picture, light);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equals_the_driver),
        cmocka_unit_test(test_image_equals_color),
        cmocka_unit_test(test_with_overlays),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
