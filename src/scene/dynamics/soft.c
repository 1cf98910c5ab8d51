// SPDX-License-Identifier: MIT
#include "scene/dynamics/soft.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/rotation.h"
#include "math/scalar.h"
#include "scene/mesh_patch.h"

enum {
    MAX_BENDS = 32,          /* bending links per node, on average */
    BEND_WORK = 32 * 1000000 /* limit of visited nodes: about a second */
};

typedef struct SoftBuilder {
    SoftPlan *plan;
    const PmxModel *pmx;
    const PmxMaterial *material;
    MeshPatch patch;
    uint64_t *edges; /* low node in the upper half, each edge once, rising */
    uint32_t edge_count;
    uint32_t *first_near, *near; /* neighbours of node n: near[first_near[n]] .. */
    Arena *arena, *scratch;
} SoftBuilder;

/* ---- triangles ---- */

static void list_triangles(SoftBuilder *w)
{
    SoftPlan *plan = w->plan;
    const PmxMaterial *material = w->material;

    plan->triangles = arena_array(w->arena, SoftTriangle, (size_t)material->index_count / 3 + 1);
    for (uint32_t i = 0; i + 2 < material->index_count; i += 3) {
        SoftTriangle *t = &plan->triangles[plan->triangle_count];
        uint32_t slots[3];
        mesh_patch_orient(slots, &w->patch, &w->pmx->indices[material->first_index + i]);
        for (int k = 0; k < 3; k++) {
            t->nodes[k] = plan->nodes[slots[k]];
            t->sides[k] = plan->sides[slots[k]];
        }
        plan->triangle_count +=
            t->nodes[0] != t->nodes[1] && t->nodes[1] != t->nodes[2] && t->nodes[2] != t->nodes[0];
    }
}

typedef struct Corners {
    uint32_t nodes[3]; /* rising */
    uint32_t triangle;
} Corners;

static int by_corners(const void *left, const void *right)
{
    const Corners *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a->nodes[i] != b->nodes[i])
            return a->nodes[i] < b->nodes[i] ? -1 : 1;
    return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* An inner and an outer layer at the same positions are one face. */
static void list_faces(SoftBuilder *w)
{
    SoftPlan *plan = w->plan;
    const uint32_t count = plan->triangle_count;
    Corners *corners = arena_array(w->scratch, Corners, count);
    bool *again = arena_array(w->scratch, bool, count);

    for (uint32_t t = 0; t < count; t++) {
        uint32_t *n = corners[t].nodes;
        memcpy(n, plan->triangles[t].nodes, sizeof corners[t].nodes);
        scalar_sort_three(n);
        corners[t].triangle = t;
    }
    if (count)
        qsort(corners, count, sizeof *corners, by_corners);
    for (uint32_t t = 1; t < count; t++)
        again[corners[t].triangle] =
            !memcmp(corners[t].nodes, corners[t - 1].nodes, sizeof corners[t].nodes);
    plan->faces = arena_array(w->arena, uint32_t, count);
    for (uint32_t t = 0; t < count; t++)
        if (!again[t])
            plan->faces[plan->face_count++] = t;
}

/* ---- pins and anchors ---- */

/* The node of a vertex of the model, or -1. */
static int64_t node_at(const SoftBuilder *w, uint32_t vertex)
{
    const uint32_t slot = w->patch.slots[vertex];
    return slot != UINT32_MAX ? (int64_t)w->plan->nodes[slot] : -1;
}

static void find_supports(SoftBuilder *w, Diag *diag)
{
    SoftPlan *plan = w->plan;
    const PmxSoftBody *file = plan->file;
    uint32_t strange = 0;

    plan->supports = arena_array(w->arena, uint8_t, plan->node_count);
    plan->anchors = arena_array(w->arena, SoftAnchor, file->anchor_count);
    for (uint32_t i = 0; i < file->pin_count; i++) {
        const int64_t node = node_at(w, file->pins[i]);
        if (node >= 0)
            plan->supports[node] = SOFT_PINNED;
        strange += node < 0;
    }
    for (uint32_t i = 0; i < file->anchor_count; i++) {
        const PmxSoftAnchor *anchor = &file->anchors[i];
        const int64_t node = anchor->body < 0 ? -1 : node_at(w, anchor->vertex);
        strange += node < 0;
        if (node < 0 || plan->supports[node] == SOFT_PINNED)
            continue;
        plan->supports[node] = SOFT_ANCHORED;
        plan->anchors[plan->anchor_count++] = (SoftAnchor){(uint32_t)node, (uint32_t)anchor->body};
    }
    if (strange)
        diag_warn(diag, WARN_SOFT_BODY,
                  "%" PRIu32 " pins or anchors are not on its material: ignored", strange);
}

