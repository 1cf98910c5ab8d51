// SPDX-License-Identifier: MIT
/* Omitting hidden triangles of outlines and of blended surfaces changes no pixel: pictures of a
 * heap of spheres and loose triangles, opaque ones and then translucent ones, equal those with all
 * triangles, from many cameras, some of them inside of the heap. */
#include <math.h>

#include <string.h>

#include "model_fixture.h"
#include "random_value.h"
#include "render/renderer_state.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { SIDE = 72, SPHERES = 6, RINGS = 14, SECTORS = 20, LOOSE = 400, VIEWS = 24 };
enum { BYTES = 4 * SIDE * SIDE };
enum { OPAQUE_SPHERES, OPAQUE_LOOSE, WIDE_LOOSE, BLENDED_SPHERES, BLENDED_LOOSE, MATERIALS };

typedef struct Heap {
    RenderFixture fixture;
    PmxModel model;
    uint32_t seed;
    size_t thin_corners; /* of the triangles of WIDE_LOOSE */
    FrameState *state;
    Diag diag;
} Heap;

static uint32_t add_vertex(Heap *heap, const float position[3], const float normal[3])
{
    PmxVertex *vertex = &heap->model.vertices[heap->model.vertex_count];

    *vertex = fixture_vertex(position[0], position[1], position[2], 0);
    memcpy(vertex->normal, normal, sizeof vertex->normal);
    vertex->edge_scale = random_value(&heap->seed, 0.0f, 2.0f);
    return heap->model.vertex_count++;
}

static void add_triangle(Heap *heap, uint32_t a, uint32_t b, uint32_t c)
{
    const uint32_t triangle[3] = {a, b, c};

    memcpy(heap->model.indices + heap->model.index_count, triangle, sizeof triangle);
    heap->model.index_count += 3;
}

static void add_sphere(Heap *heap)
{
    const float pi = 3.14159265f, radius = random_value(&heap->seed, 0.5f, 3.0f);
    const float center[3] = {random_value(&heap->seed, -4, 4), random_value(&heap->seed, 4, 12),
                             random_value(&heap->seed, -4, 4)};
    const uint32_t first = heap->model.vertex_count;

    for (int ring = 0; ring <= RINGS; ring++)
        for (int sector = 0; sector < SECTORS; sector++) {
            const float latitude = pi * (float)ring / RINGS;
            const float longitude = 2 * pi * (float)sector / SECTORS;
            const float normal[3] = {sinf(latitude) * cosf(longitude), cosf(latitude),
                                     sinf(latitude) * sinf(longitude)};
            float position[3];

            for (int i = 0; i < 3; i++)
                position[i] = center[i] + radius * normal[i];
            add_vertex(heap, position, normal);
        }
    for (uint32_t ring = 0; ring < RINGS; ring++)
        for (uint32_t sector = 0; sector < SECTORS; sector++) {
            const uint32_t next = (sector + 1) % SECTORS, a = first + ring * SECTORS;

            add_triangle(heap, a + sector, a + next, a + SECTORS + sector);
            add_triangle(heap, a + next, a + SECTORS + next, a + SECTORS + sector);
        }
}

/* Triangles of any shape, slivers among them, with normals in any direction. */
static void add_loose(Heap *heap)
{
    const float size = random_value(&heap->seed, 0.01f, 2.0f);
    float center[3], normal[3], position[3];
    uint32_t corners[3];

    for (int i = 0; i < 3; i++) {
        center[i] = random_value(&heap->seed, -5, 5) + (i == 1 ? 8.0f : 0.0f);
        normal[i] = random_value(&heap->seed, -1, 1);
    }
    for (int corner = 0; corner < 3; corner++) {
        for (int i = 0; i < 3; i++)
            position[i] = center[i] + size * random_value(&heap->seed, -1, 1);
        corners[corner] = add_vertex(heap, position, normal);
    }
    add_triangle(heap, corners[0], corners[1], corners[2]);
}

/* Opaque ones are red with blue outlines; blended ones green. */
static void add_material(Heap *heap, uint32_t first, bool loose, bool blended)
{
    PmxMaterial *material = &heap->model.materials[heap->model.material_count++];

    *material = fixture_material("heap", first, heap->model.index_count - first);
    material->flags = (uint8_t)((blended ? 0 : PMX_EDGE) | (loose ? PMX_DOUBLE_SIDED : 0));
    material->diffuse[blended] = 1.0f;
    material->diffuse[3] = blended ? 0.7f : 1.0f;
    material->edge_color[2] = material->edge_color[3] = 1.0f;
    material->edge_size = loose ? 1.0f : 0.3f;
}

/* Single-sided, with outlines that are wide but for a few corners. */
static void add_wide(Heap *heap)
{
    const uint32_t first = heap->model.index_count, first_vertex = heap->model.vertex_count;

    for (int i = 0; i < LOOSE; i++)
        add_loose(heap);
    for (uint32_t i = first_vertex; i < heap->model.vertex_count; i++) {
        const bool thin = random_value(&heap->seed, 0.0f, 1.0f) < 0.05f;

        heap->model.vertices[i].edge_scale = thin ? 0.2f : 4.0f;
        heap->thin_corners += thin;
    }
    add_material(heap, first, false, false);
    heap->model.materials[WIDE_LOOSE].edge_size = 7.0f;
}

