// SPDX-License-Identifier: MIT
#include "render/model/mesh.h"

#include <math.h>
#include <string.h>

#include "format/model/simplify.h"
#include "format/model/watertight.h"

/* A shorter watertight run does not pay for its own draw call. */
enum { MIN_WATERTIGHT_FACES = 64 };

static const uint32_t UNASSIGNED = UINT32_MAX;

/* The error of simplified shapes, MMD units: less than a pixel for a whole dancer in 1080 rows, and
 * a sixth of the depth at which self-shadows begin. */
static const float SHAPE_ERROR = 0.02f;

/* ---- order of vertices ---- */

static void assign_vertex(Mesh *mesh, uint32_t next[MESH_DEFORMS], uint32_t vertex)
{
    if (mesh->buffer_index[vertex] == UNASSIGNED)
        mesh->buffer_index[vertex] = next[mesh->pmx->vertices[vertex].deform]++;
}

static void assign_vertices(Mesh *mesh, Arena *arena)
{
    const PmxModel *pmx = mesh->pmx;
    uint32_t counts[MESH_DEFORMS] = {0}, next[MESH_DEFORMS];

    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        counts[pmx->vertices[i].deform]++;
    for (int d = 0; d < MESH_DEFORMS; d++)
        mesh->deform_first[d + 1] = mesh->deform_first[d] + counts[d];
    memcpy(next, mesh->deform_first, sizeof next);
    mesh->buffer_index = arena_array(arena, uint32_t, pmx->vertex_count);
    memset(mesh->buffer_index, 0xff, sizeof(uint32_t) * pmx->vertex_count);
    for (uint32_t i = 0; i < pmx->index_count; i++)
        assign_vertex(mesh, next, pmx->indices[i]);
    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        assign_vertex(mesh, next, i);
}

/* ---- materials and indices ---- */

/* Temporary data of all materials of a mesh. */
typedef struct Builder {
    Mesh *mesh;
    uint32_t *indices;
    uint32_t index_count;
    const uint32_t *weld;
    const bool *fixed; /* [vertex_count]: moved by a morph; NULL: shapes are not simplified */
    Arena *arena;
} Builder;

/* The edges of a face; a degenerate face (A, B, A) is a single line. */
static uint32_t add_lines(uint32_t *out, const uint32_t face[3])
{
    const bool degenerate = face[0] == face[1] || face[1] == face[2] || face[2] == face[0];
    uint32_t count = 0;

    for (int side = 0; side < 3; side++) {
        const uint32_t a = face[side], b = face[(side + 1) % 3];

        if (a == b || (degenerate && count > 0))
            continue;
        out[count++] = a;
        out[count++] = b;
    }
    return count;
}

static void add_faces(Builder *b, MeshMaterial *material, const PmxMaterial *from)
{
    const uint32_t *file_indices = b->mesh->pmx->indices + from->first_index;

    material->mode = from->flags & PMX_POINTS  ? GL_POINTS
                     : from->flags & PMX_LINES ? GL_LINES
                                               : GL_TRIANGLES;
    material->first = b->index_count;
    for (uint32_t i = 0; i + 2 < from->index_count; i += 3) {
        uint32_t face[3];

        for (uint32_t k = 0; k < 3; k++) {
            const uint32_t vertex = file_indices[i + k];

            face[k] = b->mesh->buffer_index[vertex];
            mesh_extend_range(&material->ranges[b->mesh->pmx->vertices[vertex].deform], face[k]);
        }
        if (material->mode == GL_LINES) {
            b->index_count += add_lines(b->indices + b->index_count, face);
        } else {
            memcpy(b->indices + b->index_count, face, sizeof face);
            b->index_count += 3;
        }
    }
    material->count = b->index_count - material->first;
}

/* Splits the faces into watertight and other runs; a short watertight run is merged into the
 * preceding other run. */
static void add_runs(MeshMaterial *material, const bool *watertight, Arena *arena)
{
    const uint32_t faces = material->count / 3;
    ARENA_LIST(MeshRun) runs = {0};

    for (uint32_t i = 0, length; i < faces; i += length) {
        length = 1;
        while (i + length < faces && watertight[i + length] == watertight[i])
            length++;
        const bool long_enough = watertight[i] && length >= MIN_WATERTIGHT_FACES;
        MeshRun *last = runs.count > 0 ? &runs.items[runs.count - 1] : NULL;

        if (last != NULL && !last->watertight && !long_enough)
            last->count += 3 * length;
        else
            *arena_push(arena, &runs) = (MeshRun){material->first + 3 * i, 3 * length, long_enough};
    }
    material->runs = runs.items;
    material->run_count = (uint32_t)runs.count;
}

