/*
 * physics.h - the rigid and soft bodies of all models, in one world that steps by a fixed clock
 *
 * Hair and skirts depend on all that was before, so the World keeps a clock: tick n is n / step_hz
 * seconds from the start of the film, whatever the frames that are drawn.  Its owner evaluates the
 * bones at every tick and hands them in; the same poses give the same bodies, bit for bit.  The
 * states of the last two ticks are kept: a frame between them takes a blend of both.
 *
 *     world_reset(world, bones at tick 0)
 *     world_step(world, bones at tick 1), ...
 *     world_bone(..., blend) for each bone that physics moves
 *
 * What is simulated, and what not: scene/dynamics.h, scene/soft.h.  The engine is Bullet, used as
 * MMD's own older version of it behaves (evaluate/README.md 9).  Not thread-safe; one World a
 * process.
 */
#ifndef EVALUATE_PHYSICS_H
#define EVALUATE_PHYSICS_H

#include <stdbool.h>
#include <stdint.h>

#include "evaluate/frame_state.h"
#include "scene/dynamics.h"
#include "scene/scene.h"

typedef struct World World;

/* One model at one tick, before physics. */
typedef struct WorldInput {
    const BonePose *bones;     /* [bone_count], model space */
    bool *kinematic;           /* [bone_count] the bone's keys switch physics off; NULL: none */
    const float *leaf_weights; /* [morph_count], for impulse morphs; NULL: none */
    Placement placement;       /* its scale must be the same at every tick */
} WorldInput;

/* NULL when physics moves nothing in the scene.  The scene must outlive the world. */
World *world_create(const Scene *scene);
void world_destroy(World *world); /* NULL is fine */

/* -1 before the first reset. */
int64_t world_tick(const World *world);

/* To tick 0: all bodies anew, then warmed up.  `inputs`: of every model of the scene, at tick 0. */
void world_reset(World *world, const WorldInput *inputs);

/* To the next tick; `inputs` are those of that tick. */
void world_step(World *world, const WorldInput *inputs);

/*
 * Where physics has a bone, in world space.
 *
 * blend    0: at the tick before the last, 1: at the last; after a reset both are the same
 * returns  BODY_FOLLOWS: physics does not move it now, `out` is not set; BODY_TURNS: `rotation`
 * counts, the position is the one without physics
 */
BodyRole world_bone(BonePose *out, const World *world, size_t model, uint32_t bone, float blend);

/*
 * Where the vertices of a model's soft bodies are, in its model space: [model->soft.vertex_count].
 *
 * placement  of the model at that moment
 * returns    false: the model is not simulated, or has none
 */
bool world_soft(ClothVertex *out, const World *world, size_t model, const Placement *placement,
                float blend);

/* Where a body's centre is; for tests and reports.  false: its model is not simulated. */
bool world_body(BonePose *out, const World *world, size_t model, uint32_t body, float blend);

/* The farthest that any held-up body's centre is from its anchor, as a part of its reach
 * (dynamics.h). */
float world_strain(const World *world);

#endif
