// SPDX-License-Identifier: MIT
#include "format/model/watertight.h"

#include <string.h>

#include "math/weld.h"

static const uint32_t EMPTY = UINT32_MAX;

/* ---- weld ---- */

static uint64_t hash_floats(uint64_t h, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        h = weld_hash(h ^ bits);
    }
    return h;
}

/* A hash of what all vertex morphs do to each vertex; 0 for a vertex without offsets. */
static uint64_t *morph_marks(const PmxModel *pmx, Arena *arena)
{
    uint64_t *marks = arena_array(arena, uint64_t, pmx->vertex_count);

    for (uint32_t m = 0; m < pmx->morph_count; m++) {
        const PmxMorph *morph = &pmx->morphs[m];

        for (uint32_t i = 0; morph->type == PMX_MORPH_VERTEX && i < morph->count; i++) {
            const PmxVertexOffset *offset = &morph->offsets.vertex[i];
            uint64_t *mark = &marks[offset->vertex];

            *mark = hash_floats(weld_hash(*mark ^ m), offset->offset, 3);
        }
    }
    return marks;
}

static uint64_t vertex_mark(const PmxVertex *v, uint64_t morph_mark)
{
    uint64_t h = hash_floats(weld_hash(morph_mark ^ v->deform), v->position, 3);

    for (int i = 0; i < PMX_MAX_WEIGHTS; i++)
        h = weld_hash(h ^ (uint32_t)v->bones[i]);
    h = hash_floats(h, v->weights, PMX_MAX_WEIGHTS);
    h = hash_floats(h, v->sdef_c, 3);
    h = hash_floats(h, v->sdef_r0, 3);
    return hash_floats(h, v->sdef_r1, 3);
}

/* Equal 64-bit hashes count as equal vertices. */
uint32_t *watertight_weld(const PmxModel *pmx, Arena *arena)
{
    Arena *scratch = arena_create();
    uint64_t *marks = morph_marks(pmx, scratch);

    for (uint32_t i = 0; i < pmx->vertex_count; i++)
        marks[i] = vertex_mark(&pmx->vertices[i], marks[i]);
    uint32_t *weld = weld_keys(marks, 1, pmx->vertex_count, arena);
    arena_destroy(scratch);
    return weld;
}

/* ---- components ---- */

typedef struct Edge {
    uint32_t low, high; /* welded vertices; EMPTY: a free slot */
    uint32_t face;      /* the first face with this edge */
    int32_t balance;    /* number of upward minus downward traversals */
} Edge;

typedef struct Components {
    uint32_t *parent; /* [face]: union-find forest */
    Edge *edges;
    size_t edge_size;
} Components;

static uint32_t find_root(Components *components, uint32_t face)
{
    uint32_t *parent = components->parent;

    while (parent[face] != face)
        face = parent[face] = parent[parent[face]];
    return face;
}

static void add_edge(Components *components, uint32_t from, uint32_t to, uint32_t face)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    size_t slot = weld_hash((uint64_t)low << 32 | high) & (components->edge_size - 1);

    if (from == to)
        return;
    while (components->edges[slot].low != EMPTY &&
           (components->edges[slot].low != low || components->edges[slot].high != high))
        slot = (slot + 1) & (components->edge_size - 1);

    Edge *edge = &components->edges[slot];
    if (edge->low == EMPTY)
        *edge = (Edge){low, high, face, 0};
    edge->balance += from < to ? 1 : -1;
    components->parent[find_root(components, face)] = find_root(components, edge->face);
}

/* Six times the signed volume of the tetrahedron between a face and the origin; for a watertight
 * component with outward faces the sum is positive. */
static double signed_volume(const PmxModel *pmx, const uint32_t face[3])
{
    const float *a = pmx->vertices[face[0]].position, *b = pmx->vertices[face[1]].position;
    const float *c = pmx->vertices[face[2]].position;
    const double bx = (double)b[0], by = (double)b[1], bz = (double)b[2];
    const double cx = (double)c[0], cy = (double)c[1], cz = (double)c[2];

    return (double)a[0] * (by * cz - bz * cy) + (double)a[1] * (bz * cx - bx * cz) +
           (double)a[2] * (bx * cy - by * cx);
}

void watertight_faces(bool *watertight, const PmxModel *pmx, const PmxMaterial *material,
                      const uint32_t *weld, Arena *scratch)
{
    const uint32_t faces = material->index_count / 3;
    const uint32_t *indices = pmx->indices + material->first_index;
    Components components = {.parent = arena_array(scratch, uint32_t, faces),
                             .edge_size = weld_table_size((size_t)faces * 3)};
    bool *open = arena_array(scratch, bool, faces);
    double *volume = arena_array(scratch, double, faces);

    components.edges = arena_array(scratch, Edge, components.edge_size);
    memset(components.edges, 0xff, components.edge_size * sizeof *components.edges);
    for (uint32_t i = 0; i < faces; i++)
        components.parent[i] = i;
    for (uint32_t i = 0; i < 3 * faces; i++) {
        const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;

        add_edge(&components, weld[indices[i]], weld[indices[next]], i / 3);
    }
    for (size_t i = 0; i < components.edge_size; i++)
        if (components.edges[i].low != EMPTY && components.edges[i].balance != 0)
            open[find_root(&components, components.edges[i].face)] = true;
    for (uint32_t i = 0; i < faces; i++)
        volume[find_root(&components, i)] += signed_volume(pmx, indices + 3 * (size_t)i);
    for (uint32_t i = 0; i < faces; i++) {
        const uint32_t root = find_root(&components, i);

        watertight[i] = !open[root] && volume[root] > 0.0;
    }
}
