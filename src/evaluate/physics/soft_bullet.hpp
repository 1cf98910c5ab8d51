// SPDX-License-Identifier: MIT
/*
 * soft_bullet.hpp - the soft bodies of PMX 2.1 as Bullet's
 *
 * A Soft is in world space from soft_build to soft_remove; the caller owns its storage.  A tick is:
 * soft_set_pins, Bullet's step, soft_finish_step.  Only physics_bullet.cpp uses this.
 *
 * Two runs give the same bits: nodes and links are added in the plan's order, Bullet's own
 * shuffling (of links, by flag) has a fixed seed, and its cache of distances does not change
 * results.
 */
#pragma once

#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>

extern "C" {
#include "evaluate/frame_state.h"
#include "scene/dynamics/soft.h"
}

struct Soft {
    const SoftPlan *plan;
    uint32_t model;
    btSoftBody *body;
    btVector3 *last, *now; /* [node_count] at the last two ticks */
    btVector3 *normals;    /* [side_count] for soft_write_vertices */
    btTransform home;      /* set by the caller: its home bone at the last tick */
};

/* The bones of a model. */
struct SoftPose {
    const Model *model;
    const BonePose *bones; /* after physics */
    const Placement &placement;
};

/* Creates the body with its nodes at their skinned positions, at rest, scaled by the placement. */
void soft_build(Soft &soft, btSoftRigidDynamicsWorld &world, const SoftPose &pose, int group,
                int mask);
void soft_remove(Soft &soft, btSoftRigidDynamicsWorld &world);

/* Moves all nodes, and their last positions; velocities become 0. */
void soft_transform(Soft &soft, const btTransform &delta);

/* Sets the velocities that move pinned nodes to their bones. */
void soft_set_pins(Soft &soft, const SoftPose &pose, btScalar hz);

/* After Bullet's prediction, before it searches for contacts: nodes that left the world return. */
void soft_check_prediction(Soft &soft);

/* After Bullet's step: moves pinned nodes to their bones, and corrects nodes that are below the
 * floor, too far from their holder, or not finite. */
void soft_finish_step(Soft &soft, const SoftPose &pose, bool floor);

/* Writes its vertices in model space, [vertex_count]. */
void soft_write_vertices(ClothVertex *out, const Soft &soft, const Placement &placement,
                         float blend);
