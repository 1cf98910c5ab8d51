// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_contacts.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "evaluate/cloth/cloth_tree.h"

/* Distances from colliders at the end of a tick, of the thickness. */
static const double MASS_DISTANCE = 0.6, SAMPLE_DISTANCE = 0.2;
static const double YIELDING_PUSH = 0.5;                /* largest push in a tick / thickness */
static const double SOFT_ACCELERATION = 200;            /* by soft bodies; gravity is 98 */
static const double STRETCHED = 1.25;                   /* length of edges, of that at rest */
static const double MIN_SINE = 1e-6, SLIDE_SINE = 0.15; /* see way_out */
static const double STRAY_REACH = 5;                    /* extra reach / thickness: see add_stray */
static const double GROWTH = 1.5;                       /* growth of squared lengths in a tick */
enum {
    PUSHES = 16 /* rounds in which colliders push masses and samples out of each other */
};

/* The middle of an edge or the center of a triangle. */
typedef struct Sample {
    uint32_t corners[3];
    uint32_t count; /* 2 or 3 */
} Sample;

/* The surface that a mass or a sample was moved to last. */
typedef struct Surface {
    Vec3 normal;
    uint64_t pass; /* when */
    size_t body;
} Surface;

struct ClothContacts {
    const ClothTopology *topology;
    size_t body_count;
    const ClothBody *from, *to; /* bodies at the start and the end of the current tick */
    double tick_s;
    ClothBody *bodies; /* at the time for which forces are computed */
    uint32_t *near;    /* masses grouped by body: those that may touch it, then their neighbours */
    uint32_t *near_end, *beside_end; /* [body_count] of both kinds */
    uint32_t *beside;                /* [mass_count] scratch */
    uint32_t *order;                 /* [body_count] in which they push */
    double *short_way;               /* [body_count] see find_near_body */
    uint32_t *found;                 /* [mass_count] scratch */
    Vec3 *listed;                    /* [mass_count] where they were then */
    double *reach;   /* [mass_count] how far a mass may come in this tick, with reserve */
    ClothTree *tree; /* a tree of the masses that are not fixed */
    Sample *samples;
    uint32_t sample_count, center_count; /* centers come first */
    uint32_t *samples_of, *first;        /* mass i has samples_of[first[i]] to [first[i + 1] - 1] */
    double *extent, max_extent;          /* [mass_count] half of its longest edge, with reserve */
    double *stretch, max_stretch;        /* [mass_count] see find_stretch */
    /* Passes over the masses or samples of a body are numbered. */
    uint64_t passes, *moved;                  /* [mass_count] when it was moved last */
    uint64_t *masses_tested, *samples_tested; /* [body_count] the last pass */
    uint64_t *sample_tested;                  /* [sample_count] */
    uint64_t first_pass;                      /* number of the first pass of this tick */
    bool ended;                    /* whether masses were pushed out at the end of this tick, */
    Vec3 *left;                    /* [mass_count] and where they were left then */
    uint64_t *strayed;             /* [mass_count] when it was listed as a stray */
    uint32_t *strays, stray_count; /* in this tick, maybe to other bodies */
    bool *stray_near; /* [body_count][mass_count] for each stray: whether it may come to the body */
    ClothBox *boxes;  /* [body_count] around the bodies at the end of the tick */
    Surface *surfaces, *sample_surfaces; /* [mass_count], [sample_count] */
};

/* ---- samples ---- */

static int by_corners(const void *left, const void *right)
{
    const Sample *a = left, *b = right;

    for (int i = 0; i < 2; i++)
        if (a->corners[i] != b->corners[i])
            return a->corners[i] < b->corners[i] ? -1 : 1;
    return 0;
}

/* Groups the samples by mass. */
static void index_samples(ClothContacts *c, Arena *arena)
{
    const uint32_t masses = c->topology->mass_count;
    uint32_t total = 0;

    c->first = arena_array(arena, uint32_t, (size_t)masses + 2);
    for (uint32_t i = 0; i < c->sample_count; i++)
        for (uint32_t k = 0; k < c->samples[i].count; k++, total++)
            c->first[c->samples[i].corners[k] + 2]++;
    c->samples_of = arena_array(arena, uint32_t, total);
    for (uint32_t i = 2; i < masses + 2; i++)
        c->first[i] += c->first[i - 1];
    for (uint32_t i = 0; i < c->sample_count; i++)
        for (uint32_t k = 0; k < c->samples[i].count; k++)
            c->samples_of[c->first[c->samples[i].corners[k] + 1]++] = i;
}