static int32_t find_home(const SoftBuilder *w)
{
    const SoftPlan *plan = w->plan;
    for (uint32_t n = 0; n < plan->node_count; n++)
        if (plan->supports[n] == SOFT_PINNED)
            return w->pmx->vertices[plan->node_vertices[n]].bones[0];
    if (plan->anchor_count)
        return w->pmx->bodies[plan->anchors[0].body].bone;
    return w->pmx->vertices[plan->node_vertices[0]].bones[0];
}

/* ---- links ---- */

static int by_number(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static void find_edges(SoftBuilder *w)
{
    const SoftPlan *plan = w->plan;
    const uint32_t count = plan->triangle_count * 3;
    uint64_t *edges = arena_array(w->scratch, uint64_t, count);

    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *n = plan->triangles[i / 3].nodes;
        const uint32_t a = n[i % 3], b = n[(i + 1) % 3];
        edges[i] = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
    }
    if (count)
        qsort(edges, count, sizeof *edges, by_number);
    for (uint32_t i = 0; i < count; i++)
        if (!w->edge_count || edges[w->edge_count - 1] != edges[i])
            edges[w->edge_count++] = edges[i];
    w->edges = edges;
}

static void find_neighbours(SoftBuilder *w)
{
    const uint32_t nodes = w->plan->node_count;
    uint32_t *first = arena_array(w->scratch, uint32_t, (size_t)nodes + 2);

    w->near = arena_array(w->scratch, uint32_t, (size_t)w->edge_count * 2);
    for (uint32_t i = 0; i < w->edge_count; i++) {
        first[(w->edges[i] >> 32) + 2]++;
        first[(uint32_t)w->edges[i] + 2]++;
    }
    for (uint32_t n = 2; n < nodes + 2; n++)
        first[n] += first[n - 1];
    for (uint32_t i = 0; i < w->edge_count; i++) {
        const uint32_t a = (uint32_t)(w->edges[i] >> 32), b = (uint32_t)w->edges[i];
        w->near[first[a + 1]++] = b;
        w->near[first[b + 1]++] = a;
    }
    w->first_near = first;
}

static void add_link(SoftPlan *plan, uint32_t a, uint32_t b)
{
    if (plan->supports[a] == SOFT_PINNED && plan->supports[b] == SOFT_PINNED)
        return;
    plan->links[plan->link_count][0] = a;
    plan->links[plan->link_count++][1] = b;
}

/* Links each node to those of higher number that are `distance` edges away.  False: too many. */
static bool add_bends(SoftBuilder *w, uint32_t distance, uint32_t max_links)
{
    SoftPlan *plan = w->plan;
    uint32_t *queue = arena_array(w->scratch, uint32_t, plan->node_count);
    uint32_t *depth = arena_array(w->scratch, uint32_t, plan->node_count);
    uint32_t *seen = arena_array(w->scratch, uint32_t, plan->node_count); /* from node + 1 */
    size_t work = 0;

    for (uint32_t from = 0; from < plan->node_count; from++) {
        uint32_t queued = 1;
        queue[0] = from;
        depth[from] = 0;
        seen[from] = from + 1;
        for (uint32_t q = 0; q < queued; q++) {
            const uint32_t n = queue[q];
            if (depth[n] == distance && n > from)
                add_link(plan, from, n);
            if (plan->link_count >= max_links || work > BEND_WORK)
                return false;
            for (uint32_t i = w->first_near[n]; depth[n] < distance && i < w->first_near[n + 1];
                 i++, work++) {
                const uint32_t next = w->near[i];
                if (seen[next] == from + 1)
                    continue;
                seen[next] = from + 1;
                depth[next] = depth[n] + 1;
                queue[queued++] = next;
            }
        }
    }
    return true;
}

static void link_nodes(SoftBuilder *w, Diag *diag)
{
    SoftPlan *plan = w->plan;
    const PmxSoftBody *file = plan->file;
    const uint32_t max_links = w->edge_count + MAX_BENDS * plan->node_count;
    const bool bends = file->flags & PMX_SOFT_B_LINK && file->b_link_distance > 1;
    const uint32_t distance =
        (uint32_t)(file->b_link_distance < SOFT_MAX_BEND ? file->b_link_distance : SOFT_MAX_BEND);

    plan->links = arena_calloc(w->arena, bends ? max_links : w->edge_count, sizeof *plan->links);
    for (uint32_t i = 0; i < w->edge_count; i++)
        add_link(plan, (uint32_t)(w->edges[i] >> 32), (uint32_t)w->edges[i]);
    if (bends && !add_bends(w, distance, max_links))
        diag_warn(diag, WARN_SOFT_BODY,
                  "more than %" PRIu32 " bending links: the others are ignored", max_links);
}

/* ---- lengths of chains ---- */