/* The simplified triangles of the faces that are not watertight, and of those that are. */
static void add_shapes(Builder *b, MeshMaterial *material, const PmxMaterial *from,
                       const bool *watertight)
{
    const PmxModel *pmx = b->mesh->pmx;

    material->shape_runs = arena_array(b->arena, MeshRun, 2);
    for (int value = 0; value < 2; value++) {
        uint32_t *out = b->indices + b->index_count, count = 0;
        Arena *scratch = arena_create();

        for (uint32_t i = 0; i + 2 < from->index_count; i += 3)
            for (uint32_t k = 0; k < 3 && watertight[i / 3] == (value != 0); k++)
                out[count++] = b->weld[pmx->indices[from->first_index + i + k]];
        count = simplify_triangles(out, count, pmx, b->fixed, SHAPE_ERROR, scratch);
        arena_destroy(scratch);
        for (uint32_t i = 0; i < count; i++)
            out[i] = b->mesh->buffer_index[out[i]];
        if (count > 0)
            material->shape_runs[material->shape_run_count++] =
                (MeshRun){b->index_count, count, value != 0};
        b->index_count += count;
    }
}

/* The same triangles, the last one first. */
static void add_reversed(Builder *b, MeshMaterial *material)
{
    uint32_t *out = b->indices + b->index_count;

    material->reversed_first = b->index_count;
    for (uint32_t i = 0; i < material->count; i += 3)
        memcpy(out + i, b->indices + material->first + material->count - 3 - i, 3 * sizeof *out);
    b->index_count += material->count;
}

static void split_material(Builder *b, MeshMaterial *material, const PmxMaterial *from)
{
    Arena *scratch = arena_create();
    bool *watertight = arena_array(scratch, bool, material->count / 3 + 1);

    if (material->mode == GL_TRIANGLES) {
        watertight_faces(watertight, b->mesh->pmx, from, b->weld, scratch);
        add_runs(material, watertight, b->arena);
    } else {
        material->runs = arena_array(b->arena, MeshRun, 1);
        material->runs[0] = (MeshRun){material->first, material->count, false};
        material->run_count = 1;
    }
    if (material->mode == GL_TRIANGLES && b->fixed != NULL) {
        add_shapes(b, material, from, watertight);
    } else {
        material->shape_runs = material->runs;
        material->shape_run_count = material->run_count;
    }
    arena_destroy(scratch);
}

/* Marks the welded vertices that morphs move. */
static bool *morphed_vertices(const PmxModel *pmx, const uint32_t *weld, Arena *arena)
{
    bool *morphed = arena_array(arena, bool, pmx->vertex_count);

    for (uint32_t m = 0; m < pmx->morph_count; m++) {
        const PmxMorph *morph = &pmx->morphs[m];

        for (uint32_t i = 0; morph->type == PMX_MORPH_VERTEX && i < morph->count; i++)
            morphed[weld[morph->offsets.vertex[i].vertex]] = true;
    }
    return morphed;
}

static void add_materials(Mesh *mesh, bool rigid, Arena *arena, Arena *scratch)
{
    const PmxModel *pmx = mesh->pmx;
    Builder b = {.mesh = mesh, .weld = watertight_weld(pmx, scratch), .arena = arena};
    size_t capacity = 0;

    for (uint32_t i = 0; i < pmx->material_count; i++)
        /* edges of lines; or triangles, reversed triangles and shapes */
        capacity += 3 * (size_t)pmx->materials[i].index_count;
    b.indices = arena_array(scratch, uint32_t, capacity);
    if (rigid)
        b.fixed = morphed_vertices(pmx, b.weld, scratch);

    mesh->materials = arena_array(arena, MeshMaterial, pmx->material_count);
    for (uint32_t i = 0; i < pmx->material_count; i++)
        add_faces(&b, &mesh->materials[i], &pmx->materials[i]);
    for (uint32_t i = 0; i < pmx->material_count; i++)
        if (mesh->materials[i].mode == GL_TRIANGLES)
            add_reversed(&b, &mesh->materials[i]);
    for (uint32_t i = 0; i < pmx->material_count; i++)
        split_material(&b, &mesh->materials[i], &pmx->materials[i]);
    mesh->index_count = b.index_count;
    mesh->indices =
        gl_buffer(mesh->gl, b.index_count * sizeof *b.indices, b.indices, GL_MAP_READ_BIT);
}