static void find_samples(ClothContacts *c, Arena *arena)
{
    const size_t faces = c->topology->face_count;
    Arena *scratch = arena_create();
    Sample *edges = arena_array(scratch, Sample, 3 * faces);
    uint32_t edge_count = 0;

    c->samples = arena_array(arena, Sample, 4 * faces);
    /* Centers and edges of all faces without fixed masses; edges of two faces are listed twice. */
    const ClothTopology *topology = c->topology;
    for (uint32_t i = 0; i < topology->face_count; i++) {
        const uint32_t *f = topology->faces[i];
        if (topology->pins[f[0]] >= CLOTH_FIXED_PIN || topology->pins[f[1]] >= CLOTH_FIXED_PIN ||
            topology->pins[f[2]] >= CLOTH_FIXED_PIN)
            continue;
        c->samples[c->sample_count++] = (Sample){{f[0], f[1], f[2]}, 3};
        for (int k = 0; k < 3; k++) {
            const uint32_t a = f[k], b = f[(k + 1) % 3];
            edges[edge_count++] = (Sample){{a < b ? a : b, a < b ? b : a, 0}, 2};
        }
    }
    c->center_count = c->sample_count;
    if (edge_count > 0)
        qsort(edges, edge_count, sizeof *edges, by_corners);
    for (uint32_t i = 0; i < edge_count; i++) {
        if (i > 0 && by_corners(&edges[i - 1], &edges[i]) == 0)
            continue;
        const Vec3 *rest = c->topology->rest;
        const uint32_t *ends = edges[i].corners;
        const double half = STRETCHED / 2 * vec3_length(vec3_sub(rest[ends[0]], rest[ends[1]]));
        c->extent[ends[0]] = fmax(c->extent[ends[0]], half);
        c->extent[ends[1]] = fmax(c->extent[ends[1]], half);
        c->max_extent = fmax(c->max_extent, half);
        c->samples[c->sample_count++] = edges[i];
    }
    arena_destroy(scratch);
    c->sample_tested = arena_array(arena, uint64_t, c->sample_count);
    c->sample_surfaces = arena_array(arena, Surface, c->sample_count);
    index_samples(c, arena);
}

/* The mean square of the distances of the corners from the sample. */
static double spread(const Sample *s, const Vec3 *x)
{
    const Vec3 *a = &x[s->corners[0]], *b = &x[s->corners[1]], *c = &x[s->corners[2]];
    const Vec3 ab = vec3_sub(*b, *a), bc = vec3_sub(*c, *b), ca = vec3_sub(*a, *c);

    return s->count == 2 ? vec3_dot(ab, ab) / 4
                         : (vec3_dot(ab, ab) + vec3_dot(bc, bc) + vec3_dot(ca, ca)) / 9;
}

/* With this spread or less a sample is outside of a body if its corners are. */
static double harmless_spread(const ClothBody *body, double thickness)
{
    const double far = MASS_DISTANCE * thickness, near = SAMPLE_DISTANCE * thickness;

    if (body->shape == CLOTH_FLOOR)
        return DBL_MAX;
    if (body->shape == CLOTH_BOX)
        return 0;
    return (far - near) * (2 * fmin(body->radius, body->radius + body->taper) + far + near);
}

/* ---- which masses are near which bodies ---- */

/* A capsule, prepared for many tests. */
typedef struct Capsule {
    Vec3 start, axis;
    double inverse_square; /* 1 / squared length of the axis; 0 for a sphere */
    double radius, taper;
    double harmless; /* see harmless_spread */
} Capsule;

/* Adds a mass to the group of a capsule: as one that may touch it if it is nearer than its reach,
 * as a neighbour if one of its samples may. */
static void add_if_near(ClothContacts *c, uint32_t *near, uint32_t *beside, const Capsule *capsule,
                        uint32_t mass, Vec3 x)
{
    const double extent = c->stretch[mass] > capsule->harmless ? c->extent[mass] : 0;
    const Vec3 d = vec3_sub(x, capsule->start);
    double u = vec3_dot(d, capsule->axis) * capsule->inverse_square;

    u = u < 0 ? 0 : u > 1 ? 1 : u;
    const Vec3 away = vec3_sub(d, vec3_scale(capsule->axis, u));
    const double square = vec3_dot(away, away);
    const double touching = capsule->radius + u * capsule->taper + c->reach[mass];
    const double neighbouring = touching + extent;
    if (square < touching * touching)
        c->near[(*near)++] = mass;
    else if (square < neighbouring * neighbouring)
        c->beside[(*beside)++] = mass;
}

