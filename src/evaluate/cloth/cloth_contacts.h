// SPDX-License-Identifier: MIT
/*
 * cloth_contacts.h - contacts of a cloth with colliders (evaluate/cloth/README.md)
 *
 * In each tick the masses near each body are listed once.  Contact forces are computed for these in
 * every evaluation of the forces; at the end of the tick masses and the samples of triangles
 * (centers, and middles of edges) that are still too near are moved out.
 *
 * World space, MMD units, seconds.  Allocates only in cloth_contacts_create.
 */
#pragma once

#include "base/arena.h"
#include "evaluate/cloth/cloth_body.h"
#include "scene/cloth/cloth_topology.h"

typedef struct ClothContacts ClothContacts;

/* In the arena; the topology must outlive it. */
ClothContacts *cloth_contacts_create(const ClothTopology *topology, size_t body_count,
                                     Arena *arena);

/* Starts a tick of tick_s seconds, in which the bodies move from `from` to `to`: both must stay
 * valid until the next start.  x, v: positions and velocities of the masses. */
void cloth_contacts_start(ClothContacts *contacts, const ClothBody *from, const ClothBody *to,
                          double tick_s, const Vec3 *x, const Vec3 *v);

/* Adds the forces of contacts to f, with the bodies at a part of the tick (0..1). */
void cloth_contacts_add(Vec3 *f, ClothContacts *contacts, const Vec3 *x, const Vec3 *v,
                        double part);

/* Moves masses, and triangles by their samples, out of the bodies at the end of the tick.
 * second: out of those of CLOTH_SECOND, too. */
void cloth_contacts_push_out(ClothContacts *contacts, Vec3 *x, Vec3 *v, bool second);
