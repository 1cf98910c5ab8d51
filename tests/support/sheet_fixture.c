// SPDX-License-Identifier: MIT
#include "sheet_fixture.h"

#include <string.h>

#include "model_fixture.h"

static void add_layer(PmxModel *m, const SheetSpec *spec, bool back)
{
    const uint32_t first = m->vertex_count;
    for (uint32_t r = 0; r < spec->rows; r++)
        for (uint32_t c = 0; c < spec->columns; c++) {
            const float across = (float)c / (float)(spec->columns - 1);
            const float down = (float)r / (float)(spec->rows - 1);
            const int32_t bone = c == 0 ? 1 : c + 1 == spec->columns ? 2 : 0;
            PmxVertex *v = &m->vertices[m->vertex_count++];
            *v = fixture_vertex(spec->width * (across - 0.5f), spec->top - spec->length * down, 0,
                                bone);
            v->normal[2] = back ? 1 : -1;
            v->uv[0] = across;
            v->uv[1] = down;
        }
    for (uint32_t r = 0; r + 1 < spec->rows; r++)
        for (uint32_t c = 0; c + 1 < spec->columns; c++) {
            const uint32_t a = first + r * spec->columns + c, b = a + 1, d = a + spec->columns;
            const uint32_t front[6] = {a, b, d, b, d + 1, d};
            for (int i = 0; i < 6; i++)
                m->indices[m->index_count++] = front[back ? 5 - i : i];
        }
}

static void add_soft_body(PmxModel *m, Arena *arena)
{
    static const float config[12] = {1, 0, 0, 0, 0, 0, 0.2f, 0, 1, 0.1f, 1, 0.7f};
    static const float cluster[6] = {0.1f, 1, 0.5f, 0.5f, 0.5f, 0.5f};
    PmxSoftBody *s = m->soft_bodies = arena_array(arena, PmxSoftBody, 1);

    m->soft_body_count = 1;
    *s = (PmxSoftBody){.name = "布",
                       .name_en = "sheet",
                       .mask = 0xffff,
                       .mass = 1,
                       .iterations = {0, 16, 0, 4},
                       .stiffness = {1, 1, 1}};
    memcpy(s->config, config, sizeof config);
    memcpy(s->cluster, cluster, sizeof cluster);
    s->anchors = arena_array(arena, PmxSoftAnchor, m->vertex_count);
    s->pins = arena_array(arena, uint32_t, m->vertex_count);
}

PmxModel fixture_sheet(SheetSpec spec, Arena *arena)
{
    PmxModel m = fixture_empty();
    const size_t layers = spec.layers ? 2 : 1;
    const size_t quads = (size_t)(spec.columns - 1) * (spec.rows - 1);

    m.version = 2.1f;
    m.name = m.name_en = "sheet";
    m.vertices = arena_array(arena, PmxVertex, layers * spec.columns * spec.rows);
    m.indices = arena_array(arena, uint32_t, layers * quads * 6);
    for (size_t i = 0; i < layers; i++)
        add_layer(&m, &spec, i == 1);
    m.materials = arena_array(arena, PmxMaterial, 1);
    m.materials[0] = fixture_material("sheet", 0, m.index_count);
    m.material_count = 1;
    m.bones = arena_array(arena, PmxBone, 3);
    m.bones[0] = fixture_bone("middle", -1, 0, 0, 0);
    m.bones[1] = fixture_bone("left", 0, -spec.width / 2, spec.top, 0);
    m.bones[2] = fixture_bone("right", 0, spec.width / 2, spec.top, 0);
    m.bone_count = 3;
    add_soft_body(&m, arena);
    return m;
}

void fixture_pin(PmxModel *model, uint32_t vertex)
{
    PmxSoftBody *s = &model->soft_bodies[0];
    s->pins[s->pin_count++] = vertex;
}

void fixture_anchor(PmxModel *model, uint32_t vertex, int32_t body)
{
    PmxSoftBody *s = &model->soft_bodies[0];
    s->anchors[s->anchor_count++] = (PmxSoftAnchor){.body = body, .vertex = vertex};
}
