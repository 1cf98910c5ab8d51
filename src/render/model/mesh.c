#include "render/model/mesh.h"

#include <math.h>
#include <string.h>

#include "format/model/simplify.h"
#include "format/model/watertight.h"

enum {
    MIN_WATERTIGHT_FACES = 64
}; /* a shorter watertight run does not pay for its own draw call */

static const uint32_t UNASSIGNED = UINT32_MAX;

/* Of simplified shapes, MMD units: less than a pixel for a whole dancer in 1080 rows, and a sixth
 * of the depth at which self-shadows begin. */
static const float SHAPE_ERROR = 0.02f;

/* ---- order of vertices ---- */

static void count_deforms(Mesh *mesh)
{
    const PmxModel *pmx = mesh->pmx;
    uint32_t counts[MESH_DEFORMS] = {0};

    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        counts[pmx->vertices[i].deform]++;
    for (int d = 0; d < MESH_DEFORMS; d++)
        mesh->deform_first[d + 1] = mesh->deform_first[d] + counts[d];
}

static void assign_vertex(Mesh *mesh, uint32_t next[MESH_DEFORMS], uint32_t vertex)
{
    if (mesh->buffer_index[vertex] == UNASSIGNED)
        mesh->buffer_index[vertex] = next[mesh->pmx->vertices[vertex].deform]++;
}

static void assign_vertices(Mesh *mesh, Arena *arena)
{
    const PmxModel *pmx = mesh->pmx;
    uint32_t next[MESH_DEFORMS];

    count_deforms(mesh);
    memcpy(next, mesh->deform_first, sizeof next);
    mesh->buffer_index = arena_array(arena, uint32_t, pmx->vertex_count);
    memset(mesh->buffer_index, 0xff, sizeof(uint32_t) * pmx->vertex_count);
    for (uint32_t i = 0; i < pmx->index_count; i++)
        assign_vertex(mesh, next, pmx->indices[i]);
    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        assign_vertex(mesh, next, i);
}

/* ---- materials and indices ---- */

static GLenum primitive_mode(const PmxMaterial *material)
{
    if (material->flags & PMX_POINTS)
        return GL_POINTS;
    return material->flags & PMX_LINES ? GL_LINES : GL_TRIANGLES;
}

static void extend_range(Mesh *mesh, MeshMaterial *material, uint32_t vertex)
{
    const uint32_t index = mesh->buffer_index[vertex];
    VertexRange *range = &material->ranges[mesh->pmx->vertices[vertex].deform];

    if (range->begin == range->end)
        *range = (VertexRange){index, index + 1};
    if (index < range->begin)
        range->begin = index;
    if (index >= range->end)
        range->end = index + 1;
}

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

static void add_material(Mesh *mesh, uint32_t *indices, uint32_t *index_count, uint32_t number)
{
    const PmxMaterial *from = &mesh->pmx->materials[number];
    MeshMaterial *material = &mesh->materials[number];
    const uint32_t *file_indices = mesh->pmx->indices + from->first_index;

    material->mode = primitive_mode(from);
    material->first = *index_count;
    for (uint32_t i = 0; i + 2 < from->index_count; i += 3) {
        const uint32_t face[3] = {mesh->buffer_index[file_indices[i]],
                                  mesh->buffer_index[file_indices[i + 1]],
                                  mesh->buffer_index[file_indices[i + 2]]};

        for (uint32_t k = 0; k < 3; k++)
            extend_range(mesh, material, file_indices[i + k]);
        if (material->mode == GL_LINES) {
            *index_count += add_lines(indices + *index_count, face);
        } else {
            memcpy(indices + *index_count, face, sizeof face);
            *index_count += 3;
        }
    }
    material->count = *index_count - material->first;
}

static uint32_t run_length(const bool *watertight, uint32_t from, uint32_t faces)
{
    uint32_t to = from + 1;

    while (to < faces && watertight[to] == watertight[from])
        to++;
    return to - from;
}

/* Splits the faces into watertight and other runs; a short watertight run is merged into the
 * preceding other run. */