/* Lists masses near a body from c->near[start] on. */
static void find_near_body(ClothContacts *c, size_t b, uint32_t start, const Vec3 *x)
{
    const ClothBody *body = &c->to[b];
    const double motion = fmax(vec3_length(vec3_sub(body->a, c->from[b].a)),
                               vec3_length(vec3_sub(body->b, c->from[b].b)));
    const double harmless = harmless_spread(body, c->topology->tuning.thickness);
    const double margin = motion + (c->max_stretch > harmless ? c->max_extent : 0);
    uint32_t near = start, beside = 0;
    ClothBox box;

    /* Squared way in a tick on which no mass passes through the body; -1: any may pass. */
    const double way = fmin(body->radius, body->radius + body->taper) - motion;
    c->short_way[b] = way > 0 ? way * way : -1;

    cloth_body_bounds(&box.low, &box.high, body);
    box.low = vec3_sub(box.low, (Vec3){margin, margin, margin});
    box.high = vec3_add(box.high, (Vec3){margin, margin, margin});
    const uint32_t count = cloth_tree_find(c->found, c->tree, &box);
    const Vec3 axis = vec3_sub(body->b, body->a);
    const double square = vec3_dot(axis, axis);
    const Capsule capsule = (Capsule){
        body->a, axis, square > 0 ? 1 / square : 0, body->radius + motion, body->taper, harmless};
    for (uint32_t i = 0; i < count; i++)
        if (body->shape == CLOTH_CAPSULE)
            add_if_near(c, &near, &beside, &capsule, c->found[i], x[c->found[i]]);
        else
            c->near[near++] = c->found[i]; /* a box may rotate: all that meet its bounds */
    c->near_end[b] = near;
    for (uint32_t i = 0; i < beside; i++)
        c->near[near++] = c->beside[i];
    c->beside_end[b] = near;
}

static uint32_t group_start(const ClothContacts *c, size_t b)
{
    return b > 0 ? c->beside_end[b - 1] : 0;
}

/* ---- at the end of a tick ---- */

/* Whether another body moved a mass or a sample the other way before. */
static bool is_between(const Surface *last, const ClothContacts *c, size_t b,
                       const ClothContact *contact)
{
    return last->pass >= c->first_pass && last->body != b &&
           vec3_dot(last->normal, contact->normal) < 0;
}

/* Whether a mass or a sample stays on a firm body that is pressed against this one. */
static bool is_held(const Surface *last, const ClothContacts *c, size_t b,
                    const ClothContact *contact)
{
    return c->bodies[b].yields == CLOTH_SECOND && is_between(last, c, b, contact) &&
           c->bodies[last->body].yields == CLOTH_FIRM;
}

/*
 * How to leave a body.  What another body moved the other way before leaves along the surface of
 * that one: with unit normals a and b and c = a.b < 0, b - c a has the length s = sqrt(1 - c^2), is
 * perpendicular to a, and depth / s along it leads out of b.  Surfaces that face each other have
 * no such point: then it is a bounded step on the way around them.
 */
static Vec3 way_out(Surface *last, bool *slides, const ClothContacts *c, size_t b,
                    const ClothContact *contact)
{
    const Vec3 straight = vec3_scale(contact->normal, contact->depth);
    const bool between =
        is_between(last, c, b, contact) && c->bodies[last->body].yields == c->bodies[b].yields;
    const Vec3 a = last->normal;
    const double cosine = vec3_dot(a, contact->normal);

    if (c->bodies[b].yields == CLOTH_YIELDS)
        return straight;
    *last = (Surface){contact->normal, c->passes, b};
    if (!between)
        return straight;
    *slides = true;
    const Vec3 along = vec3_sub(contact->normal, vec3_scale(a, cosine));
    const double sine = vec3_length(along);
    const Vec3 direction = sine > MIN_SINE ? vec3_scale(along, 1 / sine) : vec3_perpendicular(a);
    return vec3_scale(direction, contact->depth / fmax(sine, SLIDE_SINE));
}

