/*
 * cloth_carry.h - the motion of the pins that does not act on a cloth (cloth/README.md)
 *
 * Dances move the hips faster than gravity could: a cloth that felt all of it would fly up.  Of the
 * motion of the pins in a tick, which is a shift and a turn about their centre, only the part
 * `inertia` of the tuning acts on the cloth; with the rest of it the cloth and the colliders are
 * moved as a whole.  World space; values only.
 */
#ifndef CLOTH_CLOTH_CARRY_H
#define CLOTH_CLOTH_CARRY_H

#include "cloth/cloth_body.h"
#include "dynamics/cloth_topology.h"

typedef struct ClothCarry {
    Vec3 centre, shift;
    Quat turn; /* about the centre */
} ClothCarry;

/*
 * Of anchors that move in a tick, [mass_count] each: their mean shift, weighted by the pins, and
 * the turn that fits them best, which is taken as small; both times 1 - inertia.  Nothing moves
 * without pins, and there is no turn about the line on which all pins are.
 */
ClothCarry cloth_carry_find(const ClothTopology *topology, const Vec3 *from, const Vec3 *to);

Vec3 cloth_carry_point(const ClothCarry *carry, Vec3 point);

/* A floor stays level. */
ClothBody cloth_carry_body(const ClothCarry *carry, const ClothBody *body);

#endif
