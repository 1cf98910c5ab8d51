/*
 * soft_bullet.hpp - the soft bodies of PMX 2.1 as Bullet's
 *
 * A Soft lives in world space from soft_build to soft_take_down, which a reset of the world spans;
 * its storage is the caller's.  A tick is: soft_lead, Bullet's step, soft_settle.
 * physics_bullet.cpp alone uses this.
 *
 * Two runs give the same bits: nodes and links are added in the plan's order, Bullet's own
 * shuffling (of links, by flag) has a fixed seed, and its cache of distances only saves work.
 */
#ifndef EVALUATE_SOFT_BULLET_HPP
#define EVALUATE_SOFT_BULLET_HPP

#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

extern "C" {
#include "evaluate/frame_state.h"
#include "scene/soft.h"
}

struct Soft {
    const SoftPlan *plan;
    uint32_t model;
    btSoftBody *body;
    btVector3 *last, *now; /* [node_count] at the last two ticks */
    btVector3 *normals;    /* [side_count] for soft_show */
    btTransform home;      /* the caller's: of its home bone, at the last tick */
};

/* Where a model's bones are. */
struct SoftPose {
    const Model *model;
    const BonePose *bones; /* as physics has moved them */
    const Placement &placement;
};

/* Its nodes where the bones carry them, at rest, as long and wide as the placement's scale makes
 * it. */
void soft_build(Soft &soft, btSoftRigidDynamicsWorld &world, const SoftPose &pose, int group,
                int mask);
void soft_remove(Soft &soft, btSoftRigidDynamicsWorld &world);

/* Moves all of it, and what it remembers; it stands still then. */
void soft_transform(Soft &soft, const btTransform &delta);

/* Pins will go where the bones carry them. */
void soft_set_pins(Soft &soft, const SoftPose &pose, btScalar hz);

/* After Bullet's step: pins are there; nothing is below the floor, out of reach or lost. */
void soft_finish_step(Soft &soft, const SoftPose &pose, bool floor);

/* Its vertices in model space, [vertex_count]. */
void soft_write_vertices(ClothVertex *out, const Soft &soft, const Placement &placement,
                         float blend);

#endif
