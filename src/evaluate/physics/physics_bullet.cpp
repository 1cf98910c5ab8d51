// SPDX-License-Identifier: MIT
/*
 * Implements physics.h with Bullet 3, set up to behave like the version 2.75 that MMD uses.
 *
 * Two runs give the same bits: each step is one of Bullet's fixed steps, objects are added in file
 * order, the solver neither shuffles nor selects code by processor, a reset rebuilds the world.
 */
#include <math.h>
#include <string.h>

#include <algorithm>
#include <new>

#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <LinearMath/btAlignedAllocator.h>
#include <btBulletDynamicsCommon.h>

#include "evaluate/physics/collision_bullet.hpp"
#include "evaluate/physics/solver_bullet.hpp"
#include "evaluate/physics/world_bullet.hpp"

#define _Noreturn [[noreturn]] /* C has no attributes before C23 */
extern "C" {
#include "base/memory.h"
#include "base/units.h"
#include "evaluate/physics/physics.h"
#include "evaluate/pose.h"
#include "scene/complexity.h"
#include "scene/dynamics/dynamics.h"
}

namespace
{

/* Impulse morphs apply per step of 1/120 s, the default. */
const float IMPULSE_HZ = 120;

/* Decides which pairs of bodies Bullet keeps: as by default, up to the limit. */
struct PairFilter : btOverlapFilterCallback {
    const World *world = nullptr;
    bool needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const override;
};

/* Checks soft bodies between Bullet's prediction and its search for contacts. */
struct SoftWorld : IslandWorld<btSoftRigidDynamicsWorld> {
    using IslandWorld<btSoftRigidDynamicsWorld>::IslandWorld;
    void predictUnconstraintMotion(btScalar step) override;
};

/* ---- bodies ---- */

bool is_simulated(const World *world, size_t model)
{
    return world->first_body[model] < world->first_body[model + 1] ||
           world->first_soft[model] < world->first_soft[model + 1];
}

btCollisionShape *make_shape(const PmxBody &file, const BodyPlan &plan, float scale)
{
    const btVector3 size = bounded(vector_of(plan.size) * scale);
    if (file.shape == PMX_BOX)
        return new btBoxShape(size);
    if (file.shape == PMX_CAPSULE)
        return new btCapsuleShape(size.x(), size.y());
    return new btSphereShape(size.x());
}

/* Makes a body follow its bone: always if that is its role, or while its bone's keys switch physics
 * off (`kinematic`). */
void set_kinematic(Body &body, bool kinematic)
{
    const bool follows = kinematic || body.plan->role == BODY_FOLLOWS;

    body.kinematic = kinematic;
    body.rigid->setMassProps(follows ? 0 : body.plan->mass, body.inertia);
    int flags = body.rigid->getCollisionFlags() & ~btCollisionObject::CF_STATIC_OBJECT;
    if (follows)
        flags |= btCollisionObject::CF_KINEMATIC_OBJECT;
    else
        flags &= ~btCollisionObject::CF_KINEMATIC_OBJECT;
    body.rigid->setCollisionFlags(flags);
    body.rigid->updateInertiaTensor();
}

struct Filter {
    int groups, masks;
};

/*
 * Bodies collide when each one's mask holds the other's group.  Groups are in bits 0..15, and for
 * simulated bodies also in 16..31: the mask of a kinematic body has only the upper bits, because
 * two kinematic bodies need no contact.
 */
Filter filter_of(uint8_t number, uint16_t mask, bool moves)
{
    const unsigned group = 1u << (number & 15), with = mask;
    return {int(moves ? group | group << 16 : group), int(moves ? with | with << 16 : with << 16)};
}

void add_body(World *world, Body &body)
{
    const Filter filter =
        filter_of(body.file->group, body.file->mask, body.plan->role != BODY_FOLLOWS);

    if (body.plan->touches)
        world->engine.world->addRigidBody(body.rigid, filter.groups, filter.masks);
    else
        world->engine.world->addRigidBody(body.rigid, 0, 0);
}

void build_body(World *world, Body &body, const WorldInput &input)
{
    const PmxBody &file = *body.file;
    const float scale = input.placement.scale;
    const btVector3 bone = file.bone < 0
                               ? btVector3(0, 0, 0)
                               : vector_of(pmx_of(world, body.model).bones[file.bone].position);

    body.offset = rest_transform(file.position, file.rotation, scale);
    body.offset.setOrigin(bounded(body.offset.getOrigin() - bone * scale));
    body.shape = make_shape(file, *body.plan, scale);
    body.inertia.setValue(0, 0, 0);
    if (body.plan->role != BODY_FOLLOWS)
        body.shape->calculateLocalInertia(body.plan->mass, body.inertia);

    btRigidBody::btRigidBodyConstructionInfo info(body.plan->mass, nullptr, body.shape,
                                                  body.inertia);
    info.m_startWorldTransform = bone_transform(input, file.bone) * body.offset;
    info.m_linearDamping = file.linear_damping;
    info.m_angularDamping = file.angular_damping;
    info.m_restitution = file.restitution;
    info.m_friction = file.friction;
    info.m_additionalDamping = true;
    body.rigid = new btRigidBody(info);
    body.rigid->setFlags(0); /* Bullet 2.75 has no gyroscopic force */
    body.rigid->setSleepingThresholds(0, 0);
    body.rigid->setActivationState(DISABLE_DEACTIVATION);
    set_kinematic(body, false);
    if (!body.plan->touches)
        body.rigid->setCollisionFlags(body.rigid->getCollisionFlags() |
                                      btCollisionObject::CF_NO_CONTACT_RESPONSE);
    add_body(world, body);
    body.home = info.m_startWorldTransform;
    body.now = body.last = pose_of(body.home);
}

/* ---- joints ---- */

void build_joint(World *world, uint32_t model, uint32_t index, float scale)
{
    const PmxModel &pmx = pmx_of(world, model);
    const PmxJoint &file = pmx.joints[index];
    Body *bodies = world->bodies + world->first_body[model];

    if (!dynamics_of(world, model).joint_works[index])
        return;
    btTypedConstraint *joint =
        joint_make(pmx, file, *bodies[file.body_a].rigid, *bodies[file.body_b].rigid, scale);
    world->joints[world->first_joint[model] + index] = joint;
    world->engine.world->addConstraint(
        joint, false); /* joined bodies collide, too, if their masks match */
}

/* ---- soft bodies ---- */

bool is_elsewhere(const BonePose &a, const BonePose &b)
{
    return memcmp(&a, &b, sizeof a) != 0;
}

/* The bones of the model after physics: those that bodies move, and their descendants. */
SoftPose soft_pose(World *world, uint32_t model, const WorldInput &input)
{
    const Model &m = *world->scene->models[model].model;
    const Body *bodies = world->bodies + world->first_body[model];
    const btTransform back = placed(input.placement, {{0, 0, 0}, {0, 0, 0, 1}}).inverse();

    for (uint32_t i = 0; i < m.pmx.bone_count; i++) {
        const uint32_t bone = m.parents_first[i];
        const int32_t mover = m.dynamics.mover[bone], parent = m.pmx.bones[bone].parent;
        btTransform t = transform_of(input.bones[bone]);
        if (mover >= 0 && !bodies[mover].kinematic) {
            t = back * bodies[mover].rigid->getWorldTransform() * bodies[mover].offset.inverse();
            t.setOrigin(t.getOrigin() / input.placement.scale);
        } else if (parent >= 0 && is_elsewhere(world->moved[parent], input.bones[parent])) {
            t = transform_of(world->moved[parent]) * transform_of(input.bones[parent]).inverse() *
                t;
        }
        world->moved[bone] = pose_of(bounded(t));
    }
    return {&m, world->moved, input.placement};
}

void build_softs(World *world, uint32_t model, const WorldInput &input)
{
    const Body *bodies = world->bodies + world->first_body[model];

    for (uint32_t s = world->first_soft[model]; s < world->first_soft[model + 1]; s++) {
        Soft &soft = world->softs[s];
        const PmxSoftBody &file = *soft.plan->file;
        const Filter filter = filter_of(file.group, file.mask, true);
        const bool touches = file.mask != 0;
        soft_build(soft, *world->engine.soft_world, soft_pose(world, model, input),
                   touches ? filter.groups : 0, touches ? filter.masks : 0);
        for (uint32_t i = 0; i < soft.plan->anchor_count; i++)
            soft.body->appendAnchor(int(soft.plan->anchors[i].node),
                                    bodies[soft.plan->anchors[i].body].rigid);
        soft.home = bone_transform(input, soft.plan->home);
        if (world->engine
                .floor) /* handled by soft_finish_step: soft bodies do not collide with planes */
            soft.body->setIgnoreCollisionCheck(world->engine.floor, true);
    }
}

/* ---- the Bullet world ---- */

bool PairFilter::needBroadphaseCollision(btBroadphaseProxy *a, btBroadphaseProxy *b) const
{
    if (!masks_match(a, b))
        return false;
    const int pairs = world->engine.broadphase->getOverlappingPairCache()->getNumOverlappingPairs();
    if (pairs >= complexity_max_pairs(world->scene))
        memory_refuse("physics: more than %.0f pairs of bodies overlap at once; the model with the "
                      "most bodies is '%s'",
                      complexity_max_pairs(world->scene), complexity_largest_model(world->scene));
    return true;
}

void SoftWorld::predictUnconstraintMotion(btScalar step)
{
    btSoftRigidDynamicsWorld::predictUnconstraintMotion(step);
    World *world = static_cast<World *>(getWorldUserInfo());
    for (uint32_t s = 0; s < world->first_soft[world->scene->model_count]; s++)
        soft_check_prediction(world->softs[s]);
}

void *bullet_alloc(size_t size)
{
    return memory_resize(nullptr, size);
}

/* Failed allocations of Bullet, which does not check them, end the process as base/memory.h says.
 */
void set_memory_policy()
{
    btAlignedAllocSetCustom(bullet_alloc, memory_free);
    std::set_new_handler([] { memory_exhausted(0); });
}

void build_engine(Engine &engine, const PhysicsSpec &spec, bool soft, const World *world)
{
    set_memory_policy();
    /* Bullet allocates and clears memory of 4,096 contacts; more than there is room for have memory
     * of their own. */
    btDefaultCollisionConstructionInfo sizes;
    const uint32_t bodies = world->first_body[world->scene->model_count] + 1;
    const int contacts = int(std::min(bodies, 256u)) * 16;
    sizes.m_defaultMaxPersistentManifoldPoolSize = contacts;
    sizes.m_defaultMaxCollisionAlgorithmPoolSize = contacts;
    engine.configuration = soft ? new btSoftBodyRigidBodyCollisionConfiguration(sizes)
                                : new btDefaultCollisionConfiguration(sizes);
    engine.dispatcher = new Dispatcher(engine.configuration);
    engine.broadphase = new Broadphase();
    PairFilter *filter = new PairFilter();
    filter->world = world;
    engine.filter = filter;
    engine.broadphase->getOverlappingPairCache()->setOverlapFilterCallback(engine.filter);
    engine.solver = new RowSolver();
    if (soft) {
        engine.soft_world = new SoftWorld(engine.dispatcher, engine.broadphase, engine.solver,
                                          engine.configuration);
        engine.soft_world->getWorldInfo().m_gravity = vector_of(spec.gravity);
    }
    engine.world = engine.soft_world;
    if (!soft)
        engine.world = new IslandWorld<btDiscreteDynamicsWorld>(
            engine.dispatcher, engine.broadphase, engine.solver, engine.configuration);
    engine.world->setGravity(vector_of(spec.gravity));
    engine.world->getSolverInfo().m_numIterations = 10;
    engine.world->getSolverInfo().m_solverMode = SOLVER_USE_WARMSTARTING;
    if (spec.floor) {
        /* Simulated bodies only: see add_body. */
        engine.floor_shape = new btStaticPlaneShape(btVector3(0, 1, 0), 0);
        engine.floor = new btRigidBody(0, nullptr, engine.floor_shape);
        engine.world->addRigidBody(engine.floor, -1, int(0xffff0000u));
    }
}

/* Called after Bullet has moved the rigid bodies and before the soft ones, which need the new
 * positions of kinematic bodies. */
void place_followers(btDynamicsWorld *bullet, btScalar)
{
    World *world = static_cast<World *>(bullet->getWorldUserInfo());
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        Body &body = world->bodies[b];
        if (body.kinematic || body.plan->role == BODY_FOLLOWS)
            body.rigid->setWorldTransform(body.home);
    }
}