/* ---- vertices ---- */

static bool needs_extra_uv(const PmxModel *pmx)
{
    for (uint32_t i = 0; i < pmx->material_count && pmx->extra_uv_count > 0; i++)
        if (pmx->materials[i].sphere_mode == PMX_SPHERE_SUB_TEXTURE ||
            pmx->materials[i].flags & PMX_VERTEX_COLOR)
            return true;
    return false;
}

/* c0 and c1 are constants of the vertex (render/README.md 4.2). */
static MeshSdef sdef_of(const PmxVertex *vertex)
{
    MeshSdef out;

    for (int i = 0; i < 3; i++) {
        const float c = vertex->sdef_c[i], r0 = vertex->sdef_r0[i], r1 = vertex->sdef_r1[i];
        const float rw = r0 * vertex->weights[0] + r1 * vertex->weights[1];

        out.center[i] = c;
        out.c0[i] = (c + (c + r0 - rw)) * 0.5f;
        out.c1[i] = (c + (c + r1 - rw)) * 0.5f;
    }
    return out;
}

static void add_vertices(Mesh *mesh, Arena *arena, Arena *scratch)
{
    const GlApi *gl = mesh->gl;
    const PmxModel *pmx = mesh->pmx;
    const uint32_t count = pmx->vertex_count, sdef_first = mesh->deform_first[PMX_SDEF];
    const uint32_t sdef_count = mesh->deform_first[PMX_SDEF + 1] - sdef_first;
    MeshRest *rest = arena_array(scratch, MeshRest, count);
    MeshSdef *sdef = arena_array(scratch, MeshSdef, sdef_count);
    float *edge_scales = arena_array(scratch, float, count);

    mesh->positions = arena_calloc(arena, count, sizeof *mesh->positions);
    mesh->uvs = arena_calloc(arena, count, sizeof *mesh->uvs);
    if (needs_extra_uv(pmx))
        mesh->extra = arena_calloc(arena, count, sizeof *mesh->extra);
    for (uint32_t i = 0; i < count; i++) {
        const PmxVertex *vertex = &pmx->vertices[i];
        const uint32_t index = mesh->buffer_index[i];

        memcpy(mesh->positions[index], vertex->position, sizeof vertex->position);
        memcpy(mesh->uvs[index], vertex->uv, sizeof vertex->uv);
        if (mesh->extra != NULL)
            memcpy(mesh->extra[index], pmx->extra_uv[0][i], sizeof *mesh->extra);
        memcpy(rest[index].normal, vertex->normal, sizeof vertex->normal);
        memcpy(rest[index].weights, vertex->weights, sizeof vertex->weights);
        for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
            rest[index].bones[k] = vertex->bones[k] > 0 ? (uint32_t)vertex->bones[k] : 0;
        if (vertex->deform == PMX_SDEF)
            sdef[index - sdef_first] = sdef_of(vertex);
        edge_scales[index] = vertex->edge_scale;
        mesh->largest_edge_scale = fmaxf(mesh->largest_edge_scale, fabsf(vertex->edge_scale));
    }
    if (pmx->map_uv != NULL) {
        float(*map_uvs)[2 * PMX_MAPS] = arena_calloc(scratch, count, sizeof *map_uvs);

        for (uint32_t i = 0; i < count; i++)
            memcpy(map_uvs[mesh->buffer_index[i]], pmx->map_uv[i], sizeof *map_uvs);
        mesh->map_uvs = gl_buffer(gl, count * sizeof *map_uvs, map_uvs, 0);
    }
    mesh->rest = gl_buffer(gl, count * sizeof *rest, rest, 0);
    mesh->sdef = gl_buffer(gl, sdef_count * sizeof *sdef, sdef, 0);
    mesh->edge_scales = gl_buffer(gl, count * sizeof *edge_scales, edge_scales, GL_MAP_READ_BIT);
}

void mesh_init(Mesh *mesh, const PmxModel *pmx, bool rigid, const GlApi *gl, Arena *arena,
               Arena *scratch)
{
    *mesh = (Mesh){.gl = gl, .pmx = pmx};
    assign_vertices(mesh, arena);
    add_vertices(mesh, arena, scratch);
    add_materials(mesh, rigid, arena, scratch);
}

void mesh_extend_range(VertexRange *range, uint32_t index)
{
    if (range->begin == range->end)
        *range = (VertexRange){index, index + 1};
    if (index < range->begin)
        range->begin = index;
    if (index >= range->end)
        range->end = index + 1;
}
