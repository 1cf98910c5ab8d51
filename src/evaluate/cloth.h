/*
 * cloth.h - a piece of cloth in motion: masses and springs against bodies (evaluate/README.md 11)
 *
 * The cloth keeps a clock: tick n is n / step_hz seconds from the start of the film, whatever the
 * frames that are drawn.  Its owner says at every tick where the anchors and the bodies are; the
 * same ticks give the same cloth, bit for bit.  A moment between two ticks is looked at with
 * cloth_peek, which leaves no trace.
 *
 * World space: MMD units, seconds.  An anchor is where a mass would be if the cloth were stiff:
 * fixed masses are there, those that are pinned less are pulled there, and all start there.  Bodies
 * push masses out by a spring on their depth, with a damper.  Not thread-safe; allocates only in
 * cloth_create.
 */
#ifndef EVALUATE_CLOTH_H
#define EVALUATE_CLOTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "evaluate/cloth_body.h"
#include "scene/cloth_topology.h"

typedef struct Cloth Cloth;

/* The fabric must outlive the cloth. */
Cloth *cloth_create(const ClothTopology *topology, size_t body_count);
void cloth_destroy(Cloth *cloth); /* NULL is fine */

/* -1 before the first reset. */
int64_t cloth_tick(const Cloth *cloth);

/* To tick 0: every mass at its anchor, at rest. */
void cloth_reset(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies);

/* Lets time pass at tick 0, everything else standing still. */
void cloth_settle(Cloth *cloth, int ticks);

/* To the next tick; anchors and bodies are those of that tick. */
void cloth_step(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies);

/* [mass_count], at the last tick. */
const Vec3 *cloth_positions(const Cloth *cloth);

/* The same a part of a tick, 0..1, later, with the anchors and bodies of that moment. */
const Vec3 *cloth_peek(Cloth *cloth, const Vec3 *anchors, const ClothBody *bodies, double part);

/* Springs in steps that were too long threw masses out of the world; the cloth has stood still
 * since. */
bool cloth_has_diverged(const Cloth *cloth);

/* Of masses, springs and height, of all that is not fixed; bodies and anchors do not count. */
double cloth_energy(const Cloth *cloth);

/* So many masses that are not fixed are deeper than `depth` inside a capsule at the last tick;
 * `deepest` may be NULL.
 */
uint32_t cloth_count_inside(const Cloth *cloth, double depth, double *deepest);

#endif
