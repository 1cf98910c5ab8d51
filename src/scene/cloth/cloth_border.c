// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "scene/cloth/cloth.h"

/* Of a piece with one border, or none, this part of the height is upper. */
static const double UPPER = 0.1;

typedef struct Edge {
    uint32_t low, high; /* masses */
} Edge;

/* Masses in sets: the pieces of a cloth, and their borders. */
typedef struct Sets {
    uint32_t *parent; /* [mass_count] */
} Sets;

typedef struct Piece {
    double low, high; /* of its masses */
    uint32_t border;  /* root of its highest border, if it has one */
    uint32_t border_count;
} Piece;

typedef struct Border {
    double sum; /* of heights */
    uint32_t count;
} Border;

static Sets sets_create(uint32_t count, Arena *arena)
{
    Sets sets = {arena_array(arena, uint32_t, count)};
    for (uint32_t i = 0; i < count; i++)
        sets.parent[i] = i;
    return sets;
}

static uint32_t root_of(const Sets *sets, uint32_t i)
{
    while (sets->parent[i] != i)
        i = sets->parent[i] = sets->parent[sets->parent[i]];
    return i;
}

static void join(const Sets *sets, uint32_t a, uint32_t b)
{
    sets->parent[root_of(sets, a)] = root_of(sets, b);
}

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

/* Joins the corners of each triangle in `pieces`, and the ends of each edge of only one in
 * `borders`; marks these. */
static void find_sets(const Sets *pieces, const Sets *borders, bool *is_border,
                      const ClothPlan *plan, Arena *scratch)
{
    Edge *edges = arena_array(scratch, Edge, 3 * (size_t)plan->triangle_count);
    size_t count = 0;

    for (uint32_t t = 0; t < plan->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = plan->corners[t][k], b = plan->corners[t][(k + 1) % 3];
            join(pieces, a, b);
            if (a != b)
                edges[count++] = (Edge){a < b ? a : b, a < b ? b : a};
        }
    if (count > 0)
        qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && compare_edges(&edges[i], &edges[end]) == 0; end++)
            ;
        if (end - i > 1)
            continue;
        join(borders, edges[i].low, edges[i].high);
        is_border[edges[i].low] = is_border[edges[i].high] = true;
    }
}

static void measure(Piece *pieces, const Border *borders, const Sets *piece_sets,
                    const Sets *border_sets, const ClothTopology *topology)
{
    for (uint32_t i = 0; i < topology->mass_count; i++)
        pieces[i] = (Piece){.low = DBL_MAX, .high = -DBL_MAX};
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        Piece *piece = &pieces[root_of(piece_sets, i)];
        piece->low = fmin(piece->low, topology->rest[i].y);
        piece->high = fmax(piece->high, topology->rest[i].y);
        const Border *border = &borders[i], *highest = &borders[piece->border];
        if (border->count == 0 || root_of(border_sets, i) != i)
            continue;
        if (piece->border_count++ == 0 ||
            border->sum * highest->count > highest->sum * border->count)
            piece->border = i;
    }
}

uint32_t cloth_pin_upper_border(ClothPlan *plan)
{
    ClothTopology *topology = &plan->topology;
    Arena *scratch = arena_create();
    const uint32_t count = topology->mass_count;
    const Sets piece_sets = sets_create(count, scratch), border_sets = sets_create(count, scratch);
    bool *is_border = arena_array(scratch, bool, count);
    Border *borders = arena_array(scratch, Border, count);
    Piece *pieces = arena_array(scratch, Piece, count);
    uint32_t pinned = 0;

    find_sets(&piece_sets, &border_sets, is_border, plan, scratch);
    for (uint32_t i = 0; i < count; i++)
        if (is_border[i]) {
            Border *border = &borders[root_of(&border_sets, i)];
            border->sum += topology->rest[i].y;
            border->count++;
        }
    measure(pieces, borders, &piece_sets, &border_sets, topology);
    for (uint32_t i = 0; i < count; i++) {
        const Piece *piece = &pieces[root_of(&piece_sets, i)];
        const bool in_border = is_border[i] && root_of(&border_sets, i) == piece->border;
        const double upper = piece->high - UPPER * (piece->high - piece->low);
        const bool pin = piece->border_count > 1 ? in_border
                                                 : (in_border || piece->border_count == 0) &&
                                                       topology->rest[i].y >= upper;
        topology->pins[i] = pin ? 1 : topology->pins[i];
        pinned += pin;
    }
    arena_destroy(scratch);
    return pinned;
}
