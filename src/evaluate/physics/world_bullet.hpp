// SPDX-License-Identifier: MIT
/*
 * world_bullet.hpp - the data of physics.h, and the parts that physics_bullet.cpp puts together
 */
#pragma once

#include <btBulletDynamicsCommon.h>

#include "evaluate/physics/bullet_values.hpp"
#include "evaluate/physics/soft_bullet.hpp"

extern "C" {
#include "evaluate/physics/physics.h"
}

struct Body {
    const PmxBody *file;
    const BodyPlan *plan;
    uint32_t model;
    btTransform offset; /* from its bone, or its model's origin, to its center */
    btVector3 inertia;
    btCollisionShape *shape;
    btRigidBody *rigid;
    btVector3 pin;      /* the joint on its anchor, in the anchor's space */
    bool kinematic;     /* its bone's keys switch physics off, so it follows the bone for now */
    btTransform home;   /* its transform at the last tick if it followed its bone */
    BonePose last, now; /* at the last two ticks */
};

struct JointFrame { /* a joint in the space of one of its bodies */
    btVector3 origin;
    btQuaternion rotation;
};

struct JointFrames {
    JointFrame a, b;
};

struct LoopRow { /* a joint of a loop and the body behind it: loop_bullet.cpp */
    Body *body;
    btVector3 arm_before, arm; /* from the centers of the bodies before and behind to the joint */
    btVector3 gap;             /* between the ends of the joint */
    btScalar excess;           /* the part of the gap that is beyond the play of the joint */
    btScalar inverse_mass, inverse_square; /* of the body; of its distance from its joints */
    btMatrix3x3 matrix, coupling;
    btVector3 impulse, turn;
};

struct Engine { /* created by a reset, destroyed by the next one */
    btDefaultCollisionConfiguration *configuration;
    btCollisionDispatcher *dispatcher;
    btDbvtBroadphase *broadphase;
    btSequentialImpulseConstraintSolver *solver;
    btDiscreteDynamicsWorld *world;
    btSoftRigidDynamicsWorld *soft_world; /* `world`, or NULL if the scene has no soft bodies */
    btStaticPlaneShape *floor_shape;
    btRigidBody *floor;
    btOverlapFilterCallback *filter;
};

struct World {
    const Scene *scene;
    Interrupt *interrupt; /* or NULL */
    Arena *arena;
    int64_t tick;
    double start;         /* the frame of tick 0 */
    float speed_limit;    /* chained bodies' limit, units and radians a second: chain_bullet.cpp */
    Body *bodies;         /* the bodies of all simulated models, grouped by model */
    uint32_t *first_body; /* [model_count + 1] */
    btTypedConstraint **joints; /* as bodies; NULL for ignored joints */
    JointFrames *joint_frames;  /* as joints */
    uint32_t *first_joint;
    LoopRow *loop_rows; /* [steps of the longest loop] */
    Soft *softs;        /* as bodies */
    uint32_t *first_soft;
    BonePose *moved;  /* [largest bone_count] after physics */
    WorldInput *warm; /* [model_count] the inputs of a warm-up tick */
    BonePose **warm_bones;
    Engine engine;
};

inline btTransform bone_transform(const WorldInput &input, int32_t bone)
{
    const BonePose origin = {{0, 0, 0}, {0, 0, 0, 1}};
    return placed(input.placement, bone >= 0 ? input.bones[bone] : origin);
}

inline const PmxModel &pmx_of(const World *world, uint32_t model)
{
    return world->scene->models[model].model->pmx;
}

inline const Dynamics &dynamics_of(const World *world, uint32_t model)
{
    return world->scene->models[model].model->dynamics;
}

/* A joint's frame in the space of one of its bodies. */
inline const JointFrame &joint_frame(const World *world, uint32_t model, uint32_t joint,
                                     uint32_t body)
{
    const JointFrames &frames = world->joint_frames[world->first_joint[model] + joint];
    return pmx_of(world, model).joints[joint].body_a == int32_t(body) ? frames.a : frames.b;
}

/* ---- joint_bullet.cpp: the joints of PMX as Bullet's, with the older library's behaviour ---- */

/* The frames of a joint whose ends exist. */
JointFrames joint_frames(const PmxModel &pmx, const PmxJoint &joint, float scale);

/* Both ends of the joint exist, at its frames; a and b are its bodies.  The caller adds it to the
 * world and deletes it. */
btTypedConstraint *joint_make(const PmxModel &pmx, const PmxJoint &file, btRigidBody &a,
                              btRigidBody &b, float scale);

/* ---- chain_bullet.cpp: keeps chains of bodies together, and still when nothing moves them ----
 * Applied after each of Bullet's steps, which lets joints come apart in quick motions, and lets
 * contacts and stops tremble without end (evaluate/physics/README.md 1.2 and 1.3). */

/* The value of World.speed_limit while bones move quickly. */
const float CHAIN_NO_LIMIT = 6400;

/* Sets the frames of all joints of a model, whose bodies exist. */
void chain_build(World *world, uint32_t model, float scale);

/* The greater of a home's linear and angular speed, units and radians a second. */
float chain_speed(const btTransform &from, const btTransform &to, float hz);

/* Whether a home's speed lifts the limit, so that those of others make no difference. */
bool chain_is_quick(float speed);

/* Updates the speed limit of this tick.  speed: the greatest of all homes, or a quick one. */
void chain_limit_speed(World *world, float speed);

/* Moves fitted bodies to their bones, bodies that are too far from their anchor or link back, and
 * limits speeds. */
void chain_finish_tick(World *world, const WorldInput *inputs);

/* See world_strain. */
float chain_strain(const World *world);

/* ---- loop_bullet.cpp: loops of bodies stay closed (evaluate/physics/README.md 1.2) ---- */

/* Closes the loops of a group; the bodies on which they hang are in place.  Returns whether a body
 * was moved. */
bool loop_close_group(World *world, uint32_t model, uint32_t group);

/* ---- turn_bullet.cpp: links do not whip (evaluate/physics/README.md 1.6) ---- */

/* Turns linked bodies of a model about their joints, back towards the joints' limits if they are
 * far beyond them, and no faster than a quarter turn in 1/30 s.  Links are closed afterwards. */
void turn_hold_links(World *world, uint32_t model);
