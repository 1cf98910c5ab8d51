// SPDX-License-Identifier: MIT
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "scene/cloth/cloth.h"

static const double UPPER = 0.1; /* of a piece without border, this part of the height is upper */
static const double STEEP = 0.7071; /* |sine| of an edge that belongs to a side, not to the top */
static const double SMALL = 0.25;   /* a border with less of the masses of the largest is a hole */
static const double TOUCHING = 0.2; /* model units: borders as near as this are equally near */
static const double HELD = 0.05;    /* a mass with a smaller pin hangs on nothing */
static const double SHARE = 0.05; /* of the upper border that hangs on nothing without a warning */
enum { MAX_NAMES = 3 };           /* bones in a message */

typedef struct Edge {
    uint32_t low, high; /* places */
    uint32_t masses[2]; /* of its ends */
} Edge;

/* Masses in sets: the pieces of a cloth, and their borders. */
typedef struct Sets {
    uint32_t *parent; /* [mass_count] */
} Sets;

typedef struct Border {      /* of its masses: */
    double height, distance; /* sums; the distance from the body, model units */
    uint32_t count;
} Border;

typedef struct Piece {
    double low, high;        /* of its masses */
    uint32_t top;            /* the highest mass of its borders */
    uint32_t largest;        /* the number of masses of its largest border; 0: it has none */
    uint32_t border_count;   /* without holes */
    double nearest;          /* mean distance of the border that is nearest to the body */
    double highest;          /* mean height of its upper border */
    uint32_t border;         /* root of that */
    uint32_t upper, hanging; /* masses of the upper border; those that hang on nothing */
} Piece;

typedef struct BorderSearch {
    const ClothPlan *plan;
    const ClothWearer *wearer;
    const uint32_t (*places)[3]; /* of the corners of each triangle */
    Sets pieces, borders, runs;  /* runs: masses joined by edges of a border that are not steep */
    bool *is_border;             /* [mass_count] */
    Border *border;              /* [mass_count] of each root */
    Piece *piece;                /* [mass_count] of each root */
    bool *upper;                 /* [mass_count] the result */
    Arena *arena;
} BorderSearch;

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

/* ---- borders ---- */

static int compare_edges(const void *left, const void *right)
{
    const Edge *a = left, *b = right;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    return a->high < b->high ? -1 : a->high > b->high;
}

static bool is_steep(const ClothTopology *topology, const Edge *edge)
{
    const Vec3 d = vec3_sub(topology->rest[edge->masses[1]], topology->rest[edge->masses[0]]);
    return fabs(d.y) > STEEP * vec3_length(d);
}

/* A triangle of the rim between two layers, which are one, has two corners at one mass. */
static bool is_rim(const uint32_t corners[3])
{
    return corners[0] == corners[1] || corners[1] == corners[2] || corners[2] == corners[0];
}

static size_t list_edges(Edge *edges, const BorderSearch *s)
{
    const ClothPlan *plan = s->plan;
    size_t count = 0;

    for (uint32_t t = 0; t < plan->triangle_count; t++)
        for (int k = 0; k < 3; k++) {
            const uint32_t a = s->places[t][k], b = s->places[t][(k + 1) % 3];
            const uint32_t from = plan->corners[t][k], to = plan->corners[t][(k + 1) % 3];
            join(&s->pieces, from, to);
            if (!is_rim(plan->corners[t]))
                edges[count++] = (Edge){a < b ? a : b, a < b ? b : a, {from, to}};
        }
    return count;
}

/* Joins the corners of each triangle, and the ends of each edge of only one.  Edges are those of
 * places: each of two layers has its own. */
static void find_sets(BorderSearch *s)
{
    Edge *edges = arena_array(s->arena, Edge, 3 * (size_t)s->plan->triangle_count);
    const size_t count = list_edges(edges, s);

    if (count > 0)
        qsort(edges, count, sizeof *edges, compare_edges);
    for (size_t i = 0, end; i < count; i = end) {
        const uint32_t *masses = edges[i].masses;
        for (end = i + 1; end < count && compare_edges(&edges[i], &edges[end]) == 0; end++)
            ;
        if (end - i > 1)
            continue;
        join(&s->borders, masses[0], masses[1]);
        s->is_border[masses[0]] = s->is_border[masses[1]] = true;
        if (!is_steep(&s->plan->topology, &edges[i]))
            join(&s->runs, masses[0], masses[1]);
    }
}