static void add_runs(MeshMaterial *material, const bool *watertight, Arena *arena)
{
    const uint32_t faces = material->count / 3;
    ARENA_LIST(MeshRun) runs = {0};

    for (uint32_t i = 0, length; i < faces; i += length) {
        length = run_length(watertight, i, faces);
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

/* Temporary data of all materials of a mesh. */
typedef struct Builder {
    Mesh *mesh;
    uint32_t *indices;
    uint32_t index_count;
    const uint32_t *weld;
    const bool *fixed; /* [vertex_count]: moved by a morph; NULL: shapes are not simplified */
    Arena *arena;
} Builder;

/* Appends the simplified triangles of all faces whose `watertight` has this value. */
static MeshRun add_shape(Builder *b, const PmxMaterial *material, const bool *watertight,
                         bool value)
{
    const PmxModel *pmx = b->mesh->pmx;
    uint32_t *out = b->indices + b->index_count, count = 0;
    Arena *scratch = arena_create();

    for (uint32_t i = 0; i + 2 < material->index_count; i += 3)
        for (uint32_t k = 0; k < 3 && watertight[i / 3] == value; k++)
            out[count++] = b->weld[pmx->indices[material->first_index + i + k]];
    count = simplify_triangles(out, count, pmx, b->fixed, SHAPE_ERROR, scratch);
    arena_destroy(scratch);
    for (uint32_t i = 0; i < count; i++)
        out[i] = b->mesh->buffer_index[out[i]];

    const MeshRun run = {b->index_count, count, value};
    b->index_count += count;
    return run;
}

static void add_shapes(Builder *b, MeshMaterial *material, const PmxMaterial *pmx_material,
                       const bool *watertight)
{
    material->shape_runs = arena_array(b->arena, MeshRun, 2);
    for (int value = 0; value < 2; value++) {
        const MeshRun run = add_shape(b, pmx_material, watertight, value != 0);

        if (run.count > 0)
            material->shape_runs[material->shape_run_count++] = run;
    }
}

static void split_material(Builder *b, uint32_t number)
{
    MeshMaterial *material = &b->mesh->materials[number];
    const PmxMaterial *pmx_material = &b->mesh->pmx->materials[number];
    Arena *scratch = arena_create();
    bool *watertight = arena_array(scratch, bool, material->count / 3 + 1);

    if (material->mode == GL_TRIANGLES) {
        watertight_faces(watertight, b->mesh->pmx, pmx_material, b->weld, scratch);
        add_runs(material, watertight, b->arena);
    } else {
        material->runs = arena_array(b->arena, MeshRun, 1);
        material->runs[0] = (MeshRun){material->first, material->count, false};
        material->run_count = 1;
    }
    if (material->mode == GL_TRIANGLES && b->fixed != NULL) {
        add_shapes(b, material, pmx_material, watertight);
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

static void add_materials(Mesh *mesh, bool rigid, const GlApi *gl, Arena *arena, Arena *scratch)
{
    const PmxModel *pmx = mesh->pmx;
    Builder b = {.mesh = mesh, .weld = watertight_weld(pmx, scratch), .arena = arena};
    size_t capacity = 0;

    for (uint32_t i = 0; i < pmx->material_count; i++)
        capacity += 2 * (size_t)pmx->materials[i].index_count; /* edges of lines; or shapes */
    b.indices = arena_array(scratch, uint32_t, capacity);
    if (rigid)
        b.fixed = morphed_vertices(pmx, b.weld, scratch);

    mesh->materials = arena_array(arena, MeshMaterial, pmx->material_count);
    for (uint32_t i = 0; i < pmx->material_count; i++)
        add_material(mesh, b.indices, &b.index_count, i);
    for (uint32_t i = 0; i < pmx->material_count; i++)
        split_material(&b, i);
    mesh->index_count = b.index_count;
    mesh->indices = mesh_buffer(gl, b.index_count * sizeof *b.indices, b.indices, GL_MAP_READ_BIT);
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

static void add_rest(MeshRest *out, const PmxVertex *vertex)
{
    memcpy(out->normal, vertex->normal, sizeof out->normal);
    memcpy(out->weights, vertex->weights, sizeof out->weights);
    for (int i = 0; i < PMX_MAX_WEIGHTS; i++)
        out->bones[i] = vertex->bones[i] > 0 ? (uint32_t)vertex->bones[i] : 0;
}

/* c0 and c1 are constants of the vertex (render/README.md 4.2). */
static void add_sdef(MeshSdef *out, const PmxVertex *vertex)
{
    for (int i = 0; i < 3; i++) {
        const float c = vertex->sdef_c[i], r0 = vertex->sdef_r0[i], r1 = vertex->sdef_r1[i];
        const float rw = r0 * vertex->weights[0] + r1 * vertex->weights[1];

        out->center[i] = c;
        out->c0[i] = (c + (c + r0 - rw)) * 0.5f;
        out->c1[i] = (c + (c + r1 - rw)) * 0.5f;
    }
}

static void add_vertices(Mesh *mesh, const GlApi *gl, Arena *arena, Arena *scratch)
{
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
        add_rest(&rest[index], vertex);
        if (vertex->deform == PMX_SDEF)
            add_sdef(&sdef[index - sdef_first], vertex);
        edge_scales[index] = vertex->edge_scale;
        mesh->largest_edge_scale = fmaxf(mesh->largest_edge_scale, fabsf(vertex->edge_scale));
    }
    mesh->rest = mesh_buffer(gl, count * sizeof *rest, rest, 0);
    mesh->sdef = mesh_buffer(gl, sdef_count * sizeof *sdef, sdef, 0);
    mesh->edge_scales = mesh_buffer(gl, count * sizeof *edge_scales, edge_scales, GL_MAP_READ_BIT);
}

GLuint mesh_buffer(const GlApi *gl, size_t size, const void *data, GLbitfield flags)
{
    static const char NOTHING[1] = {0};
    GLuint name = 0;

    gl->CreateBuffers(1, &name);
    if (size > 0)
        gl->NamedBufferStorage(name, (GLsizeiptr)size, data, flags);
    else
        gl->NamedBufferStorage(name, 1, NOTHING, flags);
    return name;
}

const void *mesh_map(const GlApi *gl, GLuint buffer, size_t size)
{
    return gl->MapNamedBufferRange(buffer, 0, (GLsizeiptr)size, GL_MAP_READ_BIT);
}

void mesh_init(Mesh *mesh, const PmxModel *pmx, bool rigid, const GlApi *gl, Arena *arena,
               Arena *scratch)
{
    *mesh = (Mesh){.pmx = pmx};
    assign_vertices(mesh, arena);
    add_vertices(mesh, gl, arena, scratch);
    add_materials(mesh, rigid, gl, arena, scratch);
}