void build(World *world, const WorldInput *inputs)
{
    build_engine(world->engine, world->scene->physics,
                 world->first_soft[world->scene->model_count] > 0, world);
    world->engine.world->setInternalTickCallback(place_followers, world);
    for (uint32_t m = 0; m < world->scene->model_count; m++) {
        for (uint32_t b = world->first_body[m]; b < world->first_body[m + 1]; b++)
            build_body(world, world->bodies[b], inputs[m]);
        for (uint32_t j = 0; j < world->first_joint[m + 1] - world->first_joint[m]; j++)
            build_joint(world, m, j, inputs[m].placement.scale);
        if (world->first_body[m] < world->first_body[m + 1])
            chain_build(world, m, inputs[m].placement.scale);
        build_softs(world, m, inputs[m]);
    }
}

void take_down(World *world)
{
    Engine &engine = world->engine;
    const size_t models = world->scene->model_count;

    if (!engine.world)
        return;
    for (uint32_t s = world->first_soft[models]; s-- > 0;)
        soft_remove(world->softs[s], *engine.soft_world);
    for (uint32_t j = world->first_joint[models]; j-- > 0;)
        if (world->joints[j]) {
            engine.world->removeConstraint(world->joints[j]);
            delete world->joints[j];
            world->joints[j] = nullptr;
        }
    for (uint32_t b = world->first_body[models]; b-- > 0;) {
        engine.world->removeRigidBody(world->bodies[b].rigid);
        delete world->bodies[b].rigid;
        delete world->bodies[b].shape;
    }
    if (engine.floor) {
        engine.world->removeRigidBody(engine.floor);
        delete engine.floor;
        delete engine.floor_shape;
    }
    delete engine.world;
    delete engine.solver;
    delete engine.broadphase;
    delete engine.filter;
    delete engine.dispatcher;
    delete engine.configuration;
    engine = {};
}

