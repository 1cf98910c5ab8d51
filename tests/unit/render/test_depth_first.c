// SPDX-License-Identifier: MIT
/* Drawing the depths of a figure before the stage changes no pixel: pictures of loose triangles,
 * opaque ones before and after blended ones, between those of a stage, equal pictures in the plain
 * order, from all sides.  A blended part of the stage, with outlines, is in front of the figure in
 * some views. */
#include <string.h>

#include "model_fixture.h"
#include "random_value.h"
#include "render/depth_first.h"
#include "render/renderer_state.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 72, VIEWS = 60, BYTES = 4 * SIDE * SIDE, MOST = 3 * 64 };
enum { OPAQUE_COUNT = 12, BLENDED_COUNT = 3 };

typedef struct Set {
    RenderFixture fixture;
    PmxModel model;
    uint32_t seed;
    FrameState *state;
    Diag diag;
} Set;

/* A material of loose triangles, of sizes up to `size`, around the depth `z`. */
static void add_triangles(Set *set, int count, float size, float z, bool blended)
{
    PmxModel *model = &set->model;
    PmxMaterial *material = &model->materials[model->material_count++];

    *material = fixture_material("loose", model->index_count, 3u * (uint32_t)count);
    material->flags = PMX_DOUBLE_SIDED;
    for (int c = 0; c < 3; c++)
        material->ambient[c] = random_value(&set->seed, 0, 1);
    material->diffuse[3] = blended ? 0.6f : 1.0f;
    for (int i = 0; i < count; i++) {
        const float x = random_value(&set->seed, -3, 3), y = random_value(&set->seed, 5, 11);
        const float at = z + random_value(&set->seed, -2, 2);

        for (int corner = 0; corner < 3; corner++) {
            model->vertices[model->vertex_count] =
                fixture_vertex(x + size * random_value(&set->seed, -1, 1),
                               y + size * random_value(&set->seed, -1, 1),
                               at + random_value(&set->seed, -1, 1), 0);
            model->indices[model->index_count++] = model->vertex_count++;
        }
    }
}

static void begin_model(Set *set)
{
    Arena *arena = set->fixture.arena;

    set->model = fixture_bone_only(arena);
    set->model.vertices = arena_array(arena, PmxVertex, MOST);
    set->model.indices = arena_array(arena, uint32_t, MOST);
    set->model.materials = arena_array(arena, PmxMaterial, 3);
}

static void set_up(Set *set)
{
    *set = (Set){.fixture.arena = arena_create(), .seed = 7};
    diag_init(&set->diag, NULL, NULL);
    begin_model(set);
    add_triangles(set, OPAQUE_COUNT, 3, 0, false);
    add_triangles(set, BLENDED_COUNT, 3, 0, true);
    add_triangles(set, 2 * OPAQUE_COUNT, 3, 0, false);
    render_fixture_add(&set->fixture, set->model, NULL);
    begin_model(set);
    add_triangles(set, OPAQUE_COUNT, 6, 6, false);
    add_triangles(set, OPAQUE_COUNT, 6, -8, false);
    add_triangles(set, 4, 2, 6, true);
    set->model.materials[2].flags |= PMX_EDGE;
    set->model.materials[2].edge_size = 4;
    set->model.materials[2].edge_color[3] = 0.5f;
    render_fixture_add(&set->fixture, set->model, NULL)->spec.stage = true;
    set->state = render_fixture_rest(&set->fixture);
}

/* Counts the views with depths first, and those in which only the stage is against it. */
static void draw_views(uint8_t pixels[VIEWS][BYTES], bool all, int counts[2])
{
    static Set set;

    set_up(&set);
    const RenderOptions options = {.backend.backend = GL_AUTO,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = 2,
                                   .edges = true,
                                   .all_triangles = all,
                                   .background = {1, 1, 1, 1}};
    Renderer *renderer = renderer_create(&set.fixture.scene, &options, &set.diag);
    assert_non_null(renderer);
    for (int view = 0; view < VIEWS; view++) {
        const Actor *actors = renderer->draw.actors;
        CameraState *camera = &set.state->camera;
        Image image = {.pixels = pixels[view]};

        camera->target[0] = random_value(&set.seed, -1, 1);
        camera->target[1] = random_value(&set.seed, 7, 9);
        camera->distance = random_value(&set.seed, -20, -2);
        camera->rotation[0] = random_value(&set.seed, -0.5f, 0.5f);
        camera->rotation[1] = random_value(&set.seed, -3, 3);
        camera->fov_deg = random_value(&set.seed, 20, 60);
        camera->orthographic = view == 5;
        assert_true(render_frame(&image, renderer, set.state, &set.diag));
        if (depth_first_pays(&renderer->draw, &actors[0]))
            counts[!depth_first_is_behind(&renderer->draw, &actors[0], &actors[1])]++;
    }
    assert_int_equal(renderer->depth_first.program != 0, !all);
    renderer_destroy(renderer);
    arena_destroy(set.fixture.arena);
}

static void equals_plain_order(void **state)
{
    static uint8_t plain[VIEWS][BYTES], first[VIEWS][BYTES];
    int ignored[2] = {0}, counts[2] = {0};

    (void)state;
    draw_views(plain, true, ignored);
    draw_views(first, false, counts);
    for (int view = 0; view < VIEWS; view++)
        assert_memory_equal(plain[view], first[view], BYTES);
    assert_true(counts[0] >= 10);
    assert_true(counts[1] >= 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(equals_plain_order)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
