// SPDX-License-Identifier: MIT
/* Two squares, one behind the other: which of them hides what is drawn after it. */

#include <string.h>

#include "inspect/draw_order.h"
#include "model_fixture.h"
#include "unit_test.h"

enum { SQUARES = 3, TRIANGLES = 8 };

typedef struct Bench {
    Arena *arena;
    Model model;
    uint8_t texel[4];
    Image image;
    const Image *textures[1];
} Bench;

/* A fan of triangles in the plane z, 2 wide and 2 high, that faces the viewer at negative z. */
static void add_square(Bench *b, float z, bool textured)
{
    PmxModel *pmx = &b->model.pmx;
    const uint32_t first = pmx->index_count;
    PmxMaterial *m = &pmx->materials[pmx->material_count];

    *m = fixture_material("square", first, 3 * TRIANGLES);
    m->diffuse[3] = 1;
    m->flags = PMX_DOUBLE_SIDED;
    m->texture = textured ? 0 : PMX_NONE;
    for (int i = 0; i < TRIANGLES; i++) {
        const float left = -1 + 0.25f * (float)i;
        const float corners[3][2] = {{left, -1}, {left, 1}, {left + 0.25f, 1}};
        for (int k = 0; k < 3; k++) {
            pmx->vertices[pmx->vertex_count] = fixture_vertex(corners[k][0], corners[k][1], z, 0);
            pmx->indices[pmx->index_count++] = pmx->vertex_count++;
        }
    }
    pmx->material_count++;
}

static void make(Bench *b)
{
    *b = (Bench){.arena = arena_create(), .texel = {255, 255, 255, 128}};
    b->model.pmx = fixture_quad(b->arena);
    b->model.pmx.vertices = arena_array(b->arena, PmxVertex, SQUARES * 3 * TRIANGLES);
    b->model.pmx.indices = arena_array(b->arena, uint32_t, SQUARES * 3 * TRIANGLES);
    b->model.pmx.materials = arena_array(b->arena, PmxMaterial, SQUARES);
    b->model.pmx.vertex_count = b->model.pmx.index_count = b->model.pmx.material_count = 0;
    b->image = (Image){1, 1, true, b->texel};
    b->textures[0] = &b->image;
    b->model.textures = b->textures;
}

static void test_order(void **state)
{
    static const struct {
        const char *what;
        float z[SQUARES]; /* in the order of draws */
        int textured;     /* number of the square that is soft */
        int alpha;
        size_t expected;
    } rows[] = {
        {"soft, before what is behind it", {0, 5, 6}, 0, 128, 1},
        {"soft, after what is behind it", {5, 6, 0}, 2, 128, 0},
        {"soft, behind the others", {6, 5, 0}, 0, 128, 0},
        {"soft, in front of an earlier one that hides a later one", {5, 0, 6}, 1, 128, 0},
        {"opaque", {0, 5, 6}, 0, 255, 0},
        {"clear: drawn nowhere", {0, 5, 6}, 0, 0, 0},
        {"on the surface behind it", {5, 5, 5}, 0, 128, 0},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        static Bench b;
        bool hides[SQUARES];
        make(&b);
        b.texel[3] = (uint8_t)rows[i].alpha;
        for (int k = 0; k < SQUARES; k++)
            add_square(&b, rows[i].z[k], k == rows[i].textured);
        const size_t count = draw_order_find(hides, &b.model);
        if (count != rows[i].expected || (count && !hides[rows[i].textured]))
            fail_msg("%s: %zu materials", rows[i].what, count);
        arena_destroy(b.arena);
    }
}

/* A triangle that is turned away and has one side is not seen. */
static void test_culled(void **state)
{
    static Bench b;
    bool hides[SQUARES];
    (void)state;

    make(&b);
    add_square(&b, 0, true);
    add_square(&b, 5, false);
    b.model.pmx.materials[1].flags = 0;
    assert_int_equal(draw_order_find(hides, &b.model), 1);
    for (uint32_t i = 3 * TRIANGLES; i < 6 * TRIANGLES; i += 3) {
        const uint32_t corner = b.model.pmx.indices[i];
        b.model.pmx.indices[i] = b.model.pmx.indices[i + 1];
        b.model.pmx.indices[i + 1] = corner;
    }
    assert_int_equal(draw_order_find(hides, &b.model), 0);
    arena_destroy(b.arena);
}

/* Strands of hair are often one material, whose faces are drawn in their order in the file. */
static void test_one_material(void **state)
{
    (void)state;

    for (int soft_first = 0; soft_first < 2; soft_first++) {
        static Bench b;
        bool hides[SQUARES];
        make(&b);
        add_square(&b, soft_first ? 0 : 5, true);
        add_square(&b, soft_first ? 5 : 0, true);
        b.model.pmx.materials[0].index_count += b.model.pmx.materials[1].index_count;
        b.model.pmx.material_count = 1;
        assert_int_equal(draw_order_find(hides, &b.model), soft_first);
        arena_destroy(b.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_culled),
        cmocka_unit_test(test_one_material),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