/* Whether a mass may be at bodies near which it was not listed: those were farther than its reach
 * from where it was then. */
static bool is_far(const ClothContacts *c, uint32_t mass, Vec3 x)
{
    const Vec3 way = vec3_sub(x, c->listed[mass]);
    const double safe = c->reach[mass] - MASS_DISTANCE * c->topology->tuning.thickness;
    return vec3_dot(way, way) > safe * safe;
}

static bool is_within_box(const ClothBox *box, Vec3 x, double distance)
{
    return x.x > box->low.x - distance && x.x < box->high.x + distance &&
           x.y > box->low.y - distance && x.y < box->high.y + distance &&
           x.z > box->low.z - distance && x.z < box->high.z + distance;
}

/* Lists a mass once in a tick. */
static void add_stray(ClothContacts *c, uint32_t mass, Vec3 x)
{
    const double distance = c->extent[mass] + STRAY_REACH * c->topology->tuning.thickness;
    bool *near = c->stray_near + c->stray_count;

    if (c->strayed[mass] < c->first_pass) {
        for (size_t b = 0; b < c->body_count; b++, near += c->topology->mass_count)
            *near = is_within_box(&c->boxes[b], x, distance);
        c->strays[c->stray_count++] = mass;
    }
    c->strayed[mass] = c->passes;
}

/* Moves a mass and stops its motion into the body. */
static void push(ClothContacts *c, uint32_t mass, Vec3 *x, Vec3 *v, const ClothContact *contact,
                 Vec3 move, double inward)
{
    x[mass] = vec3_add(x[mass], move);
    if (inward > 0)
        v[mass] = vec3_add(v[mass], vec3_scale(contact->normal, inward));
    c->moved[mass] = c->passes;
}

/* A body that yields pushes a little in each tick: what holds the cloth against it may be firm. */
static bool meets(ClothContact *out, const ClothContacts *c, const ClothBody *body, Vec3 point,
                  double distance)
{
    if (!cloth_body_meets(out, body, point, distance))
        return false;
    if (body->yields == CLOTH_YIELDS)
        out->depth = fmin(out->depth, YIELDING_PUSH * c->topology->tuning.thickness);
    return true;
}

/* The contact of a point of the cloth.  One that is behind a firm body is led straight back: there
 * may be no way along the surface that it was moved to. */
static bool meets_at_end(ClothContact *out, Surface *last, const ClothContacts *c, size_t b,
                         Vec3 point, const ClothPast *past, double distance)
{
    const ClothBody *body = &c->bodies[b];
    const Vec3 way = vec3_sub(point, past->before);
    if (meets(out, c, body, point, distance)) {
        cloth_body_keep_side(out, body, point, past);
        return true;
    }
    if (body->yields != CLOTH_FIRM ||
        (vec3_dot(way, way) <= c->short_way[b] && !body->limb.known) ||
        !cloth_body_passes(out, body, point, past, distance))
        return false;
    last->pass = 0;
    return true;
}

/* A mass, if it was moved after its last test. */
static bool push_mass(ClothContacts *c, uint32_t i, size_t b, Vec3 *x, Vec3 *v)
{
    const double distance = MASS_DISTANCE * c->topology->tuning.thickness;
    const ClothPast past = {c->topology->rest[i], c->listed[i], &c->from[b]};
    bool slides = false;
    ClothContact contact;

    if (c->moved[i] <= c->masses_tested[b] ||
        !meets_at_end(&contact, &c->surfaces[i], c, b, x[i], &past, distance) ||
        is_held(&c->surfaces[i], c, b, &contact))
        return false;
    const Vec3 move = way_out(&c->surfaces[i], &slides, c, b, &contact);
    push(c, i, x, v, &contact, move, -vec3_dot(vec3_sub(v[i], contact.velocity), contact.normal));
    if (slides || is_far(c, i, x[i]))
        add_stray(c, i, x[i]);
    return true;
}

static bool push_masses(ClothContacts *c, size_t b, Vec3 *x, Vec3 *v)
{
    const bool *near = &c->stray_near[b * c->topology->mass_count];
    bool pushed = false;

    c->passes++;
    for (uint32_t k = group_start(c, b); k < c->near_end[b]; k++)
        pushed |= push_mass(c, c->near[k], b, x, v);
    for (uint32_t k = 0; k < c->stray_count; k++)
        if (near[k])
            pushed |= push_mass(c, c->strays[k], b, x, v);
    c->masses_tested[b] = c->passes;
    return pushed;
}

