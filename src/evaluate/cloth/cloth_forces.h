// SPDX-License-Identifier: MIT
/*
 * cloth_forces.h - forces of gravity, air and springs on the masses of a cloth
 * (evaluate/cloth/README.md)
 *
 * Springs and faces are grouped in blocks of eight, whose forces are computed side by side; the
 * order of the sums depends on the topology alone, so that two runs give the same bits.  Where the
 * masses of a block have consecutive numbers, as in grids, nothing is gathered by number.
 *
 * World space, MMD units, seconds.  Allocates only in cloth_forces_create.
 */
#pragma once

#include "base/arena.h"
#include "scene/cloth/cloth_topology.h"

typedef struct ClothForces ClothForces;

/* In the arena; the topology must outlive it.  The wind is steady at first. */
ClothForces *cloth_forces_create(const ClothTopology *topology, Arena *arena);

/* Sets the part of the wind that blows at each mass: [mass_count]. */
void cloth_forces_set_gusts(ClothForces *forces, const double *gusts);

/* Fills out with the force on each mass: [mass_count] like x, the positions, and v, the
 * velocities. */
void cloth_forces_find(Vec3 *out, ClothForces *forces, Vec3 gravity, const Vec3 *x, const Vec3 *v);
