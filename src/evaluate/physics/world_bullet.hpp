/*
 * world_bullet.hpp - the data of physics.h, shared by physics_bullet.cpp and chain_bullet.cpp
 */
#ifndef EVALUATE_PHYSICS_WORLD_BULLET_HPP
#define EVALUATE_PHYSICS_WORLD_BULLET_HPP

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
    btVector3 link_end, link_start; /* of its link, in its own space and that of the body before */
    btVector3 pin;                  /* the joint on its anchor, in the anchor's space */
    bool kinematic;     /* its bone's keys switch physics off, so it follows the bone for now */
    btTransform home;   /* its transform at the last tick if it followed its bone */
    BonePose last, now; /* at the last two ticks */
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
    float speed_limit;    /* of chained bodies, units and radians a second: chain_bullet.cpp */
    Body *bodies;         /* of all simulated models, grouped by model */
    uint32_t *first_body; /* [model_count + 1] */
    btTypedConstraint **joints; /* as bodies; NULL for ignored joints */
    uint32_t *first_joint;
    Soft *softs; /* as bodies */
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

#endif
