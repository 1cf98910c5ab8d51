// SPDX-License-Identifier: MIT
#include "render/effects/shapes.h"

#include <string.h>

#include "render/texture/toon.h"

enum { MAX_EXTRA = 4 };
enum { SKINNED_BINDING, UV_BINDING, NUMBER_BINDING, EXTRA_BINDING };

/* ---- models ---- */

static void add_constant(const GlApi *gl, GLuint array, GLuint location, GLuint binding,
                         const float *values, GLint width, size_t count)
{
    const size_t stride = (size_t)width * sizeof *values;
    const GLuint buffer = gl_buffer(gl, count * stride, values, 0);

    gl->VertexArrayVertexBuffer(array, binding, buffer, 0, (GLsizei)stride);
    deform_attribute(gl, array, location, binding, width, 0);
}

/* Attributes that do not change: the numbers of the vertices, and additional UVs without morphs. */
static void add_constants(GLuint array, const Mesh *mesh, const GlApi *gl)
{
    const PmxModel *pmx = mesh->pmx;
    Arena *scratch = arena_create();
    float *values = arena_calloc(scratch, pmx->vertex_count, sizeof(float[4]));

    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        values[mesh->buffer_index[i]] = (float)i;
    add_constant(gl, array, EFFECT_INPUT_INDEX, NUMBER_BINDING, values, 1, pmx->vertex_count);
    for (GLuint k = 0; k < pmx->extra_uv_count && k < MAX_EXTRA; k++) {
        for (uint32_t i = 0; i < pmx->vertex_count; i++)
            memcpy(values + 4 * (size_t)mesh->buffer_index[i], pmx->extra_uv[k][i],
                   sizeof(float[4]));
        add_constant(gl, array, EFFECT_INPUT_TEXCOORD0 + 1 + k, EXTRA_BINDING + k, values, 4,
                     pmx->vertex_count);
    }
    arena_destroy(scratch);
}

/* The picture of a toon; the left column of a shared one. */
static GLuint create_toon(const Model *model, const PmxMaterial *material, const GlApi *gl)
{
    const int32_t index = material->toon;
    uint8_t rows[TOON_ROWS][4];
    Image image = {.width = 1, .height = TOON_ROWS, .pixels = rows[0]};

    if (material->shared_toon && index >= 0 && index < TOON_COUNT)
        toon_ramp(rows, index);
    else if (!material->shared_toon && index >= 0 && model->textures[index] != NULL)
        image = *model->textures[index];
    else
        return 0;
    const GLuint name = gl_texture(gl, GL_RGBA8, 1, image.width, image.height);
    gl->TextureSubImage2D(name, 0, 0, 0, image.width, image.height, GL_RGBA, GL_UNSIGNED_BYTE,
                          image.pixels);
    return name;
}

static bool same_toon(const PmxMaterial *a, const PmxMaterial *b)
{
    return a->toon == b->toon && a->shared_toon == b->shared_toon;
}

void fx_shape_init(FxShape *out, const Actor *actor, const GlApi *gl, Arena *arena)
{
    const Mesh *mesh = actor->mesh;
    const PmxModel *pmx = mesh->pmx;
    GLuint array = 0;

    gl->CreateVertexArrays(1, &array);
    gl->VertexArrayVertexBuffer(array, SKINNED_BINDING, deform_buffer(&actor->deform), 0,
                                sizeof(DeformVertex));
    gl->VertexArrayVertexBuffer(array, UV_BINDING, actor->deform.uvs.buffer, 0, sizeof(float[2]));
    deform_attribute(gl, array, EFFECT_INPUT_POSITION, SKINNED_BINDING, 3,
                     offsetof(DeformVertex, position));
    deform_attribute(gl, array, EFFECT_INPUT_NORMAL, SKINNED_BINDING, 3,
                     offsetof(DeformVertex, normal));
    deform_attribute(gl, array, EFFECT_INPUT_TEXCOORD0, UV_BINDING, 2, 0);
    add_constants(array, mesh, gl);
    gl->VertexArrayElementBuffer(array, mesh->indices);
    *out = (FxShape){.vertices = array, .toons = arena_array(arena, GLuint, pmx->material_count)};
    for (uint32_t i = 0; i < pmx->material_count; i++) {
        uint32_t same = 0;

        while (same < i && !same_toon(&pmx->materials[same], &pmx->materials[i]))
            same++;
        out->toons[i] =
            same < i ? out->toons[same] : create_toon(actor->entry->model, &pmx->materials[i], gl);
    }
}

