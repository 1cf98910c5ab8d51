// SPDX-License-Identifier: MIT
/* watertight: tetrahedra that are closed, open, inverted, split by weights or by a morph */

#include <string.h>

#include "format/model/watertight.h"
#include "model_fixture.h"
#include "unit_test.h"

enum { FACES = 4, CORNERS = 3 * FACES };

/* Every face has vertices of its own, which only welding can connect.  Clockwise from outside. */
static PmxModel tetrahedron(Arena *arena)
{
    static const float points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int faces[FACES][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    PmxModel model = fixture_empty();

    model.vertices = arena_array(arena, PmxVertex, CORNERS);
    model.indices = arena_array(arena, uint32_t, CORNERS);
    model.materials = arena_array(arena, PmxMaterial, 1);
    model.vertex_count = model.index_count = CORNERS;
    model.material_count = 1;
    model.materials[0] = fixture_material("tetrahedron", 0, CORNERS);
    for (uint32_t i = 0; i < CORNERS; i++) {
        const float *p = points[faces[i / 3][i % 3]];
        model.vertices[i] = fixture_vertex(p[0], p[1], p[2], 0);
        model.indices[i] = i;
    }
    return model;
}

static void flip(PmxModel *model, uint32_t face)
{
    const uint32_t first = model->indices[3 * face];
    model->indices[3 * face] = model->indices[3 * face + 1];
    model->indices[3 * face + 1] = first;
}

/* How many faces are watertight. */
static int count_watertight(const PmxModel *model, Arena *arena)
{
    bool watertight[FACES] = {false};
    int count = 0;

    watertight_faces(watertight, model, &model->materials[0], watertight_weld(model, arena), arena);
    for (int i = 0; i < FACES; i++)
        count += watertight[i];
    return count;
}

static void assert_watertight(const char *what, int expected, void (*change)(PmxModel *))
{
    Arena *arena = arena_create();
    PmxModel model = tetrahedron(arena);

    if (change)
        change(&model);
    const int count = count_watertight(&model, arena);
    if (count != expected)
        fail_msg("%s: %d faces, not %d", what, count, expected);
    arena_destroy(arena);
}

static void remove_face(PmxModel *model)
{
    model->materials[0].index_count -= 3;
}

static void flip_one(PmxModel *model)
{
    flip(model, 2);
}

static void flip_all(PmxModel *model)
{
    for (uint32_t i = 0; i < FACES; i++)
        flip(model, i);
}

static void move_corner(PmxModel *model)
{
    model->vertices[0].position[0] += 0.01f;
}

static void move_normal(PmxModel *model)
{
    model->vertices[0].normal[0] += 0.01f;
}

static void change_bone(PmxModel *model)
{
    model->vertices[5].bones[0] = 1;
}

static void change_weight(PmxModel *model)
{
    model->vertices[5].weights[1] = 0.25f;
}

static void change_deform(PmxModel *model)
{
    model->vertices[7].deform = PMX_BDEF2;
}

static void change_sdef(PmxModel *model)
{
    model->vertices[7].sdef_r1[2] = 1;
}

/* Far from the origin the signed volumes of single faces differ in sign; their sum does not. */
static void move_away(PmxModel *model)
{
    for (uint32_t i = 0; i < CORNERS; i++)
        model->vertices[i].position[1] -= 20;
}

static void test_rows(void **unused)
{
    (void)unused;
    assert_watertight("closed", 4, NULL);
    assert_watertight("closed, far from the origin", 4, move_away);
    assert_watertight("a face is missing", 0, remove_face);
    assert_watertight("a face is inverted", 0, flip_one);
    assert_watertight("all faces are inverted", 0, flip_all);
    assert_watertight("a corner has moved", 0, move_corner);
    assert_watertight("normals do not matter", 4, move_normal);
    assert_watertight("a corner follows another bone", 0, change_bone);
    assert_watertight("a corner has another weight", 0, change_weight);
    assert_watertight("a corner has another kind of deformation", 0, change_deform);
    assert_watertight("a corner has another SDEF point", 0, change_sdef);
}

/* A vertex morph opens the tetrahedron unless it moves all vertices of a corner alike. */
static void test_morph(void **unused)
{
    static const struct {
        const char *what;
        uint32_t count;
        float last;
        PmxMorphType type;
        int expected;
    } rows[] = {
        {"one of three vertices of a corner", 1, 1, PMX_MORPH_VERTEX, 0},
        {"two of three", 2, 1, PMX_MORPH_VERTEX, 0},
        {"all three alike", 3, 1, PMX_MORPH_VERTEX, 4},
        {"all three, one further", 3, 2, PMX_MORPH_VERTEX, 0},
    };
    static const uint32_t corner[3] = {0, 3, 6}; /* at the origin */
    (void)unused;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Arena *arena = arena_create();
        PmxModel model = tetrahedron(arena);

        model.morphs = arena_array(arena, PmxMorph, 1);
        model.morph_count = 1;
        model.morphs[0] = (PmxMorph){.type = (uint8_t)rows[i].type, .count = rows[i].count};
        model.morphs[0].offsets.vertex = arena_array(arena, PmxVertexOffset, rows[i].count);
        for (uint32_t k = 0; k < rows[i].count; k++)
            model.morphs[0].offsets.vertex[k] =
                (PmxVertexOffset){.vertex = corner[k], .offset = {k == 2 ? rows[i].last : 1, 0, 0}};
        const int count = count_watertight(&model, arena);
        if (count != rows[i].expected)
            fail_msg("%s: %d faces, not %d", rows[i].what, count, rows[i].expected);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_morph),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