/* ---- one tick ---- */

btTransform followed(const Body &body, const WorldInput &input)
{
    return bounded(bone_transform(input, body.file->bone) * body.offset);
}

void stop(Body &body)
{
    body.rigid->setLinearVelocity(btVector3(0, 0, 0));
    body.rigid->setAngularVelocity(btVector3(0, 0, 0));
    body.rigid->clearForces();
}

/* Whether its home moved or rotated so fast that it is a cut rather than a motion. */
bool home_jumped(const World *world, const btTransform &delta, const btTransform &from)
{
    const float hz = float(world->scene->physics.step_hz);
    return (delta * from.getOrigin() - from.getOrigin()).length() * hz > PHYSICS_JUMP_SPEED ||
           delta.getRotation().getAngleShortestPath() * hz > PHYSICS_JUMP_TURN;
}

/* Moves a body rigidly with its home; a kinematic one then has no velocity. */
void move_over_jump(const World *world, Body &body, const btTransform &home)
{
    if (!world->scene->physics.teleport_reset)
        return;
    const btTransform delta = home * body.home.inverse();
    if (!home_jumped(world, delta, body.home))
        return;
    body.rigid->setCenterOfMassTransform(bounded(delta * body.rigid->getWorldTransform()));
    body.rigid->setInterpolationWorldTransform(body.rigid->getWorldTransform());
    stop(body);
    body.now = pose_of(body.rigid->getWorldTransform());
}

