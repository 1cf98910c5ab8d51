// SPDX-License-Identifier: MIT
/*
 * Materials that ambient occlusion darkens, of a head with eyes 2 apart: skin that a morph moves,
 * the white of the eyes, irises, hair, a dress.
 */

#include "model_fixture.h"
#include "picture/look/ssao.h"
#include "render_fixture.h"
#include "unit_test.h"

enum { HEAD, R_EYE, L_EYE, BODY, BONE_COUNT };
enum { SKIN, WHITE, IRIS, HAIR, DRESS, MATERIAL_COUNT };
enum { CORNERS = 30 };

/* A material of vertices in a row along x, the first at (x, y, z). */
static void add_material(PmxModel *pmx, const char *name, int32_t bone, float x, float y, float z,
                         float step)
{
    const uint32_t first = pmx->index_count;

    for (uint32_t i = 0; i < CORNERS; i++) {
        pmx->vertices[first + i] = fixture_vertex(x + step * (float)i, y, z, bone);
        pmx->indices[first + i] = first + i;
    }
    pmx->vertex_count = pmx->index_count = first + CORNERS;
    pmx->materials[pmx->material_count] = fixture_material(name, first, CORNERS);
    pmx->materials[pmx->material_count].diffuse[3] = 1;
    pmx->materials[pmx->material_count++].flags = PMX_RECEIVE_SHADOW;
}

static void make(RenderFixture *fixture)
{
    PmxModel pmx = fixture_quad(fixture->arena);
    Arena *arena = fixture->arena;
    Diag diag = diag_quiet();

    pmx.vertices = arena_array(arena, PmxVertex, MATERIAL_COUNT * CORNERS);
    pmx.indices = arena_array(arena, uint32_t, MATERIAL_COUNT * CORNERS);
    pmx.materials = arena_array(arena, PmxMaterial, MATERIAL_COUNT);
    pmx.vertex_count = pmx.index_count = pmx.material_count = 0;
    pmx.bones = arena_array(arena, PmxBone, BONE_COUNT);
    pmx.bone_count = BONE_COUNT;
    pmx.bones[HEAD] = fixture_bone("頭", BODY, 0, 18, 0);
    pmx.bones[R_EYE] = fixture_bone("右目", HEAD, -1, 20, 0);
    pmx.bones[L_EYE] = fixture_bone("左目", HEAD, 1, 20, 0);
    pmx.bones[BODY] = fixture_bone("上半身", PMX_NONE, 0, 10, 0);
    add_material(&pmx, "肌", HEAD, -5, 17, -1, 0.3f);
    add_material(&pmx, "白目", HEAD, -2, 20, -1, 0.13f);
    add_material(&pmx, "瞳", R_EYE, -1, 20, -1, 0);
    for (int i = 0; i < CORNERS / 2; i++) { /* the other half is of the left eye */
        pmx.vertices[IRIS * CORNERS + i].bones[0] = L_EYE;
        pmx.vertices[IRIS * CORNERS + i].position[0] = 1;
    }
    add_material(&pmx, "髪", HEAD, -3, 21, -1, 0.2f);
    add_material(&pmx, "服", BODY, -3, 10, -1, 0.2f);
    pmx.morphs = arena_array(arena, PmxMorph, 1);
    pmx.morph_count = 1;
    pmx.morphs[0] = (PmxMorph){.name = "あ", .panel = 3, .type = PMX_MORPH_VERTEX, .count = 2};
    pmx.morphs[0].offsets.vertex = arena_array(arena, PmxVertexOffset, 2);
    for (uint32_t i = 0; i < 2; i++) /* 2 of 30 corners of the skin */
        pmx.morphs[0].offsets.vertex[i] =
            (PmxVertexOffset){.vertex = 14 + i, .offset = {0, -0.1f, 0}};
    render_fixture_add(fixture, pmx, NULL);
    model_prepare(&fixture->models[0], arena, &diag);
}

static void expect(const RenderFixture *fixture, const char *what, const SsaoOptions *surfaces,
                   const bool expected[MATERIAL_COUNT])
{
    const bool *found = ssao_surfaces_find(surfaces, &fixture->scene, fixture->arena);

    for (int i = 0; i < MATERIAL_COUNT; i++)
        if (found[1 + i] != expected[i])
            fail_msg("%s: material %d: %d", what, i, found[1 + i]);
}

static void test_materials(void **state)
{
    static const char *NAMES[] = {"服", "x"};
    RenderFixture fixture = {.arena = arena_create()};
    (void)state;

    make(&fixture);
    PmxModel *pmx = &fixture.models[0].pmx;
    expect(&fixture, "faces are spared", &(SsaoOptions){0}, (const bool[]){0, 0, 0, 1, 1});
    expect(&fixture, "all", &(SsaoOptions){.faces = true}, (const bool[]){1, 1, 1, 1, 1});
    expect(&fixture, "one by name", &(SsaoOptions){.exclude = NAMES, .exclude_count = 2},
           (const bool[]){0, 0, 0, 1, 0});
    pmx->materials[HAIR].flags = 0;
    expect(&fixture, "receives no shadows", &(SsaoOptions){.faces = true},
           (const bool[]){1, 1, 1, 0, 1});
    pmx->morphs[0].panel = 4;
    expect(&fixture, "a morph of another part", &(SsaoOptions){0}, (const bool[]){1, 0, 0, 0, 1});
    pmx->bones[L_EYE].name = "x";
    model_prepare(&fixture.models[0], fixture.arena, &(Diag){0});
    expect(&fixture, "no eyes", &(SsaoOptions){0}, (const bool[]){1, 1, 1, 0, 1});
    arena_destroy(fixture.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_materials),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
