// SPDX-License-Identifier: MIT
#include "format/model/xfile_mesh.h"

#include <inttypes.h>
#include <string.h>

#include "math/weld.h"

/* ---- reading ---- */

static bool read_vectors(float (**out)[3], uint32_t *count, const char *what, XLexer *lex,
                         Arena *arena)
{
    if (!xfile_read_count(count, xfile_lexer_max_numbers(lex) / 3, what, lex))
        return false;
    *out = arena_calloc(arena, *count, sizeof **out);
    return xfile_read_floats((*out)[0], 3 * (size_t)*count, lex);
}

/* Faces: "3;0,1,2;" each */
static bool read_faces(XFaces *faces, XLexer *lex, Arena *arena)
{
    *faces = (XFaces){0};
    if (!xfile_read_count(&faces->count, xfile_lexer_max_numbers(lex), "faces", lex))
        return false;
    faces->first = arena_array(arena, uint32_t, (size_t)faces->count + 1);
    for (uint32_t i = 0; i < faces->count; i++) {
        uint32_t corners = 0;
        if (!xfile_read_count(&corners, xfile_lexer_max_numbers(lex), "corners of a face", lex))
            return false;
        for (uint32_t k = 0; k < corners; k++)
            if (!xfile_read_index(arena_push(arena, &faces->corners), lex))
                return false;
        faces->first[i + 1] = (uint32_t)faces->corners.count;
    }
    return true;
}

bool xfile_mesh_read(XMesh *mesh, XLexer *lex, Arena *arena)
{
    *mesh = (XMesh){0};
    return read_vectors(&mesh->positions, &mesh->position_count, "vertices", lex, arena) &&
           read_faces(&mesh->faces, lex, arena);
}

bool xfile_mesh_read_normals(XMesh *mesh, XLexer *lex, Arena *arena)
{
    return read_vectors(&mesh->normals, &mesh->normal_count, "normals", lex, arena) &&
           read_faces(&mesh->normal_faces, lex, arena);
}

bool xfile_mesh_read_uvs(XMesh *mesh, XLexer *lex, Arena *arena)
{
    if (!xfile_read_count(&mesh->uv_count, xfile_lexer_max_numbers(lex) / 2, "texture coordinates",
                          lex))
        return false;
    mesh->uvs = arena_calloc(arena, mesh->uv_count, sizeof *mesh->uvs);
    return xfile_read_floats(mesh->uvs[0], 2 * (size_t)mesh->uv_count, lex);
}

bool xfile_mesh_read_slots(XMesh *mesh, XLexer *lex, Arena *arena)
{
    uint32_t materials = 0; /* ignored: the materials that follow are counted */
    if (!xfile_read_index(&materials, lex) ||
        !xfile_read_count(&mesh->slot_count, xfile_lexer_max_numbers(lex), "faces with a material",
                          lex))
        return false;
    mesh->slots = arena_array(arena, uint32_t, mesh->slot_count);
    for (uint32_t i = 0; i < mesh->slot_count; i++)
        if (!xfile_read_index(&mesh->slots[i], lex))
            return false;
    return true;
}

/* ---- normals ---- */

static bool same_corners(const XFaces *a, const XFaces *b)
{
    return a->count == b->count &&
           !memcmp(a->first, b->first, ((size_t)a->count + 1) * sizeof *a->first);
}

static bool normals_are_usable(const XMesh *mesh)
{
    if (!mesh->normals || !same_corners(&mesh->faces, &mesh->normal_faces))
        return false;
    for (size_t i = 0; i < mesh->normal_faces.corners.count; i++)
        if (mesh->normal_faces.corners.items[i] >= mesh->normal_count)
            return false;
    return true;
}

/* Length is twice the area of the triangle; points to the side where it is clockwise. */
static void face_normal(float out[3], const float a[3], const float b[3], const float c[3])
{
    const float u[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
    const float v[3] = {c[0] - a[0], c[1] - a[1], c[2] - a[2]};
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = u[i] * v[j] - u[j] * v[i];
    }
}

static bool face_is_valid(const XMesh *mesh, uint32_t face)
{
    for (uint32_t i = mesh->faces.first[face]; i < mesh->faces.first[face + 1]; i++)
        if (mesh->faces.corners.items[i] >= mesh->position_count)
            return false;
    return true;
}