/*
 * While Bullet solves, a kinematic body is at its old position, with the velocity that leads to its
 * new one, so that joints and contacts see it move like all others.  (At its new position it would
 * be a tick ahead, and bodies joined to it would overshoot.)  Bullet derives the velocity from the
 * previous position, so that is set to the mirror image of the new one.
 */
void lead_follower(Body &body, const btTransform &to)
{
    const btTransform &from = body.rigid->getWorldTransform();
    const btQuaternion turn = to.getRotation() * from.getRotation().inverse();
    btTransform before;
    before.setOrigin(from.getOrigin() * 2 - to.getOrigin());
    before.setRotation(turn.inverse() * from.getRotation());
    body.rigid->setInterpolationWorldTransform(before);
}

void follow_bones(World *world, const WorldInput *inputs)
{
    const float hz = float(world->scene->physics.step_hz);
    float speed = 0;

    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        Body &body = world->bodies[b];
        const WorldInput &input = inputs[body.model];
        const bool follows = body.plan->role == BODY_FOLLOWS;
        const bool kinematic =
            !follows && body.file->bone >= 0 && input.kinematic && input.kinematic[body.file->bone];
        const btTransform home = followed(body, input);
        if (!chain_is_quick(speed))
            speed = fmaxf(speed, chain_speed(body.home, home, hz));
        move_over_jump(world, body, home);
        if (kinematic && !body.kinematic) /* the jump to its bone must not count as velocity */
            body.rigid->setCenterOfMassTransform(home);
        if (kinematic != body.kinematic)
            set_kinematic(body, kinematic);
        if (kinematic || follows)
            lead_follower(body, home);
        body.home = home;
    }
    chain_limit_speed(world, speed);
}

