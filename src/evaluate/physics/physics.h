// SPDX-License-Identifier: MIT
/*
 * physics.h - the rigid and soft bodies of all models, in one world that steps by a fixed clock
 *
 * Physics depends on all earlier frames, so the World keeps a clock: tick n is n / step_hz
 * seconds from the start of the simulation, independent of the frames that are drawn.  The caller
 * evaluates the bones at every tick and passes them; the same poses give the same bodies, bit for
 * bit.  The states of the last two ticks are kept: a frame between them is a blend of both.
 *
 *     world_reset(world, bones at tick 0)
 *     world_step(world, bones at tick 1), ...
 *     world_bone(..., blend) for each bone that physics moves
 *
 * What is simulated: scene/dynamics/dynamics.h, scene/dynamics/soft.h.  The engine is Bullet, set
 * up to behave like the older version that MMD uses (evaluate/physics/README.md 1).  Not
 * thread-safe; one World per process.
 */
#pragma once

#include "evaluate/frame_state.h"
#include "evaluate/interrupt.h"
#include "scene/dynamics/dynamics.h"
#include "scene/scene.h"

typedef struct World World;

/* A motion faster than 10 units or a quarter turn per 1/30 s is a jump; units and radians a second.
 */
enum { PHYSICS_JUMP_SPEED = 300, PHYSICS_JUMP_TURN = 47 };

/* One model at one tick, before physics. */
typedef struct WorldInput {
    const BonePose *bones;     /* [bone_count], model space */
    bool *kinematic;           /* [bone_count] the bone's keys switch physics off; NULL: no bone */
    const float *leaf_weights; /* [morph_count], for impulse morphs; or NULL */
    Placement placement;       /* its scale must be the same at every tick */
} WorldInput;

/* NULL if nothing in the scene is simulated.  The scene must outlive the world. */
World *world_create(const Scene *scene);
void world_destroy(World *world); /* NULL is fine */

/* Polled during the warm-up; NULL (the default) for none. */
void world_set_interrupt(World *world, Interrupt *interrupt);

/* The frame of tick 0, for gravity that changes; 0 by default. */
void world_set_start(World *world, double frame);

/* -1 before the first reset. */
int64_t world_tick(const World *world);

/* To tick 0: rebuilds all bodies, then warms up.  inputs: [model_count] at tick 0. */
void world_reset(World *world, const WorldInput *inputs);

/* To the next tick.  inputs: [model_count] at that tick. */
void world_step(World *world, const WorldInput *inputs);

/*
 * The simulated transform of a bone, in world space.
 *
 * blend    0: at the tick before the last, 1: at the last; after a reset both are the same
 * returns  BODY_FOLLOWS: it is not simulated now and `out` is not set; BODY_TURNS: only `rotation`
 * is valid, the position is the one without physics
 */
BodyRole world_bone(BonePose *out, const World *world, size_t model, uint32_t bone, float blend);

/*
 * The vertices of a model's soft bodies, in its model space: [model->soft.vertex_count].
 *
 * placement  of the model at that frame
 * returns    false if the model is not simulated or has no soft bodies
 */
bool world_soft(ClothVertex *out, const World *world, size_t model, const Placement *placement,
                float blend);

/* The center of a body, for tests and reports; false if its model is not simulated. */
bool world_body(BonePose *out, const World *world, size_t model, uint32_t body, float blend);

/* The greatest distance of a body from its anchor, divided by its maximal distance (dynamics.h). */
float world_strain(const World *world);