static void add_face_normal(const XMesh *mesh, float (*sums)[3], uint32_t face)
{
    const uint32_t count = mesh->faces.first[face + 1] - mesh->faces.first[face];
    if (count < 3)
        return;
    const uint32_t *corners = mesh->faces.corners.items + mesh->faces.first[face];
    float sum[3] = {0, 0, 0}, normal[3];
    for (uint32_t i = 2; i < count; i++) {
        face_normal(normal, mesh->positions[corners[0]], mesh->positions[corners[i - 1]],
                    mesh->positions[corners[i]]);
        for (int k = 0; k < 3; k++)
            sum[k] += normal[k];
    }
    for (uint32_t i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            sums[corners[i]][k] += sum[k];
}

/* One normal per position: the sum of the normals of its faces, weighted by area. */
static void compute_normals(XMesh *mesh, Arena *scratch)
{
    mesh->normals = arena_calloc(scratch, mesh->position_count, sizeof *mesh->normals);
    mesh->normal_count = mesh->position_count;
    mesh->normal_faces = mesh->faces;
    for (uint32_t i = 0; i < mesh->faces.count; i++)
        if (face_is_valid(mesh, i))
            add_face_normal(mesh, mesh->normals, i);
}

/* ---- vertices ---- */

/* Hash table from a pair of position and normal to its vertex; at most half full. */
typedef struct VertexTable {
    struct VertexEntry {
        uint32_t position, normal, vertex; /* vertex: index + 1, or 0 if the entry is free */
    } * items;
    size_t mask;
} VertexTable;

static struct VertexEntry *table_find(const VertexTable *table, uint32_t position, uint32_t normal)
{
    size_t at = (size_t)weld_hash((uint64_t)position << 32 | normal) & table->mask;
    while (table->items[at].vertex &&
           (table->items[at].position != position || table->items[at].normal != normal))
        at = (at + 1) & table->mask;
    return &table->items[at];
}

typedef struct MeshBuilder {
    XShape *shape;
    const XMesh *mesh;
    VertexTable table;
    Arena *arena;
} MeshBuilder;

static uint32_t find_or_add_vertex(MeshBuilder *b, uint32_t corner)
{
    const XMesh *mesh = b->mesh;
    const uint32_t position = mesh->faces.corners.items[corner];
    const uint32_t normal = mesh->normal_faces.corners.items[corner];
    struct VertexEntry *entry = table_find(&b->table, position, normal);

    if (entry->vertex)
        return entry->vertex - 1;
    PmxVertex *v = arena_push(b->arena, &b->shape->vertices);
    *v = (PmxVertex){.edge_scale = 1.0f, .deform = PMX_BDEF1, .weights = {1.0f}};
    memcpy(v->position, mesh->positions[position], sizeof v->position);
    memcpy(v->normal, mesh->normals[normal], sizeof v->normal);
    if (position < mesh->uv_count)
        memcpy(v->uv, mesh->uvs[position], sizeof v->uv);
    *entry = (struct VertexEntry){position, normal, (uint32_t)b->shape->vertices.count};
    return entry->vertex - 1;
}

/* Adds a triangle fan around the first corner.  Returns the number of indices. */
static uint32_t add_face(MeshBuilder *b, uint32_t face)
{
    const uint32_t first = b->mesh->faces.first[face], end = b->mesh->faces.first[face + 1];
    if (end - first < 3) /* points and lines */
        return 0;
    const uint32_t center = find_or_add_vertex(b, first);
    uint32_t last = find_or_add_vertex(b, first + 1);
    for (uint32_t i = first + 2; i < end; i++) {
        const uint32_t next = find_or_add_vertex(b, i);
        *arena_push(b->arena, &b->shape->indices) = center;
        *arena_push(b->arena, &b->shape->indices) = last;
        *arena_push(b->arena, &b->shape->indices) = next;
        last = next;
    }
    return (end - first - 2) * 3;
}

/* ---- materials ---- */

static uint32_t face_slot(const XMesh *mesh, uint32_t face)
{
    if (!mesh->slot_count)
        return 0;
    const uint32_t slot = mesh->slots[face < mesh->slot_count ? face : mesh->slot_count - 1];
    return slot < mesh->material_count ? slot : 0;
}

static void warn_bad_slots(const XMesh *mesh, Diag *diag)
{
    uint32_t bad = 0;
    for (uint32_t i = 0; i < mesh->slot_count; i++)
        bad += mesh->slots[i] >= mesh->material_count;
    if (bad)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32 " faces of a mesh have a material out of range; the first one is used",
                  bad);
}

/* Face numbers sorted by material; faces of one material keep the order of the file. */
static uint32_t *sort_faces(const XMesh *mesh, Arena *scratch)
{
    uint32_t *next = arena_array(scratch, uint32_t, (size_t)mesh->material_count + 1);
    uint32_t *order = arena_array(scratch, uint32_t, mesh->faces.count);
    for (uint32_t i = 0; i < mesh->faces.count; i++)
        next[face_slot(mesh, i) + 1]++;
    for (uint32_t s = 1; s <= mesh->material_count; s++)
        next[s] += next[s - 1];
    for (uint32_t i = 0; i < mesh->faces.count; i++)
        order[next[face_slot(mesh, i)]++] = i;
    return order;
}

void xfile_mesh_build(XShape *shape, uint32_t *index_counts, XMesh *mesh, Arena *arena,
                      Arena *scratch, Diag *diag)
{
    uint32_t bad = 0;

    if (!normals_are_usable(mesh)) {
        if (mesh->normals)
            diag_warn(diag, WARN_BAD_VALUE,
                      "normals of a mesh do not match its faces; they are computed");
        compute_normals(mesh, scratch);
    }
    warn_bad_slots(mesh, diag);
    const uint32_t *order = sort_faces(mesh, scratch);
    const size_t size = weld_table_size(mesh->faces.corners.count);
    MeshBuilder b = {.shape = shape,
                     .mesh = mesh,
                     .table = {arena_array(scratch, struct VertexEntry, size), size - 1},
                     .arena = arena};
    for (uint32_t i = 0; i < mesh->faces.count; i++) {
        if (face_is_valid(mesh, order[i]))
            index_counts[face_slot(mesh, order[i])] += add_face(&b, order[i]);
        else
            bad++;
    }
    if (bad)
        diag_warn(diag, WARN_BAD_REFERENCE,
                  "%" PRIu32 " faces of a mesh have a vertex out of range (0..%" PRId64
                  ") and are ignored",
                  bad, (int64_t)mesh->position_count - 1);
}