/* Pins follow the bones.  Soft bodies are always moved along when their bone jumps: otherwise they
 * would crumple permanently, because links resist compression as well. */
void lead_softs(World *world, const WorldInput *inputs)
{
    for (uint32_t s = 0; s < world->first_soft[world->scene->model_count]; s++) {
        Soft &soft = world->softs[s];
        const btTransform home = bone_transform(inputs[soft.model], soft.plan->home);
        const btTransform delta = home * soft.home.inverse();
        if (home_jumped(world, delta, soft.home))
            soft_transform(soft, delta);
        soft.home = home;
        soft_set_pins(soft, soft_pose(world, soft.model, inputs[soft.model]),
                      btScalar(world->scene->physics.step_hz));
    }
}

void apply_impulse(World *world, const PmxImpulseOffset &impulse, Body &body, float weight,
                   const WorldInput &input)
{
    const btVector3 velocity = vector_of(impulse.velocity), torque = vector_of(impulse.torque);
    const float part = weight * IMPULSE_HZ / float(world->scene->physics.step_hz);
    const float *q = input.placement.rotation;
    const btMatrix3x3 turn = impulse.local ? body.rigid->getWorldTransform().getBasis()
                                           : btMatrix3x3(btQuaternion(q[0], q[1], q[2], q[3]));

    if (body.kinematic || body.plan->role == BODY_FOLLOWS)
        return;
    world->speed_limit = CHAIN_NO_LIMIT;
    if (velocity.fuzzyZero() && torque.fuzzyZero())
        stop(body);
    body.rigid->applyCentralImpulse(turn * velocity * (part * input.placement.scale));
    body.rigid->applyTorqueImpulse(turn * torque * part);
}

void apply_impulses(World *world, const WorldInput *inputs)
{
    for (uint32_t m = 0; m < world->scene->model_count; m++) {
        const PmxModel &pmx = pmx_of(world, m);
        Body *bodies = world->bodies + world->first_body[m];
        if (!inputs[m].leaf_weights || world->first_body[m] == world->first_body[m + 1])
            continue;
        for (uint32_t i = 0; i < pmx.morph_count; i++) {
            const PmxMorph &morph = pmx.morphs[i];
            const float weight = inputs[m].leaf_weights[i];
            if (morph.type != PMX_MORPH_IMPULSE || weight == 0)
                continue;
            for (uint32_t o = 0; o < morph.count; o++)
                apply_impulse(world, morph.offsets.impulse[o],
                              bodies[morph.offsets.impulse[o].body], weight, inputs[m]);
        }
    }
}

/* Puts a body that left the world, as hostile models can cause, back to its bone. */
void put_back_lost(World *world, const WorldInput *inputs)
{
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        Body &body = world->bodies[b];
        const btTransform &t = body.rigid->getWorldTransform();
        if (in_world(t.getOrigin()) && is_rotation(t.getBasis()) &&
            in_world(body.rigid->getLinearVelocity()) && in_world(body.rigid->getAngularVelocity()))
            continue;
        body.rigid->setCenterOfMassTransform(followed(body, inputs[body.model]));
        stop(body);
    }
}

