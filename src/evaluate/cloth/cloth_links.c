// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_links.h"

#include <math.h>
#include <stdlib.h>

enum { MAX_STEPS = 256 }; /* masses that are farther from all pins are equal */
/* Links are shortened by this much of their excess.  A closed ring that a limb widens grows shorter
 * slowly with 1, because each link stretches its neighbors; with 2 it does not converge. */
static const double OVER_RELAXATION = 1.7;
static const uint32_t UNREACHED = UINT32_MAX;

typedef struct Link {
    uint32_t a, b; /* a is as near to the pins as b, or nearer */
    uint32_t steps[2];
    double rest;
    bool fixed[2];
} Link;

struct ClothLinks {
    Link *items; /* by the steps of a, then of b: a mass comes after those that it hangs from */
    uint32_t count;
};

/* How many links each mass is from the nearest pin. */
static uint32_t *count_steps(const ClothTopology *topology, const Link *links, uint32_t count,
                             Arena *arena)
{
    uint32_t *steps = arena_array(arena, uint32_t, topology->mass_count);
    bool reached = true;

    for (uint32_t i = 0; i < topology->mass_count; i++)
        steps[i] = topology->pins[i] > 0 ? 0 : UNREACHED;
    for (uint32_t step = 0; reached && step < MAX_STEPS; step++) {
        reached = false;
        for (uint32_t i = 0; i < count; i++)
            for (int end = 0; end < 2; end++) {
                const uint32_t from = end ? links[i].b : links[i].a;
                const uint32_t to = end ? links[i].a : links[i].b;
                if (steps[from] == step && steps[to] == UNREACHED) {
                    steps[to] = step + 1;
                    reached = true;
                }
            }
    }
    return steps;
}

static int by_steps(const void *left, const void *right)
{
    const Link *a = left, *b = right;

    for (int i = 0; i < 2; i++)
        if (a->steps[i] != b->steps[i])
            return a->steps[i] < b->steps[i] ? -1 : 1;
    if (a->a != b->a)
        return a->a < b->a ? -1 : 1;
    return a->b < b->b ? -1 : a->b > b->b;
}

ClothLinks *cloth_links_create(const ClothTopology *topology, Arena *arena)
{
    ClothLinks *links = arena_array(arena, ClothLinks, 1);
    Arena *scratch = arena_create();

    if (topology->tuning.stretch > 0) {
        links->items = arena_array(arena, Link, topology->spring_count);
        for (uint32_t i = 0; i < topology->spring_count; i++) {
            const ClothSpring *s = &topology->springs[i];
            if (s->rest > 0 && s->stiffness > topology->tuning.bend * topology->tuning.stiffness)
                links->items[links->count++] = (Link){.a = s->a, .b = s->b, .rest = s->rest};
        }
    }
    const uint32_t *steps = count_steps(topology, links->items, links->count, scratch);
    for (uint32_t i = 0; i < links->count; i++) {
        Link *link = &links->items[i];
        if (steps[link->b] < steps[link->a]) {
            const uint32_t swap = link->a;
            link->a = link->b;
            link->b = swap;
        }
        link->steps[0] = steps[link->a];
        link->steps[1] = steps[link->b];
        link->fixed[0] = topology->pins[link->a] >= CLOTH_FIXED_PIN;
        link->fixed[1] = topology->pins[link->b] >= CLOTH_FIXED_PIN;
    }
    if (links->count > 0)
        qsort(links->items, links->count, sizeof *links->items, by_steps);
    arena_destroy(scratch);
    return links;
}

bool cloth_links_shorten(const ClothLinks *links, Vec3 *x, Vec3 *v, double stretch, bool outwards,
                         bool loose)
{
    const double nearer = outwards ? 0 : 0.5, relaxation = outwards ? 1 : OVER_RELAXATION;
    bool shortened = false;

    for (uint32_t i = 0; i < links->count; i++) {
        const Link *link = &links->items[i];
        const uint32_t a = link->a, b = link->b;
        const Vec3 d = vec3_sub(x[b], x[a]);
        const double square = vec3_dot(d, d), max = stretch * link->rest;
        if (!(square > max * max))
            continue;
        const double length = sqrt(square), excess = relaxation * (length - max);
        const double equal = link->steps[0] == link->steps[1] ? 0.5 : nearer;
        const double held = link->fixed[0] ? 0 : link->fixed[1] ? 1 : equal;
        const double share = loose ? equal : held;
        const Vec3 normal = vec3_scale(d, 1 / length);
        const double apart = fmax(vec3_dot(vec3_sub(v[b], v[a]), normal), 0);
        x[a] = vec3_add(x[a], vec3_scale(normal, share * excess));
        x[b] = vec3_sub(x[b], vec3_scale(normal, (1 - share) * excess));
        v[a] = vec3_add(v[a], vec3_scale(normal, share * apart));
        v[b] = vec3_sub(v[b], vec3_scale(normal, (1 - share) * apart));
        shortened = true;
    }
    return shortened;
}
