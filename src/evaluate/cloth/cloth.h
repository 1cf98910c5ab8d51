// SPDX-License-Identifier: MIT
/*
 * cloth.h - simulation of one cloth: masses and springs with colliders (evaluate/cloth/README.md)
 *
 * The cloth keeps a clock: tick n is n / step_hz seconds from the start of the simulation,
 * independent of the frames that are drawn.  The caller passes the anchors and colliders of every
 * tick; the same ticks give the same cloth, bit for bit.  cloth_interpolate computes a time between
 * two ticks without changing the state.
 *
 * World space: MMD units, seconds.  An anchor is the position of a mass without simulation: fixed
 * masses are there, partly pinned masses are pulled there, and all masses start there.  Colliders
 * push masses out by a spring on the depth, with a damper.  Not thread-safe; allocates only in
 * cloth_create.
 */
#pragma once

#include "evaluate/cloth/cloth_body.h"
#include "evaluate/cloth/cloth_self_collision.h"
#include "scene/cloth/cloth_topology.h"

typedef struct Cloth Cloth;

/* The topology must outlive the cloth. */
Cloth *cloth_create(const ClothTopology *topology, size_t body_count);
void cloth_destroy(Cloth *cloth); /* NULL is fine */

/* Sets the gravity of the following ticks; by default it is that of the tuning. */
void cloth_set_gravity(Cloth *cloth, Vec3 gravity);

/* The time of the film at tick 0, seconds; 0 by default. */
void cloth_start_at(Cloth *cloth, double seconds);

/* -1 before the first reset. */
int64_t cloth_tick(const Cloth *cloth);

/* To tick 0: every mass at its anchor, at rest. */
void cloth_reset(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies);

/* Simulates some ticks with constant anchors and colliders, without advancing the clock. */
void cloth_warm_up(Cloth *cloth, int ticks);

/* The same while anchors and colliders move to these in straight lines. */
void cloth_move(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies, int ticks);

/* To the next tick.  anchors, bodies: at that tick. */
void cloth_step(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies);

/* [mass_count], at the last tick. */
const Vec3 *cloth_positions(const Cloth *cloth);

/* For cloth_self_collision; no distance if it diverged or takes no part in collisions of cloth. */
ClothMasses cloth_masses(Cloth *cloth);

/* The positions a part of a tick (0..1) later, with the anchors and bodies of that time. */
const Vec3 *cloth_interpolate(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies,
                              double part);

/* Masses left the world because steps were too long; the cloth has been frozen since. */
bool cloth_has_diverged(const Cloth *cloth);

/* For reports: what it is made of, and the colliders of the last tick. */
const ClothTopology *cloth_topology(const Cloth *cloth);
const ClothBody *cloth_bodies(const Cloth *cloth, size_t *count);