/* Gravity at a frame, if it changes. */
void pull_down(World *world, double frame)
{
    const PhysicsSpec &spec = world->scene->physics;
    float gravity[3];
    if (!dynamics_gravity_changes(&spec))
        return;
    dynamics_gravity(gravity, &spec, frame);
    world->engine.world->setGravity(vector_of(gravity));
    if (world->engine.soft_world)
        world->engine.soft_world->getWorldInfo().m_gravity = vector_of(gravity);
}

/* frame: at its end */
void run_tick(World *world, const WorldInput *inputs, double frame)
{
    pull_down(world, frame);
    follow_bones(world, inputs);
    apply_impulses(world, inputs);
    put_back_lost(world, inputs);
    lead_softs(world, inputs);
    world->engine.world->stepSimulation(btScalar(1) / btScalar(world->scene->physics.step_hz), 0);
    put_back_lost(world, inputs);
    chain_finish_tick(world, inputs);
    for (uint32_t s = 0; s < world->first_soft[world->scene->model_count]; s++)
        soft_finish_step(world->softs[s],
                         soft_pose(world, world->softs[s].model, inputs[world->softs[s].model]),
                         world->scene->physics.floor);
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        world->bodies[b].last = world->bodies[b].now;
        world->bodies[b].now = pose_of(world->bodies[b].rigid->getWorldTransform());
    }
}

/* ---- warm-up ---- */

void ease_inputs(World *world, const WorldInput *inputs, float part)
{
    for (uint32_t m = 0; m < world->scene->model_count; m++) {
        world->warm[m] = inputs[m];
        world->warm[m].leaf_weights = nullptr;
        if (part >= 1 || !is_simulated(world, m))
            continue;
        pose_ease(world->warm_bones[m], inputs[m].bones, world->scene->models[m].model, part);
        world->warm[m].bones = world->warm_bones[m];
    }
}

/* Blends from the rest pose, where hair does not touch the body, to the first frame in the first
 * half. */
void warm_up(World *world, const WorldInput *inputs)
{
    const PhysicsSpec &spec = world->scene->physics;
    const int ticks = int(lroundf(spec.warmup_s * float(spec.step_hz)));

    ease_inputs(world, inputs, ticks > 0 ? 0 : 1);
    build(world, world->warm);
    world->speed_limit = CHAIN_NO_LIMIT;
    for (int i = 1; i <= ticks && !(world->interrupt && interrupt_poll(world->interrupt)); i++) {
        const float t = fminf(1, 2 * float(i) / float(ticks));
        ease_inputs(world, inputs, t * t * (3 - 2 * t));
        run_tick(world, world->warm, world->start);
    }
}

/* ---- set-up ---- */

void count_parts(World *world)
{
    const Scene *scene = world->scene;
    world->first_body = arena_array(world->arena, uint32_t, scene->model_count + 1);
    world->first_joint = arena_array(world->arena, uint32_t, scene->model_count + 1);
    world->first_soft = arena_array(world->arena, uint32_t, scene->model_count + 1);
    for (size_t m = 0; m < scene->model_count; m++) {
        const SceneModel &model = scene->models[m];
        const uint32_t soft_count = model.soft ? model.model->soft.count : 0;
        const bool on = model.spec.physics && scene->physics.step_hz > 0 &&
                        (model.model->dynamics.moving_count > 0 || soft_count > 0);
        world->first_body[m + 1] = world->first_body[m] + (on ? model.model->pmx.body_count : 0);
        world->first_joint[m + 1] = world->first_joint[m] + (on ? model.model->pmx.joint_count : 0);
        world->first_soft[m + 1] = world->first_soft[m] + (on ? soft_count : 0);
    }
}

} // namespace

