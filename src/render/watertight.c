#include "render/watertight.h"

#include <string.h>

#include "math/weld.h"

static const uint32_t EMPTY = UINT32_MAX;

/* ---- corners ---- */

static uint64_t mixed_floats(uint64_t h, const float *values, int count)
{
    for (int i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, &values[i], sizeof bits);
        h = weld_hash(h ^ bits);
    }
    return h;
}

/* What each vertex morph does to each vertex, in one number; 0: nothing. */
static uint64_t *morph_marks(const PmxModel *pmx, Arena *arena)
{
    uint64_t *marks = arena_array(arena, uint64_t, pmx->vertex_count);

    for (uint32_t m = 0; m < pmx->morph_count; m++) {
        const PmxMorph *morph = &pmx->morphs[m];

        for (uint32_t i = 0; morph->type == PMX_MORPH_VERTEX && i < morph->count; i++) {
            const PmxVertexOffset *offset = &morph->offsets.vertex[i];
            uint64_t *mark = &marks[offset->vertex];

            *mark = mixed_floats(weld_hash(*mark ^ m), offset->offset, 3);
        }
    }
    return marks;
}

static uint64_t vertex_mark(const PmxVertex *v, uint64_t morph_mark)
{
    uint64_t h = mixed_floats(weld_hash(morph_mark ^ v->deform), v->position, 3);

    for (int i = 0; i < PMX_MAX_WEIGHTS; i++)
        h = weld_hash(h ^ (uint32_t)v->bones[i]);
    h = mixed_floats(h, v->weights, PMX_MAX_WEIGHTS);
    h = mixed_floats(h, v->sdef_c, 3);
    h = mixed_floats(h, v->sdef_r0, 3);
    return mixed_floats(h, v->sdef_r1, 3);
}

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

/* ---- pieces ---- */

typedef struct Edge {
    uint32_t low, high; /* welded vertices; EMPTY: a free place */
    uint32_t face;      /* the first that has it */
    int32_t balance;    /* times passed upwards minus times passed downwards */
} Edge;

typedef struct Pieces {
    uint32_t *parent; /* [face]: union-find forest */
    Edge *edges;
    size_t edge_size;
} Pieces;

static uint32_t root_of(Pieces *pieces, uint32_t face)
{
    uint32_t *parent = pieces->parent;

    while (parent[face] != face)
        face = parent[face] = parent[parent[face]];
    return face;
}

static void add_edge(Pieces *pieces, uint32_t from, uint32_t to, uint32_t face)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    size_t at = weld_hash((uint64_t)low << 32 | high) & (pieces->edge_size - 1);

    if (from == to)
        return;
    while (pieces->edges[at].low != EMPTY &&
           (pieces->edges[at].low != low || pieces->edges[at].high != high))
        at = (at + 1) & (pieces->edge_size - 1);

    Edge *edge = &pieces->edges[at];
    if (edge->low == EMPTY)
        *edge = (Edge){low, high, face, 0};
    edge->balance += from < to ? 1 : -1;
    pieces->parent[root_of(pieces, face)] = root_of(pieces, edge->face);
}

/* Six times the volume under a face as seen from the origin; outward faces of a closed piece add up
 * to more than 0. */
static double volume_under(const PmxModel *pmx, const uint32_t face[3])
{
    const float *a = pmx->vertices[face[0]].position, *b = pmx->vertices[face[1]].position;
    const float *c = pmx->vertices[face[2]].position;
    const double bx = (double)b[0], by = (double)b[1], bz = (double)b[2];
    const double cx = (double)c[0], cy = (double)c[1], cz = (double)c[2];

    return (double)a[0] * (by * cz - bz * cy) + (double)a[1] * (bz * cx - bx * cz) +
           (double)a[2] * (bx * cy - by * cx);
}

void watertight_find(bool *closed, const PmxModel *pmx, const PmxMaterial *material,
                     const uint32_t *weld, Arena *scratch)
{
    const uint32_t faces = material->index_count / 3;
    const uint32_t *indices = pmx->indices + material->first_index;
    Pieces pieces = {.parent = arena_array(scratch, uint32_t, faces),
                     .edge_size = weld_table_size((size_t)faces * 3)};
    bool *open = arena_array(scratch, bool, faces);
    double *volume = arena_array(scratch, double, faces);

    pieces.edges = arena_array(scratch, Edge, pieces.edge_size);
    memset(pieces.edges, 0xff, pieces.edge_size * sizeof *pieces.edges);
    for (uint32_t i = 0; i < faces; i++)
        pieces.parent[i] = i;
    for (uint32_t i = 0; i < 3 * faces; i++) {
        const uint32_t next = i % 3 == 2 ? i - 2 : i + 1;

        add_edge(&pieces, weld[indices[i]], weld[indices[next]], i / 3);
    }
    for (size_t i = 0; i < pieces.edge_size; i++)
        if (pieces.edges[i].low != EMPTY && pieces.edges[i].balance != 0)
            open[root_of(&pieces, pieces.edges[i].face)] = true;
    for (uint32_t i = 0; i < faces; i++)
        volume[root_of(&pieces, i)] += volume_under(pmx, indices + 3 * (size_t)i);
    for (uint32_t i = 0; i < faces; i++) {
        const uint32_t root = root_of(&pieces, i);

        closed[i] = !open[root] && volume[root] > 0.0;
    }
}
