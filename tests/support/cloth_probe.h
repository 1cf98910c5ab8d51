// SPDX-License-Identifier: MIT
/*
 * cloth_probe.h - what tests and benchmarks measure of a cloth
 */
#ifndef SUPPORT_CLOTH_PROBE_H
#define SUPPORT_CLOTH_PROBE_H

#include <math.h>

#include "evaluate/cloth/cloth.h"

/* Kinetic, spring and potential energy of masses that are not fixed, without colliders and anchors.
 */
static inline double cloth_energy(Cloth *cloth)
{
    const ClothTopology *topology = cloth_topology(cloth);
    const ClothMasses masses = cloth_masses(cloth);
    const ClothTuning *tuning = &topology->tuning;
    double energy = 0;

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const Vec3 v = masses.velocity[i], x = masses.position[i];
        if (topology->pins[i] < CLOTH_FIXED_PIN)
            energy += tuning->mass * (vec3_dot(v, v) / 2 - vec3_dot(tuning->gravity, x));
    }
    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        const Vec3 d = vec3_sub(masses.position[s->b], masses.position[s->a]);
        const double elongation = vec3_length(d) - s->rest;
        energy += s->stiffness * elongation * elongation / 2;
    }
    return energy;
}

/* The greatest length of a spring that is no bend spring, of its length at rest, at the last tick.
 */
static inline double cloth_greatest_stretch(const Cloth *cloth)
{
    const ClothTopology *topology = cloth_topology(cloth);
    const Vec3 *x = cloth_positions(cloth);
    double greatest = 0;

    for (uint32_t i = 0; i < topology->spring_count; i++) {
        const ClothSpring *s = &topology->springs[i];
        if (s->rest > 0 && s->stiffness > topology->tuning.bend * topology->tuning.stiffness)
            greatest = fmax(greatest, vec3_length(vec3_sub(x[s->b], x[s->a])) / s->rest);
    }
    return greatest;
}

/* Kinds of bodies, as bits. */
enum {
    CLOTH_FIRM_BODIES = 1 << CLOTH_FIRM,
    CLOTH_SECOND_BODIES = 1 << CLOTH_SECOND,
    CLOTH_ALL_BODIES = 15
};

/* The greatest depth of a point in the capsules of these kinds. */
static inline double cloth_depth_inside(const Cloth *cloth, Vec3 point, unsigned kinds)
{
    size_t count;
    const ClothBody *bodies = cloth_bodies(cloth, &count);
    double depth = 0;

    for (size_t b = 0; b < count; b++) {
        ClothContact contact;
        const ClothBody *body = &bodies[b];
        if (body->shape == CLOTH_CAPSULE && (kinds & 1u << body->yields) &&
            cloth_body_meets(&contact, body, point, 0))
            depth = fmax(depth, contact.depth);
    }
    return depth;
}

/* The number of masses that are not fixed and deeper than `depth` in a capsule at the last tick.
 * deepest may be NULL. */
static inline uint32_t cloth_count_inside(const Cloth *cloth, unsigned kinds, double depth,
                                          double *deepest)
{
    const ClothTopology *topology = cloth_topology(cloth);
    uint32_t count = 0;
    double worst = 0;

    for (uint32_t i = 0; i < topology->mass_count; i++) {
        const bool fixed = topology->pins[i] >= CLOTH_FIXED_PIN;
        const double at = fixed ? 0 : cloth_depth_inside(cloth, cloth_positions(cloth)[i], kinds);
        count += at > depth;
        worst = fmax(worst, at);
    }
    if (deepest)
        *deepest = worst;
    return count;
}

/* The same for faces without fixed masses, by their centers and the middles of their sides. */
static inline uint32_t cloth_count_faces_inside(const Cloth *cloth, unsigned kinds, double depth,
                                                double *deepest)
{
    const ClothTopology *topology = cloth_topology(cloth);
    const Vec3 *x = cloth_positions(cloth);
    uint32_t count = 0;
    double worst = 0;

    for (uint32_t i = 0; i < topology->face_count; i++) {
        const uint32_t *f = topology->faces[i];
        const Vec3 sum = vec3_add(vec3_add(x[f[0]], x[f[1]]), x[f[2]]);
        bool fixed = false;
        double at = cloth_depth_inside(cloth, vec3_scale(sum, 1.0 / 3), kinds);
        for (int k = 0; k < 3; k++) {
            const Vec3 ends = vec3_add(x[f[k]], x[f[(k + 1) % 3]]);
            at = fmax(at, cloth_depth_inside(cloth, vec3_scale(ends, 0.5), kinds));
            fixed |= topology->pins[f[k]] >= CLOTH_FIXED_PIN;
        }
        if (fixed)
            continue;
        count += at > depth;
        worst = fmax(worst, at);
    }
    if (deepest)
        *deepest = worst;
    return count;
}

/* Six times the volume of a tetrahedron, positive where a, b, c turn clockwise seen from d. */
static inline double cloth_volume(Vec3 a, Vec3 b, Vec3 c, Vec3 d)
{
    return vec3_dot(vec3_cross(vec3_sub(b, a), vec3_sub(c, a)), vec3_sub(d, a));
}

/* How many faces the segment from a to b leads through at the last tick. */
static inline uint32_t cloth_count_crossed(const Cloth *cloth, Vec3 a, Vec3 b)
{
    const ClothTopology *topology = cloth_topology(cloth);
    const Vec3 *x = cloth_positions(cloth);
    uint32_t count = 0;

    for (uint32_t i = 0; i < topology->face_count; i++) {
        const Vec3 p = x[topology->faces[i][0]], q = x[topology->faces[i][1]];
        const Vec3 r = x[topology->faces[i][2]];
        const bool ahead = cloth_volume(p, q, r, a) > 0;
        const bool side = cloth_volume(a, b, p, q) > 0;
        count += ahead != (cloth_volume(p, q, r, b) > 0) &&
                 side == (cloth_volume(a, b, q, r) > 0) && side == (cloth_volume(a, b, r, p) > 0);
    }
    return count;
}

#endif