World *world_create(const Scene *scene)
{
    Arena *arena = arena_create();
    World *world = arena_array(arena, World, 1);

    world->scene = scene;
    world->arena = arena;
    world->tick = -1;
    count_parts(world);
    if (world->first_body[scene->model_count] + world->first_soft[scene->model_count] == 0) {
        arena_destroy(arena);
        return nullptr;
    }
    world->bodies = arena_array(arena, Body, world->first_body[scene->model_count]);
    world->joints = arena_array(arena, btTypedConstraint *, world->first_joint[scene->model_count]);
    world->joint_frames = arena_array(arena, JointFrames, world->first_joint[scene->model_count]);
    world->warm = arena_array(arena, WorldInput, scene->model_count);
    world->warm_bones = arena_array(arena, BonePose *, scene->model_count);
    world->softs = arena_array(arena, Soft, world->first_soft[scene->model_count]);
    uint32_t max_bones = 0, max_steps = 0;
    for (uint32_t m = 0; m < scene->model_count; m++) {
        const Model &model = *scene->models[m].model;
        world->warm_bones[m] = arena_array(arena, BonePose, model.pmx.bone_count);
        max_bones = btMax(max_bones, model.pmx.bone_count);
        for (uint32_t l = 0; l < model.dynamics.loop_count; l++)
            max_steps = btMax(max_steps, model.dynamics.loops[l].step_count);
        for (uint32_t b = world->first_body[m]; b < world->first_body[m + 1]; b++) {
            const uint32_t index = b - world->first_body[m];
            world->bodies[b].file = &model.pmx.bodies[index];
            world->bodies[b].plan = &model.dynamics.bodies[index];
            world->bodies[b].model = m;
        }
        for (uint32_t s = world->first_soft[m]; s < world->first_soft[m + 1]; s++) {
            const SoftPlan *plan = &model.soft.bodies[s - world->first_soft[m]];
            world->softs[s].plan = plan;
            world->softs[s].model = m;
            world->softs[s].last = arena_array(arena, btVector3, plan->node_count);
            world->softs[s].now = arena_array(arena, btVector3, plan->node_count);
            world->softs[s].normals = arena_array(arena, btVector3, plan->side_count);
        }
    }
    world->moved = arena_array(arena, BonePose, max_bones);
    world->loop_rows = arena_array(arena, LoopRow, max_steps);
    return world;
}

void world_destroy(World *world)
{
    if (!world)
        return;
    take_down(world);
    arena_destroy(world->arena);
}

void world_set_start(World *world, double frame)
{
    world->start = frame;
}

int64_t world_tick(const World *world)
{
    return world->tick;
}

void world_set_interrupt(World *world, Interrupt *interrupt)
{
    world->interrupt = interrupt;
}

void world_reset(World *world, const WorldInput *inputs)
{
    take_down(world);
    warm_up(world, inputs);
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++)
        world->bodies[b].last = world->bodies[b].now;
    world->tick = 0;
}

void world_step(World *world, const WorldInput *inputs)
{
    world->tick++;
    run_tick(world, inputs,
             world->start + double(world->tick) * MOTION_FPS / world->scene->physics.step_hz);
}

BodyRole world_bone(BonePose *out, const World *world, size_t model, uint32_t bone, float blend)
{
    const int32_t mover = dynamics_of(world, uint32_t(model)).mover[bone];
    if (mover < 0 || world->first_body[model] == world->first_body[model + 1])
        return BODY_FOLLOWS;

    const Body &body = world->bodies[world->first_body[model] + uint32_t(mover)];
    if (body.kinematic)
        return BODY_FOLLOWS;
    *out =
        pose_of(transform_of(pose_between(&body.last, &body.now, blend)) * body.offset.inverse());
    return BodyRole(body.plan->role);
}

bool world_soft(ClothVertex *out, const World *world, size_t model, const Placement *placement,
                float blend)
{
    for (uint32_t s = world->first_soft[model]; s < world->first_soft[model + 1]; s++)
        soft_write_vertices(out + world->softs[s].plan->first, world->softs[s], *placement, blend);
    return world->first_soft[model] < world->first_soft[model + 1];
}

bool world_body(BonePose *out, const World *world, size_t model, uint32_t body, float blend)
{
    if (world->first_body[model] == world->first_body[model + 1])
        return false;
    const Body &b = world->bodies[world->first_body[model] + body];
    *out = pose_between(&b.last, &b.now, blend);
    return true;
}

float world_strain(const World *world)
{
    return chain_strain(world);
}
