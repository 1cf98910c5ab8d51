// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/mesh_patch.h"

/* The normals of a duplicate layer are at least 120 degrees from those in front. */
static const double MAX_OPPOSITE_COS = -0.5;

/* A duplicate layer is behind its vertex, at most 66 degrees off the normal, as in pleats. */
static const double MIN_BEHIND_COS = 0.4;

typedef struct MeshBuilder {
    ClothPlan *plan;
    const PmxModel *pmx;
    const bool *is_cloth; /* [material_count] */
    MeshPatch patch;
    uint32_t *places;             /* [vertex_count] the position of each; layers have their own */
    uint32_t (*corner_places)[3]; /* [triangle_count] */
    Arena *arena;
} MeshBuilder;

/* ---- duplicate layers ---- */

typedef struct SortedPosition {
    float x;
    uint32_t index;
} SortedPosition;

static int compare_x(const void *left, const void *right)
{
    const SortedPosition *a = left, *b = right;
    if (a->x < b->x || a->x > b->x)
        return a->x < b->x ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

/* Distance of a point from the line through a vertex along its normal. */
static double aside(const PmxVertex *vertex, Vec3 to_point)
{
    const Vec3 n = vec3_normalize(vec3_load(vertex->normal));
    return vec3_length(vec3_sub(to_point, vec3_scale(n, vec3_dot(to_point, n))));
}

/* How far a vertex is from being the duplicate of another: 0 if each is straight behind the other,
 * infinite if it is too far, not behind, or faces the same side. */
static double layer_cost(const PmxVertex *front, const PmxVertex *back, double max_distance)
{
    const Vec3 n = vec3_load(front->normal), other = vec3_load(back->normal);
    const Vec3 d = vec3_sub(vec3_load(back->position), vec3_load(front->position));
    const double distance = vec3_length(d);

    if (distance > max_distance || vec3_dot(n, other) > MAX_OPPOSITE_COS ||
        -vec3_dot(d, n) < MIN_BEHIND_COS * distance)
        return HUGE_VAL;
    return aside(front, d) + aside(back, d);
}

typedef struct LayerSearch {
    const PmxVertex **vertices; /* [count] the first vertex of each */
    SortedPosition *sorted;     /* [count] */
    uint32_t *at;               /* [count] index in `sorted` */
    uint32_t *of;               /* [count] its duplicate, or itself */
    uint32_t *best;             /* [count] the best candidate of each */
    uint32_t count;
    double max_distance;
} LayerSearch;

/* The best candidate for a duplicate, the first of equals; itself if there is none. */
static uint32_t best_layer(const LayerSearch *l, uint32_t index)
{
    uint32_t best = index;
    double min = HUGE_VAL;

    for (int direction = -1; direction <= 1; direction += 2)
        for (int64_t i = (int64_t)l->at[index] + direction; i >= 0 && i < l->count;
             i += direction) {
            const uint32_t other = l->sorted[i].index;
            const double across = (double)l->sorted[i].x - (double)l->vertices[index]->position[0];
            if (fabs(across) > l->max_distance)
                break;
            if (l->of[other] != other)
                continue;
            const double fault =
                layer_cost(l->vertices[index], l->vertices[other], l->max_distance);
            if (fault < min || (fault < HUGE_VAL && fault <= min && other < best)) {
                min = fault;
                best = other;
            }
        }
    return best;
}

static LayerSearch layer_search_init(const MeshBuilder *s, uint32_t count, double max_distance)
{
    LayerSearch l = {.vertices = arena_array(s->arena, const PmxVertex *, count),
                     .sorted = arena_array(s->arena, SortedPosition, count),
                     .at = arena_array(s->arena, uint32_t, count),
                     .of = arena_array(s->arena, uint32_t, count),
                     .best = arena_array(s->arena, uint32_t, count),
                     .count = count,
                     .max_distance = max_distance};
    for (uint32_t i = s->plan->vertex_count; i-- > 0;)
        l.vertices[s->plan->masses[i]] = &s->pmx->vertices[s->plan->vertices[i]];
    for (uint32_t p = 0; p < count; p++)
        l.sorted[p] = (SortedPosition){l.vertices[p]->position[0], l.of[p] = p};
    if (count > 1)
        qsort(l.sorted, count, sizeof *l.sorted, compare_x);
    for (uint32_t i = 0; i < count; i++)
        l.at[l.sorted[i].index] = i;
    return l;
}

/* Merges positions that are the best candidates of each other; false if there are none. */
static bool merge_mutual_pairs(LayerSearch *l)
{
    bool joined = false;

    for (uint32_t p = 0; p < l->count; p++)
        l->best[p] = l->of[p] == p ? best_layer(l, p) : p;
    for (uint32_t p = 0; p < l->count; p++) {
        const uint32_t other = l->best[p];
        if (other == p || l->best[other] != p)
            continue;
        l->of[p] = other;
        joined = true;
    }
    return joined;
}

/* Merges duplicate layers into one mass each; returns the number of masses. */
static uint32_t merge_layers(MeshBuilder *s, uint32_t place_count, double max_distance)
{
    ClothPlan *plan = s->plan;
    LayerSearch l = layer_search_init(s, place_count, max_distance);
    uint32_t *mass = arena_array(s->arena, uint32_t, place_count), count = 0;

    while (merge_mutual_pairs(&l)) /* each pass merges at least two positions */
        ;
    for (uint32_t p = 0; p < place_count; p++)
        mass[p] = l.of[p] < p ? mass[l.of[p]] : count++;
    for (uint32_t i = 0; i < plan->vertex_count; i++)
        plan->masses[i] = mass[plan->masses[i]];
    return count;
}

/* ---- triangles ---- */

static void list_triangles(MeshBuilder *s)
{
    const PmxModel *pmx = s->pmx;
    ClothPlan *plan = s->plan;
    size_t count = 0;

    for (uint32_t m = 0; m < pmx->material_count; m++)
        count += s->is_cloth[m] ? pmx->materials[m].index_count / 3 : 0;
    plan->corners = arena_calloc(s->arena, count, sizeof *plan->corners);
    plan->corner_sides = arena_calloc(s->arena, count, sizeof *plan->corner_sides);
    s->corner_places = arena_calloc(s->arena, count, sizeof *s->corner_places);
    for (uint32_t m = 0; m < pmx->material_count; m++)
        for (uint32_t i = 0; s->is_cloth[m] && i < pmx->materials[m].index_count; i += 3) {
            uint32_t slots[3];
            mesh_patch_orient(slots, &s->patch, &pmx->indices[pmx->materials[m].first_index + i]);
            for (int k = 0; k < 3; k++) {
                plan->corners[plan->triangle_count][k] = plan->masses[slots[k]];
                plan->corner_sides[plan->triangle_count][k] = plan->sides[slots[k]];
                s->corner_places[plan->triangle_count][k] = s->places[slots[k]];
            }
            plan->triangle_count++;
        }
}

/* ---- masses ---- */

static double pinned(const PmxVertex *vertex, const bool *pins)
{
    double sum = 0;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++)
        if (vertex->weights[k] > 0 && vertex->bones[k] >= 0 && pins[vertex->bones[k]])
            sum += (double)vertex->weights[k];
    return fmin(sum, 1);
}