static Vec3 mean(const Sample *s, const Vec3 *values)
{
    const Vec3 sum = vec3_add(values[s->corners[0]], values[s->corners[1]]);
    return s->count == 2 ? vec3_scale(sum, 0.5)
                         : vec3_scale(vec3_add(sum, values[s->corners[2]]), 1.0 / 3);
}

static bool push_sample(ClothContacts *c, uint32_t number, size_t b, Vec3 *x, Vec3 *v)
{
    const Sample *s = &c->samples[number];
    const ClothPast past = {mean(s, c->topology->rest), mean(s, c->listed), &c->from[b]};
    bool slides = false;
    ClothContact contact;

    if (!meets_at_end(&contact, &c->sample_surfaces[number], c, b, mean(s, x), &past,
                      SAMPLE_DISTANCE * c->topology->tuning.thickness) ||
        is_held(&c->sample_surfaces[number], c, b, &contact))
        return false;
    for (uint32_t k = 0; k < s->count; k++)
        if (is_held(&c->surfaces[s->corners[k]], c, b, &contact))
            return false;
    const Vec3 move = way_out(&c->sample_surfaces[number], &slides, c, b, &contact);
    const double inward = -vec3_dot(vec3_sub(mean(s, v), contact.velocity), contact.normal);
    for (uint32_t k = 0; k < s->count; k++) {
        push(c, s->corners[k], x, v, &contact, move, inward);
        if (slides || is_far(c, s->corners[k], x[s->corners[k]]))
            add_stray(c, s->corners[k], x[s->corners[k]]);
    }
    return true;
}

/* The samples of a mass that were not tested in this pass yet. */
static bool push_samples_of(ClothContacts *c, uint32_t mass, size_t b, double harmless, Vec3 *x,
                            Vec3 *v)
{
    bool pushed = false;

    for (uint32_t i = c->first[mass]; i < c->first[mass + 1]; i++) {
        const Sample *s = &c->samples[c->samples_of[i]];
        uint64_t *tested = &c->sample_tested[c->samples_of[i]];
        if (*tested == c->passes)
            continue;
        *tested = c->passes;
        if (spread(s, x) > harmless)
            pushed |= push_sample(c, c->samples_of[i], b, x, v);
    }
    return pushed;
}

/* Whether samples of the mass may touch a body. */
static bool is_beside(const ClothContacts *c, uint32_t mass, size_t b, const Vec3 *x)
{
    const double distance = c->extent[mass] + c->topology->tuning.thickness;
    ClothContact contact;

    return cloth_body_meets(&contact, &c->bodies[b], x[mass], distance);
}

static bool push_samples(ClothContacts *c, size_t b, Vec3 *x, Vec3 *v)
{
    const double harmless = harmless_spread(&c->bodies[b], c->topology->tuning.thickness);
    const bool *near = &c->stray_near[b * c->topology->mass_count];
    bool pushed = false;

    c->passes++;
    for (uint32_t k = group_start(c, b); k < c->beside_end[b]; k++)
        if (c->moved[c->near[k]] > c->samples_tested[b] &&
            c->stretch[c->near[k]] > GROWTH * harmless)
            pushed |= push_samples_of(c, c->near[k], b, harmless, x, v);
    for (uint32_t k = 0; k < c->stray_count; k++)
        if (near[k] && c->moved[c->strays[k]] > c->samples_tested[b] &&
            is_beside(c, c->strays[k], b, x))
            pushed |= push_samples_of(c, c->strays[k], b, harmless, x, v);
    c->samples_tested[b] = c->passes;
    return pushed;
}

static double body_size(const ClothBody *body)
{
    if (body->shape == CLOTH_FLOOR)
        return DBL_MAX;
    return body->shape == CLOTH_BOX ? vec3_length(body->half) : body->radius;
}

/* By size, so that hands that press cloth against the body push before the body does.  Sizes hardly
 * ever change: the order of the last tick is sorted already. */
static void sort_bodies(ClothContacts *c)
{
    for (size_t i = 1; i < c->body_count; i++) {
        const uint32_t b = c->order[i];
        const double size = body_size(&c->to[b]);
        size_t k = i;
        for (; k > 0; k--) {
            const double other = body_size(&c->to[c->order[k - 1]]);
            if (other < size || (!(other > size) && c->order[k - 1] < b))
                break;
            c->order[k] = c->order[k - 1];
        }
        c->order[k] = b;
    }
}