static float between(const SoftBuilder *w, uint32_t a, uint32_t b)
{
    const Vec3 p = vec3_load(w->pmx->vertices[w->plan->node_vertices[a]].position);
    const Vec3 q = vec3_load(w->pmx->vertices[w->plan->node_vertices[b]].position);
    return (float)vec3_length(vec3_sub(p, q));
}

static void find_reach(SoftBuilder *w)
{
    SoftPlan *plan = w->plan;
    uint32_t *queue = arena_array(w->scratch, uint32_t, plan->node_count);
    bool *is_queued = arena_array(w->scratch, bool, plan->node_count);
    uint32_t queued = 0;

    plan->max_distance = arena_array(w->arena, float, plan->node_count);
    plan->holder = arena_array(w->arena, uint32_t, plan->node_count);
    for (uint32_t n = 0; n < plan->node_count; n++) {
        plan->max_distance[n] = plan->supports[n] == SOFT_FREE ? INFINITY : 0;
        plan->holder[n] = n;
        is_queued[n] = plan->supports[n] != SOFT_FREE;
        if (is_queued[n])
            queue[queued++] = n;
    }
    for (uint32_t q = 0; q < queued; q++) {
        const uint32_t n = queue[q];
        for (uint32_t i = w->first_near[n]; i < w->first_near[n + 1]; i++) {
            const uint32_t next = w->near[i];
            if (is_queued[next])
                continue;
            is_queued[next] = true;
            plan->max_distance[next] = plan->max_distance[n] + between(w, n, next);
            plan->holder[next] = plan->holder[n];
            queue[queued++] = next;
        }
    }
}

/* ---- public functions ---- */

static bool plan_body(SoftPlan *plan, const PmxModel *pmx, Arena *arena, Arena *scratch, Diag *diag)
{
    const PmxSoftBody *file = plan->file;
    SoftBuilder w = {.plan = plan, .pmx = pmx, .arena = arena, .scratch = scratch};

    if (file->material >= 0)
        w.material = &pmx->materials[file->material];
    if (!w.material || w.material->index_count < 3 ||
        w.material->flags & (PMX_POINTS | PMX_LINES)) {
        diag_warn(diag, WARN_SOFT_BODY, "has no triangles: ignored");
        return false;
    }
    if (!(file->mass > 0)) {
        diag_warn(diag, WARN_SOFT_BODY, "mass is %g: follows its bones", (double)file->mass);
        return false;
    }
    bool *materials = arena_array(scratch, bool, pmx->material_count);
    materials[file->material] = true;
    w.patch = mesh_patch_create(pmx, materials, arena, scratch);
    if (w.patch.point_count > SOFT_MAX_NODES) {
        diag_warn(diag, WARN_SOFT_BODY,
                  "%" PRIu32 " nodes to simulate (at most %d): follows its bones",
                  w.patch.point_count, SOFT_MAX_NODES);
        return false;
    }
    mesh_patch_find_sides(&w.patch, true, arena, scratch);
    plan->vertices = w.patch.vertices;
    plan->nodes = w.patch.points;
    plan->sides = w.patch.sides;
    plan->vertex_count = w.patch.count;
    plan->side_count = w.patch.side_count;
    plan->node_vertices = arena_array(arena, uint32_t, w.patch.point_count);
    for (uint32_t i = 0; i < w.patch.count; i++)
        if (plan->nodes[i] == plan->node_count)
            plan->node_vertices[plan->node_count++] = plan->vertices[i];
    list_triangles(&w);
    list_faces(&w);
    find_supports(&w, diag);
    plan->home = find_home(&w);
    find_edges(&w);
    find_neighbours(&w);
    link_nodes(&w, diag);
    find_reach(&w);
    return true;
}

void soft_plan(SoftPlans *out, const PmxModel *pmx, Arena *arena, Diag *diag)
{
    *out = (SoftPlans){.bodies = arena_array(arena, SoftPlan, pmx->soft_body_count)};
    for (uint32_t i = 0; i < pmx->soft_body_count; i++) {
        Arena *scratch = arena_create();
        SoftPlan *plan = &out->bodies[out->count];
        *plan = (SoftPlan){.file = &pmx->soft_bodies[i]};
        diag_item(diag, "soft body", i);
        out->count += plan_body(plan, pmx, arena, scratch, diag);
        arena_destroy(scratch);
    }
    diag_item(diag, NULL, 0);
    for (uint32_t i = 0; i < out->count; i++) {
        out->bodies[i].first = out->vertex_count;
        out->vertex_count += out->bodies[i].vertex_count;
    }
    out->vertices = arena_array(arena, uint32_t, out->vertex_count);
    for (uint32_t i = 0; i < out->count; i++)
        memcpy(out->vertices + out->bodies[i].first, out->bodies[i].vertices,
               out->bodies[i].vertex_count * sizeof *out->vertices);
}