static void add_heap(Heap *heap, bool blended)
{
    uint32_t first = heap->model.index_count;

    for (int i = 0; i < SPHERES; i++)
        add_sphere(heap);
    add_material(heap, first, false, blended);
    first = heap->model.index_count;
    for (int i = 0; i < LOOSE; i++)
        add_loose(heap);
    add_material(heap, first, true, blended);
}

static void set_up(Heap *heap)
{
    enum { MOST = 2 * SPHERES * (RINGS + 1) * SECTORS * 6 + 3 * 3 * LOOSE };
    *heap = (Heap){.fixture.arena = arena_create(), .seed = 5};
    Arena *arena = heap->fixture.arena;

    diag_init(&heap->diag, NULL, NULL);
    heap->model = fixture_bone_only(arena);
    heap->model.vertices = arena_array(arena, PmxVertex, MOST);
    heap->model.indices = arena_array(arena, uint32_t, MOST);
    heap->model.materials = arena_array(arena, PmxMaterial, MATERIALS);
    add_heap(heap, false);
    add_wide(heap);
    add_heap(heap, true);
    render_fixture_add(&heap->fixture, heap->model, NULL);
    heap->state = render_fixture_rest(&heap->fixture);
}

static void set_view(Heap *heap, int view)
{
    CameraState *camera = &heap->state->camera;

    camera->target[0] = random_value(&heap->seed, -1, 1);
    camera->target[1] = random_value(&heap->seed, 7, 9);
    camera->distance =
        view % 4 == 0 ? random_value(&heap->seed, -3, 0) : random_value(&heap->seed, -60, -12);
    camera->rotation[0] = random_value(&heap->seed, -1, 1);
    camera->rotation[1] = random_value(&heap->seed, -3, 3);
    camera->fov_deg = random_value(&heap->seed, 10, 60);
    camera->orthographic = view == 5;
}

static Renderer *create(Heap *heap, bool all, int supersample)
{
    const RenderOptions options = {.backend.backend = GL_AUTO,
                                   .width = SIDE,
                                   .height = SIDE,
                                   .samples = 1,
                                   .supersample = supersample,
                                   .edges = true,
                                   .all_triangles = all,
                                   .background = {1, 1, 1, 1}};
    Renderer *renderer = renderer_create(&heap->fixture.scene, &options, &heap->diag);

    assert_non_null(renderer);
    return renderer;
}

static void draw(Heap *heap, uint8_t *pixels, Renderer *renderer)
{
    Image image = {.pixels = pixels};

    assert_true(render_frame(&image, renderer, heap->state, &heap->diag));
}

/* Pixels with the color of outlines, and with any of translucent surfaces before something else.
 */
static int count_blue(const uint8_t *pixels)
{
    int count = 0;

    for (int i = 0; i < SIDE * SIDE; i++)
        count += pixels[4 * i] == 0 && pixels[4 * i + 2] == 255;
    return count;
}

static int count_blended(const uint8_t *pixels)
{
    int count = 0;

    for (int i = 0; i < SIDE * SIDE; i++)
        count += pixels[4 * i] > 0 && pixels[4 * i] < 255 && pixels[4 * i + 1] > 100;
    return count;
}

/* The share of the indices of blended spheres that were drawn last. */
static float listed_share(const Renderer *renderer, const Heap *heap)
{
    const SurfaceLists *lists = &renderer->surfaces.lists;

    assert_false(lists->listed[OPAQUE_SPHERES] || lists->listed[OPAQUE_LOOSE]);
    assert_true(lists->listed[BLENDED_SPHERES] && lists->listed[BLENDED_LOOSE]);
    return (float)lists->ranges[BLENDED_SPHERES].count /
           (float)heap->model.materials[BLENDED_SPHERES].index_count;
}

/* The inside of a wide outline is drawn only where it is thin. */
static bool lists_thin(const Renderer *renderer, const Heap *heap)
{
    const size_t indices = renderer->outlines.interior[WIDE_LOOSE].count;

    return indices > 0 && indices <= 3 * heap->thin_corners;
}

/* All views of the same heap. */
static void draw_views(uint8_t pixels[VIEWS][BYTES], bool all, int supersample)
{
    static Heap heap;

    set_up(&heap);
    Renderer *renderer = create(&heap, all, supersample);
    for (int view = 0; view < VIEWS; view++) {
        set_view(&heap, view);
        draw(&heap, pixels[view], renderer);
        if (!all && !heap.state->camera.orthographic)
            assert_true(listed_share(renderer, &heap) < 0.6f);
        if (!all && view % 4 != 0 && !heap.state->camera.orthographic)
            assert_true(lists_thin(renderer, &heap));
    }
    renderer_destroy(renderer);
    arena_destroy(heap.fixture.arena);
}

static void compare_views(int supersample)
{
    static uint8_t all[VIEWS][BYTES], listed[VIEWS][BYTES];
    int blue = 0, blended = 0;

    draw_views(all, true, supersample);
    draw_views(listed, false, supersample);
    for (int view = 0; view < VIEWS; view++) {
        blue += count_blue(all[view]);
        blended += count_blended(all[view]);
        if (memcmp(all[view], listed[view], BYTES) != 0)
            fail_msg("view %d: pixels differ", view);
    }
    assert_true(blue > VIEWS * 20 && blended > VIEWS * 200);
}

static void test_pixels_are_equal(void **state)
{
    (void)state;
    compare_views(1);
}

static void test_pixels_are_equal_supersampled(void **state)
{
    (void)state;
    compare_views(2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pixels_are_equal),
        cmocka_unit_test(test_pixels_are_equal_supersampled),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