/* The first vertex of a mass is its anchor; the greatest pin of its vertices counts. */
static void place_masses(MeshBuilder *s, const bool *pins, double scale)
{
    ClothPlan *plan = s->plan;
    uint32_t placed = 0;

    plan->anchors = arena_array(s->arena, PmxVertex, plan->topology.mass_count);
    plan->offsets = arena_array(s->arena, double, plan->vertex_count);
    for (uint32_t i = 0; i < plan->vertex_count; i++) {
        const PmxVertex *vertex = &s->pmx->vertices[plan->vertices[i]];
        const uint32_t mass = plan->masses[i];
        if (mass == placed) {
            plan->anchors[mass] = *vertex;
            plan->topology.rest[mass] = vec3_scale(vec3_load(vertex->position), scale);
            placed++;
        }
        plan->topology.pins[mass] = fmax(plan->topology.pins[mass], pinned(vertex, pins));
        const Vec3 anchor = vec3_load(plan->anchors[mass].position);
        const Vec3 away = vec3_sub(vec3_load(vertex->position), anchor);
        plan->offsets[i] = vec3_dot(away, vec3_normalize(vec3_load(vertex->normal)));
    }
}

bool cloth_from_material(ClothPlan *out, const ClothSpec *spec, const ClothWearer *wearer,
                         bool *pins, Arena *arena, Diag *diag)
{
    const PmxModel *pmx = &wearer->model->pmx;
    bool *is_cloth = arena_array(arena, bool, pmx->material_count);
    MeshBuilder s = {.plan = out, .pmx = pmx, .is_cloth = is_cloth, .arena = arena};

    for (uint32_t m = 0; m < pmx->material_count; m++)
        is_cloth[m] = !strcmp(pmx->materials[m].name, spec->material) &&
                      !(pmx->materials[m].flags & (PMX_POINTS | PMX_LINES));
    s.patch = mesh_patch_create(pmx, is_cloth, arena, arena);
    out->vertices = s.patch.vertices;
    out->masses = s.patch.points;
    out->vertex_count = s.patch.count;
    if (!out->vertex_count)
        return diag_fail(diag, DIAG_JOB, "the material '%s' has no triangles", spec->material);
    s.places = arena_array(arena, uint32_t, out->vertex_count);
    memcpy(s.places, out->masses, out->vertex_count * sizeof *s.places);
    const uint32_t count = merge_layers(&s, s.patch.point_count, spec->lining);
    if (count > CLOTH_MAX_MASSES)
        return diag_fail(diag, DIAG_JOB, "the material '%s' has %" PRIu32 " masses (at most %d)",
                         spec->material, count, CLOTH_MAX_MASSES);
    cloth_topology_init(&out->topology, &spec->tuning, count, arena);
    place_masses(&s, pins, out->scale);
    s.patch.point_count = count;
    mesh_patch_find_sides(&s.patch, false, arena, arena);
    out->sides = s.patch.sides;
    out->side_count = s.patch.side_count;
    list_triangles(&s);
    if (!cloth_pin_border(out, pins, (const uint32_t(*)[3])s.corner_places, spec, wearer, diag))
        return false;
    cloth_topology_from_mesh(&out->topology, (const uint32_t(*)[3])out->corners,
                             out->triangle_count, arena);
    return true;
}