/* Distance of a mass at rest from the body, model units; 0 inside of it. */
static double distance_from_body(const BorderSearch *s, uint32_t mass)
{
    const Vec3 point = vec3_load(s->plan->anchors[mass].position);
    double nearest = DBL_MAX;

    for (uint32_t i = 0; i < s->wearer->capsule_count; i++)
        if (!s->wearer->moved[s->wearer->capsules[i].bones[0]])
            nearest = fmin(nearest,
                           cloth_capsule_distance(&s->wearer->capsules[i], point, s->plan->scale));
    return fmax(0, nearest);
}

static Piece *piece_of(const BorderSearch *s, uint32_t mass)
{
    return &s->piece[root_of(&s->pieces, mass)];
}

static void measure(BorderSearch *s)
{
    const ClothTopology *topology = &s->plan->topology;

    for (uint32_t i = 0; i < topology->mass_count; i++)
        s->piece[i] =
            (Piece){.low = DBL_MAX, .high = -DBL_MAX, .nearest = DBL_MAX, .highest = -DBL_MAX};
    for (uint32_t i = 0; i < topology->mass_count; i++) {
        Piece *piece = piece_of(s, i);
        piece->low = fmin(piece->low, topology->rest[i].y);
        piece->high = fmax(piece->high, topology->rest[i].y);
        if (!s->is_border[i])
            continue;
        Border *border = &s->border[root_of(&s->borders, i)];
        if (!piece->largest || topology->rest[i].y > topology->rest[piece->top].y)
            piece->top = i;
        border->height += topology->rest[i].y;
        border->distance += distance_from_body(s, i);
        border->count++;
        piece->largest = border->count > piece->largest ? border->count : piece->largest;
    }
}

/* Of each piece the border that lies on the body: the nearest one; of those that are equally near,
 * the highest. */
static void choose_borders(BorderSearch *s)
{
    const uint32_t count = s->plan->topology.mass_count;

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < count; i++) {
            const Border *border = &s->border[i];
            Piece *piece = piece_of(s, i);
            if (border->count == 0 || border->count < SMALL * piece->largest)
                continue;
            const double distance = border->distance / border->count;
            const double height = border->height / border->count;
            if (pass == 0) {
                piece->border_count++;
                piece->nearest = fmin(piece->nearest, distance);
            } else if (distance <= piece->nearest + TOUCHING && height > piece->highest) {
                piece->highest = height;
                piece->border = i;
            }
        }
}

static bool is_upper(const BorderSearch *s, uint32_t mass)
{
    const Piece *piece = piece_of(s, mass);
    const double height = s->plan->topology.rest[mass].y;
    const bool in_upper_part = height >= piece->high - UPPER * (piece->high - piece->low);

    if (!piece->largest)
        return in_upper_part;
    if (!s->is_border[mass])
        return false;
    if (piece->border_count > 1)
        return root_of(&s->borders, mass) == piece->border;
    return in_upper_part || root_of(&s->runs, mass) == root_of(&s->runs, piece->top);
}

/* Finds the upper border of each connected piece, in an arena of its own. */
static BorderSearch find_upper_borders(const ClothPlan *plan, const uint32_t (*places)[3],
                                       const ClothWearer *wearer)
{
    const uint32_t count = plan->topology.mass_count;
    Arena *arena = arena_create();
    BorderSearch s = {.plan = plan,
                      .wearer = wearer,
                      .places = places,
                      .pieces = sets_create(count, arena),
                      .borders = sets_create(count, arena),
                      .runs = sets_create(count, arena),
                      .is_border = arena_array(arena, bool, count),
                      .border = arena_array(arena, Border, count),
                      .piece = arena_array(arena, Piece, count),
                      .upper = arena_array(arena, bool, count),
                      .arena = arena};

    find_sets(&s);
    measure(&s);
    choose_borders(&s);
    for (uint32_t i = 0; i < count; i++)
        s.upper[i] = is_upper(&s, i);
    return s;
}

/* ---- pins ---- */

/* The bone, or the one above it that physics does not move. */
static int32_t firm_bone(const ClothWearer *wearer, int32_t bone)
{
    while (bone >= 0 && wearer->moved[bone])
        bone = wearer->model->pmx.bones[bone].parent;
    return bone;
}

/* Fixes a mass to the bones of its vertex, or to those that carry these if physics moves them. */
static void fix_mass(ClothPlan *plan, uint32_t mass, bool *pins, const ClothWearer *wearer)
{
    PmxVertex *anchor = &plan->anchors[mass];

    plan->topology.pins[mass] = 1;
    for (int k = 0; k < PMX_MAX_WEIGHTS; k++) {
        const int32_t bone = anchor->weights[k] > 0 ? firm_bone(wearer, anchor->bones[k]) : -1;
        if (bone >= 0 && bone != anchor->bones[k]) {
            anchor->bones[k] = bone;
            anchor->deform = anchor->deform == PMX_SDEF ? PMX_BDEF2 : anchor->deform;
        }
    }
    const int32_t main = cloth_dominant_bone(anchor);
    if (main >= 0)
        pins[main] = true;
}

