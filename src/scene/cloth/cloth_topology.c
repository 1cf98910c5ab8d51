// SPDX-License-Identifier: MIT
#include "scene/cloth/cloth_topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/scalar.h"

typedef ARENA_LIST(ClothSpring) SpringList;

typedef struct FaceList {
    uint32_t (*items)[3];
    size_t count, capacity;
} FaceList;

typedef struct SoftBuilder {
    ClothTopology *topology;
    SpringList springs;
    FaceList faces;
    Arena *arena;
} SoftBuilder;

void cloth_topology_init(ClothTopology *topology, const ClothTuning *tuning, uint32_t mass_count,
                         Arena *arena)
{
    *topology = (ClothTopology){.tuning = *tuning,
                                .substeps = 1,
                                .mass_count = mass_count,
                                .rest = arena_array(arena, Vec3, mass_count),
                                .pins = arena_array(arena, double, mass_count)};
}

/* stiffness: as a factor of that of structural springs. */
static void add_spring(SoftBuilder *w, uint32_t a, uint32_t b, double stiffness)
{
    const ClothTopology *topology = w->topology;
    const ClothTuning *tuning = &topology->tuning;
    const double rest = vec3_length(vec3_sub(topology->rest[b], topology->rest[a]));
    const double k = stiffness * tuning->stiffness;

    if (k <= 0 || (topology->pins[a] >= CLOTH_FIXED_PIN && topology->pins[b] >= CLOTH_FIXED_PIN))
        return;
    *arena_push(w->arena, &w->springs) = (ClothSpring){
        .a = a,
        .b = b,
        .rest = rest,
        .stiffness = k,
        .damping = tuning->damping * sqrt(2 * k * tuning->mass), /* critical, of two masses */
    };
}

static void add_face(SoftBuilder *w, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t *face = *arena_push(w->arena, &w->faces);
    face[0] = a;
    face[1] = b;
    face[2] = c;
}

static void finish(SoftBuilder *w)
{
    w->topology->springs = w->springs.items;
    w->topology->spring_count = (uint32_t)w->springs.count;
    w->topology->faces = w->faces.items;
    w->topology->face_count = (uint32_t)w->faces.count;
}

/* ---- grids ---- */

typedef struct Grid {
    uint32_t columns, rows;
    bool closed;
} Grid;

/* The mass at an offset of columns and rows from another; false if there is none. */
static bool neighbour(uint32_t *out, const Grid *grid, uint32_t column, uint32_t row, int right,
                      int down)
{
    int64_t c = (int64_t)column + right;
    const int64_t r = (int64_t)row + down;
    if (grid->closed)
        c = (c + grid->columns) % grid->columns;
    if (c < 0 || c >= grid->columns || r < 0 || r >= grid->rows)
        return false;
    *out = (uint32_t)(r * grid->columns + c);
    return true;
}

/* All springs with this offset to the right and down. */
static void join(SoftBuilder *w, const Grid *grid, int right, int down, double stiffness)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            uint32_t other;
            if (neighbour(&other, grid, column, row, right, down))
                add_spring(w, row * grid->columns + column, other, stiffness);
        }
}

/* The triangle above or below the diagonal of every square. */
static void add_triangles(SoftBuilder *w, const Grid *grid, bool above)
{
    for (uint32_t row = 0; row < grid->rows; row++)
        for (uint32_t column = 0; column < grid->columns; column++) {
            const uint32_t mass = row * grid->columns + column;
            uint32_t side = 0, across;
            if (!neighbour(&across, grid, column, row, 1, 1))
                continue;
            neighbour(&side, grid, column, row, above, !above);
            add_face(w, mass, above ? side : across, above ? across : side);
        }
}

/* All springs of a kind, then of the next, in the order of the masses. */
void cloth_topology_from_grid(ClothTopology *topology, uint32_t columns, uint32_t rows, bool closed,
                              Arena *arena)
{
    const ClothTuning *tuning = &topology->tuning;
    const Grid grid = {columns, rows, closed};
    SoftBuilder w = {.topology = topology, .arena = arena};

    join(&w, &grid, 1, 0, 1);
    join(&w, &grid, 0, 1, 1);
    join(&w, &grid, 1, 1, tuning->shear);
    join(&w, &grid, -1, 1, tuning->shear);
    if (!closed ||
        columns > 4) /* otherwise the second neighbour is the same mass in both directions */
        join(&w, &grid, 2, 0, tuning->bend);
    join(&w, &grid, 0, 2, tuning->bend);
    add_triangles(&w, &grid, true);
    add_triangles(&w, &grid, false);
    finish(&w);
}