/* One round of the bodies of a kind. */
static bool push_round(ClothContacts *c, ClothYield yields, Vec3 *x, Vec3 *v)
{
    bool pushed = false;

    for (size_t i = 0; i < c->body_count; i++) {
        const size_t b = c->order[i];
        if (c->to[b].yields == yields) {
            pushed |= push_samples(c, b, x, v);
            pushed |= push_masses(c, b, x, v);
        }
    }
    return pushed;
}

/* The bodies at the end of the tick, against which nothing was tested. */
static void move_bodies_to_end(ClothContacts *c)
{
    for (size_t b = 0; b < c->body_count; b++) {
        c->masses_tested[b] = c->samples_tested[b] = 0;
        c->bodies[b] = cloth_body_between(&c->from[b], &c->to[b], 1, c->tick_s);
        cloth_body_bounds(&c->boxes[b].low, &c->boxes[b].high, &c->bodies[b]);
    }
    sort_bodies(c);
}

static bool is_equal(Vec3 a, Vec3 b)
{
    return !(a.x < b.x || a.x > b.x || a.y < b.y || a.y > b.y || a.z < b.z || a.z > b.z);
}

/* ---- public functions ---- */

ClothContacts *cloth_contacts_create(const ClothTopology *topology, size_t body_count, Arena *arena)
{
    ClothContacts *c = arena_alloc(arena, sizeof *c);
    const uint32_t count = topology->mass_count;

    *c = (ClothContacts){
        .topology = topology,
        .body_count = body_count,
        .bodies = arena_array(arena, ClothBody, body_count),
        .near = arena_calloc(arena, body_count, count * sizeof(uint32_t)),
        .near_end = arena_array(arena, uint32_t, body_count),
        .beside_end = arena_array(arena, uint32_t, body_count),
        .beside = arena_array(arena, uint32_t, count),
        .listed = arena_array(arena, Vec3, count),
        .left = arena_array(arena, Vec3, count),
        .reach = arena_array(arena, double, count),
        .order = arena_array(arena, uint32_t, body_count),
        .short_way = arena_array(arena, double, body_count),
        .found = arena_array(arena, uint32_t, count),
        .extent = arena_array(arena, double, count),
        .stretch = arena_array(arena, double, count),
        .moved = arena_array(arena, uint64_t, count),
        .masses_tested = arena_array(arena, uint64_t, body_count),
        .samples_tested = arena_array(arena, uint64_t, body_count),
        .surfaces = arena_array(arena, Surface, count),
        .strayed = arena_array(arena, uint64_t, count),
        .strays = arena_array(arena, uint32_t, count),
        .boxes = arena_array(arena, ClothBox, body_count),
        .stray_near = arena_calloc(arena, body_count, count * sizeof(bool)),
    };
    for (size_t b = 0; b < body_count; b++)
        c->order[b] = (uint32_t)b;
    find_samples(c, arena);
    /* Masses that can move. */
    uint32_t free_count = 0;
    for (uint32_t i = 0; i < c->topology->mass_count; i++)
        if (c->topology->pins[i] < CLOTH_FIXED_PIN)
            c->found[free_count++] = i;
    c->tree = cloth_tree_create(c->found, free_count, c->topology->rest, arena);
    return c;
}

/* A mass that accelerates within the tick is found in the next. */
void cloth_contacts_start(ClothContacts *contacts, const ClothBody *from, const ClothBody *to,
                          double tick_s, const Vec3 *x, const Vec3 *v)
{
    contacts->from = from;
    contacts->to = to;
    contacts->tick_s = tick_s;
    contacts->ended = false;
    memcpy(contacts->listed, x, contacts->topology->mass_count * sizeof *x);
    /* The largest spread of any sample of a mass is at most a third of its longest edge's square.
     */
    memset(contacts->stretch, 0, contacts->topology->mass_count * sizeof *contacts->stretch);
    contacts->max_stretch = 0;
    for (uint32_t i = contacts->center_count; i < contacts->sample_count; i++) {
        const uint32_t *ends = contacts->samples[i].corners;
        const Vec3 d = vec3_sub(x[ends[0]], x[ends[1]]);
        const double max = GROWTH / 3 * vec3_dot(d, d);
        for (int k = 0; k < 2; k++)
            contacts->stretch[ends[k]] =
                max > contacts->stretch[ends[k]] ? max : contacts->stretch[ends[k]];
        contacts->max_stretch = max > contacts->max_stretch ? max : contacts->max_stretch;
    }
    /* How far masses may come in this tick. */
    for (uint32_t i = 0; i < contacts->topology->mass_count; i++)
        contacts->reach[i] =
            contacts->topology->tuning.thickness + 2 * vec3_length(v[i]) * contacts->tick_s;
    cloth_tree_update(contacts->tree, x, contacts->reach);
    for (size_t b = 0; b < contacts->body_count; b++)
        find_near_body(contacts, b, group_start(contacts, b), x);
}