/* Moves the vertices of all materials out along their normals, as outlines are drawn. */
static void fill_edges(FxShape *shape, const Actor *actor, const GlApi *gl, Arena *arena)
{
    const Mesh *mesh = actor->mesh;
    const size_t count = mesh->pmx->vertex_count;
    const uint32_t *indices;
    const DeformVertex *vertices;

    if (shape->edge_buffer == 0) {
        shape->edge_buffer =
            gl_buffer(gl, count * sizeof *shape->edges, NULL, GL_DYNAMIC_STORAGE_BIT);
        shape->edges = arena_array(arena, DeformVertex, count);
    }
    const float *scales = gl_map(gl, mesh->edge_scales, count * sizeof *scales);
    const bool mapped = deform_map(&actor->deform, &indices, &vertices) && scales != NULL;
    for (uint32_t m = 0; mapped && m < mesh->pmx->material_count; m++) {
        const MeshMaterial *material = &mesh->materials[m];
        const float width = actor->edge_width * actor->state->materials[m].edge_size;

        for (int d = 0; d < MESH_DEFORMS; d++)
            for (uint32_t i = material->ranges[d].begin; i < material->ranges[d].end; i++) {
                shape->edges[i] = vertices[i];
                for (int k = 0; k < 3; k++)
                    shape->edges[i].position[k] += vertices[i].normal[k] * width * scales[i];
            }
    }
    deform_unmap(&actor->deform);
    gl->UnmapNamedBuffer(mesh->edge_scales);
    gl->NamedBufferSubData(shape->edge_buffer, 0, (GLsizeiptr)(count * sizeof *shape->edges),
                           shape->edges);
}

void fx_shape_draw(FxShape *shape, const Actor *actor, uint32_t material, bool edges,
                   uint64_t frame, const GlApi *gl, Arena *arena)
{
    const MeshMaterial *mesh = &actor->mesh->materials[material];

    if (edges && shape->edges_frame != frame)
        fill_edges(shape, actor, gl, arena);
    shape->edges_frame = edges ? frame : shape->edges_frame;
    gl->VertexArrayVertexBuffer(shape->vertices, SKINNED_BINDING,
                                edges ? shape->edge_buffer : deform_buffer(&actor->deform), 0,
                                sizeof(DeformVertex));
    gl->BindVertexArray(shape->vertices);
    gl_draw_indices(gl, mesh->mode, mesh->first, mesh->count);
}

/* ---- the rectangle ---- */

typedef struct QuadVertex {
    float position[2], uv[2];
} QuadVertex;

void fx_quad_init(FxQuad *out, const GlApi *gl)
{
    *out = (FxQuad){.buffer = gl_buffer(gl, 4 * sizeof(QuadVertex), NULL, GL_DYNAMIC_STORAGE_BIT),
                    .shift = {-1, -1}};
    gl->CreateVertexArrays(1, &out->vertices);
    gl->VertexArrayVertexBuffer(out->vertices, 0, out->buffer, 0, sizeof(QuadVertex));
    deform_attribute(gl, out->vertices, EFFECT_INPUT_POSITION, 0, 2,
                     offsetof(QuadVertex, position));
    deform_attribute(gl, out->vertices, EFFECT_INPUT_TEXCOORD0, 0, 2, offsetof(QuadVertex, uv));
}

void fx_quad_draw(FxQuad *quad, const float shift[2], const GlApi *gl)
{
    QuadVertex vertices[4];

    for (int i = 0; i < 4; i++) {
        const float x = i & 1 ? 1.0f : -1.0f, y = i & 2 ? -1.0f : 1.0f;

        vertices[i] = (QuadVertex){{x - shift[0], y - shift[1]},
                                   {(1 + x - shift[0]) / 2, (1 - y + shift[1]) / 2}};
    }
    if (quad->shift[0] != shift[0] || quad->shift[1] != shift[1])
        gl->NamedBufferSubData(quad->buffer, 0, sizeof vertices, vertices);
    memcpy(quad->shift, shift, sizeof quad->shift);
    gl->BindVertexArray(quad->vertices);
    gl->DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}