typedef struct BoneShare {
    int32_t bone;
    double weight;
} BoneShare;

static int compare_shares(const void *left, const void *right)
{
    const BoneShare *a = left, *b = right;
    if (a->weight < b->weight || a->weight > b->weight)
        return a->weight > b->weight ? -1 : 1;
    return a->bone < b->bone ? -1 : a->bone > b->bone;
}

/* "腰 (38 %), 左足 (3 %)": the bones that carry the part of the upper border that hangs on nothing,
 * and their parts of all of it.  NULL if physics moves them all. */
static const char *list_bones(const BorderSearch *s, uint32_t upper)
{
    const PmxModel *pmx = &s->wearer->model->pmx;
    BoneShare *shares = arena_array(s->arena, BoneShare, pmx->bone_count);
    const char *list = NULL;

    for (uint32_t b = 0; b < pmx->bone_count; b++)
        shares[b].bone = (int32_t)b;
    for (uint32_t i = 0; i < s->plan->topology.mass_count; i++)
        for (int k = 0; s->upper[i] && s->plan->topology.pins[i] < HELD && k < PMX_MAX_WEIGHTS;
             k++) {
            const int32_t bone = s->plan->anchors[i].bones[k];
            if (s->plan->anchors[i].weights[k] > 0 && bone >= 0 && !s->wearer->moved[bone])
                shares[bone].weight += (double)s->plan->anchors[i].weights[k] / upper;
        }
    qsort(shares, pmx->bone_count, sizeof *shares, compare_shares);
    for (uint32_t n = 0; n < MAX_NAMES && n < pmx->bone_count && shares[n].weight >= 0.005; n++)
        list = arena_printf(s->arena, "%s%s%s (%.0f %%)", list ? list : "", list ? ", " : "",
                            pmx->bones[shares[n].bone].name, 100 * shares[n].weight);
    return list;
}

typedef struct Hanging {
    uint32_t upper, hanging; /* masses of upper borders; those that hang on nothing */
    bool held, has_loose_piece;
} Hanging;

static Hanging count_hanging(const BorderSearch *s)
{
    const ClothTopology *topology = &s->plan->topology;
    Hanging h = {0};

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        h.held |= topology->pins[i] > 0;
        if (!s->upper[i])
            continue;
        Piece *piece = piece_of(s, i);
        h.upper++;
        piece->upper++;
        h.hanging += topology->pins[i] < HELD;
        piece->hanging += topology->pins[i] < HELD;
    }
    for (uint32_t i = 0; i < topology->mass_count; i++)
        h.has_loose_piece |= s->piece[i].upper > 0 && s->piece[i].hanging == s->piece[i].upper;
    return h;
}

static bool report_hanging(const BorderSearch *s, const ClothSpec *spec, Diag *diag)
{
    const Hanging h = count_hanging(s);
    const char *bones = list_bones(s, h.upper);

    if (!h.held)
        return diag_fail_at(
            diag, diag_key(diag, "%s.material", spec->key), DIAG_JOB,
            "nothing holds '%s': no vertex of it is skinned to a bone in 'pin'%s%s; 'pin: auto' "
            "fixes the border that lies on the body, 'loose: true' lets it fall",
            spec->material, bones ? ", its upper border is to " : "", bones ? bones : "");
    if (h.hanging > SHARE * h.upper || h.has_loose_piece)
        diag_warn_at(diag, diag_key(diag, "%s.material", spec->key), WARN_CLOTH,
                     "%.0f %% of the upper border of '%s' hangs on nothing: %s%s; add 'auto' to "
                     "'pin' to fix the border that lies on the body",
                     100.0 * h.hanging / h.upper, spec->material,
                     bones ? "its vertices are skinned to " : "physics moves its bones",
                     bones ? bones : "");
    return true;
}

bool cloth_pin_border(ClothPlan *plan, bool *pins, const uint32_t (*places)[3],
                      const ClothSpec *spec, const ClothWearer *wearer, Diag *diag)
{
    const BorderSearch s = find_upper_borders(plan, places, wearer);
    const bool border =
        text_find(TEXT_WORDS(spec->pin.bones, spec->pin.bone_count), CLOTH_PIN_BORDER) >= 0;
    bool good = true;

    for (uint32_t i = 0; border && i < plan->topology.mass_count; i++)
        if (s.upper[i])
            fix_mass(plan, i, pins, wearer);
    if (!border && !spec->loose)
        good = report_hanging(&s, spec, diag);
    arena_destroy(s.arena);
    return good;
}