/* ---- meshes ---- */

/* One side of a triangle; sorting groups the sides of one edge. */
typedef struct Side {
    uint32_t low, high; /* masses, low < high */
    uint32_t opposite;
    bool longest; /* the longest side of its triangle */
    uint32_t index;
} Side;

static int by_edge(const void *left, const void *right)
{
    const Side *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

static int by_edge_and_index(const void *left, const void *right)
{
    const Side *a = left, *b = right;
    const int order = by_edge(a, b);
    return order ? order : a->index < b->index ? -1 : a->index > b->index;
}

static int by_masses(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    for (int i = 0; i < 3; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Every triangle of three masses once: inner and outer layers are one cloth. */
static void add_faces(SoftBuilder *w, const uint32_t (*triangles)[3], uint32_t count)
{
    uint32_t(*sorted)[3] = arena_calloc(w->arena, count, sizeof *sorted);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t *t = triangles[i];
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0])
            continue;
        memcpy(sorted[kept], t, sizeof *sorted);
        scalar_sort_three(sorted[kept++]); /* in the same or in the opposite orientation */
    }
    if (kept)
        qsort(sorted, kept, sizeof *sorted, by_masses);
    for (uint32_t i = 0; i < kept; i++)
        if (i == 0 || by_masses(sorted[i - 1], sorted[i]))
            add_face(w, sorted[i][0], sorted[i][1], sorted[i][2]);
}

static Side *sides_of(const SoftBuilder *w, uint32_t *count)
{
    const ClothTopology *topology = w->topology;
    Side *sides = arena_array(w->arena, Side, 3 * w->faces.count);
    *count = 0;
    for (size_t f = 0; f < w->faces.count; f++) {
        const uint32_t *face = w->faces.items[f];
        double lengths[3];
        for (int i = 0; i < 3; i++)
            lengths[i] =
                vec3_length(vec3_sub(topology->rest[face[i]], topology->rest[(face[(i + 1) % 3])]));
        for (int i = 0; i < 3; i++) {
            const uint32_t a = face[i], b = face[(i + 1) % 3];
            const double *rest = lengths;
            sides[*count] = (Side){.low = a < b ? a : b,
                                   .high = a < b ? b : a,
                                   .opposite = face[(i + 2) % 3],
                                   .longest = rest[i] > rest[(i + 1) % 3] * (1 + 1e-6) &&
                                              rest[i] > rest[(i + 2) % 3] * (1 + 1e-6),
                                   .index = *count};
            ++*count;
        }
    }
    if (*count)
        qsort(sides, *count, sizeof *sides, by_edge_and_index);
    return sides;
}

static bool has_edge(const Side *sides, uint32_t count, uint32_t a, uint32_t b)
{
    const Side key = {.low = a < b ? a : b, .high = a < b ? b : a};
    return bsearch(&key, sides, count, sizeof *sides, by_edge) != NULL;
}

/* If more than two triangles share an edge, only the first two get a bend spring. */
void cloth_topology_from_mesh(ClothTopology *topology, const uint32_t (*triangles)[3],
                              uint32_t count, Arena *arena)
{
    const ClothTuning *tuning = &topology->tuning;
    SoftBuilder w = {.topology = topology, .arena = arena};
    uint32_t side_count;

    add_faces(&w, triangles, count);
    const Side *sides = sides_of(&w, &side_count);
    for (uint32_t i = 0; i < side_count; i++) {
        const Side *side = &sides[i], *next = side + 1;
        if (i > 0 && by_edge(side - 1, side) == 0)
            continue;
        const bool shared = i + 1 < side_count && by_edge(side, next) == 0;
        const bool diagonal = shared && side->longest && next->longest;
        add_spring(&w, side->low, side->high, diagonal ? tuning->shear : 1);
        if (shared && side->opposite != next->opposite &&
            !has_edge(sides, side_count, side->opposite, next->opposite))
            add_spring(&w, side->opposite, next->opposite, diagonal ? tuning->shear : tuning->bend);
    }
    finish(&w);
}