/* A push outwards by depth and inward speed, never inwards, of at most `max`, and friction along
 * the surface. */
static Vec3 contact_force(const ClothTuning *tuning, const ClothContact *contact, Vec3 velocity,
                          double max)
{
    const double damping = cloth_stability_contact_damping(tuning);
    const Vec3 v = vec3_sub(velocity, contact->velocity);
    const double inward = -vec3_dot(v, contact->normal);
    const double force =
        fmin(cloth_stability_contact_stiffness(tuning) * contact->depth + damping * inward, max);

    if (!(force > 0))
        return (Vec3){0, 0, 0};
    const Vec3 slide = vec3_add(v, vec3_scale(contact->normal, inward));
    const double speed = vec3_length(slide);
    const double brake = speed > 0 ? fmin(damping, tuning->friction * force / speed) : 0;
    return vec3_sub(vec3_scale(contact->normal, force), vec3_scale(slide, brake));
}

void cloth_contacts_add(Vec3 *f, ClothContacts *contacts, const Vec3 *x, const Vec3 *v, double part)
{
    const ClothTuning *tuning = &contacts->topology->tuning;

    for (size_t b = 0; b < contacts->body_count; b++) {
        uint32_t k = group_start(contacts, b);
        if (k < contacts->near_end[b])
            contacts->bodies[b] =
                cloth_body_between(&contacts->from[b], &contacts->to[b], part, contacts->tick_s);
        const ClothYield yields = contacts->to[b].yields;
        const bool soft = yields == CLOTH_SOFT || yields == CLOTH_SECOND;
        const double max = soft ? SOFT_ACCELERATION * tuning->mass : DBL_MAX;
        for (; k < contacts->near_end[b]; k++) {
            const uint32_t i = contacts->near[k];
            const ClothBody *body = &contacts->bodies[b];
            const ClothPast past = {contacts->topology->rest[i], contacts->listed[i],
                                    &contacts->from[b]};
            ClothContact contact;
            if (meets(&contact, contacts, body, x[i], tuning->thickness) &&
                !cloth_body_misleads(&contact, body, x[i], &past))
                f[i] = vec3_add(f[i], contact_force(tuning, &contact, v[i], max));
        }
    }
}

/* The springs of contacts give way to quick limbs, and thin limbs pass between masses: at the end
 * of a tick no mass and no sample is left inside.  Firm bodies come last. */
void cloth_contacts_push_out(ClothContacts *c, Vec3 *x, Vec3 *v, bool second)
{
    bool pushed = true;

    if (!(c->topology->tuning.thickness > 0))
        return; /* without a distance to keep, springs alone push */
    c->first_pass = ++c->passes;
    c->stray_count = 0;
    const bool first = !c->ended;
    if (first)
        move_bodies_to_end(c);
    for (uint32_t i = 0; i < c->topology->mass_count; i++)
        if (!c->ended || !is_equal(x[i], c->left[i]))
            c->moved[i] = c->passes;
    c->ended = true;
    for (uint32_t i = 0; i < c->topology->mass_count; i++)
        if (is_far(c, i, x[i]) && c->topology->pins[i] < CLOTH_FIXED_PIN)
            add_stray(c, i, x[i]);
    if (first)
        push_round(c, CLOTH_YIELDS, x, v);
    for (int round = 0; pushed && round < PUSHES; round++) {
        pushed = second && push_round(c, CLOTH_SECOND, x, v);
        pushed |= push_round(c, CLOTH_FIRM, x, v);
    }
    memcpy(c->left, x, c->topology->mass_count * sizeof *x);
}
