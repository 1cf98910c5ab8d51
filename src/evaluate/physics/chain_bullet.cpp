// SPDX-License-Identifier: MIT
#include "evaluate/physics/world_bullet.hpp"

namespace
{

/* A chain longer than this factor of its maximal distance is pulled back. */
const btScalar LEASH = btScalar(1.08);
/* The ends of a joint are at most this part of the link's length apart, beyond the joint's play. */
const btScalar LINK_SLACK = btScalar(0.08);
/* Without motion of bones the speed limit is halved in this time, seconds. */
const float CALM_HALVING_S = 0.5f;
/* The speed limit of bodies divided by the greatest speed of a bone. */
const float CALM_SHARE = 50;
/* Below this limit bodies are slowed down, three seconds after the last quick motion. */
const float CALM_FROM = 100;

/* ---- links ---- */

/* A point of the model at rest in the space of a body. */
btVector3 in_body(const PmxBody &body, const float point[3], float scale)
{
    return rest_transform(body.position, body.rotation, scale).inverse() *
           (vector_of(point) * scale);
}

/* Moves a body; its velocity becomes the one of that motion, so that pulls do not accumulate. */
void pull(const World *world, Body &body, const btVector3 &center)
{
    btTransform t = body.rigid->getWorldTransform();
    t.setOrigin(center);
    body.rigid->setCenterOfMassTransform(t);
    body.rigid->setLinearVelocity((center - vector_of(body.now.position)) *
                                  float(world->scene->physics.step_hz));
}

/* The bone of a fitted body keeps its position relative to its parents after physics. */
void fit_bodies(World *world, uint32_t model, const WorldInput &input)
{
    const Dynamics &dynamics = dynamics_of(world, model);
    Body *bodies = world->bodies + world->first_body[model];

    for (uint32_t i = 0; i < dynamics.fitted_count; i++) {
        Body &body = bodies[dynamics.fitted[i]];
        btVector3 position = bone_transform(input, body.file->bone).getOrigin();
        if (body.kinematic)
            continue;
        if (body.plan->support >= 0) {
            const Body &above = bodies[dynamics.mover[body.plan->support]];
            const btTransform moved = above.rigid->getWorldTransform() * above.offset.inverse();
            position = moved * (bone_transform(input, body.plan->support).inverse() * position);
        }
        const btTransform rotated = body.rigid->getWorldTransform() * body.offset.inverse();
        pull(world, body, position + rotated.getBasis() * body.offset.getOrigin());
    }
}

/* Distance of a body from its anchor divided by its maximal distance.  pin: receives the point on
 * the anchor.
 */
btScalar strain_of(const World *world, const Body &body, btVector3 *pin)
{
    if (body.kinematic || !isfinite(body.plan->max_distance))
        return 0;
    const Body &anchor = world->bodies[world->first_body[body.model] + uint32_t(body.plan->anchor)];
    const btScalar scale = world->warm[body.model].placement.scale;
    *pin = anchor.rigid->getWorldTransform() * body.pin;
    return (body.rigid->getWorldTransform().getOrigin() - *pin).length() /
           (body.plan->max_distance * scale);
}

void limit_distance(World *world)
{
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        Body &body = world->bodies[b];
        btVector3 pin;
        const btScalar strain = strain_of(world, body, &pin);
        if (strain > LEASH)
            pull(world, body,
                 pin + (body.rigid->getWorldTransform().getOrigin() - pin) * (LEASH / strain));
    }
}

/* Moves a body whose link came apart, so that its ends are at most LINK_SLACK apart. */
void close_link(World *world, uint32_t model, uint32_t index)
{
    Body &body = world->bodies[world->first_body[model] + index];
    const BodyPlan &plan = *body.plan;
    if (body.kinematic)
        return;
    const uint32_t link = uint32_t(plan.link), from = uint32_t(plan.link_from);
    const btRigidBody &before = *world->bodies[world->first_body[model] + from].rigid;
    const btVector3 gap =
        body.rigid->getWorldTransform() * joint_frame(world, model, link, index).origin -
        before.getWorldTransform() * joint_frame(world, model, link, from).origin;
    const btScalar scale = world->warm[model].placement.scale;
    const btScalar allowed = (plan.link_play + LINK_SLACK * plan.link_length) * scale;
    const btScalar length = gap.length();

    if (length > allowed)
        pull(world, body,
             body.rigid->getWorldTransform().getOrigin() - gap * (1 - allowed / length));
}

/* Loops are closed in the order of their first bodies, before the links of chains that hang on
 * them. */
void close_joints(World *world, uint32_t model)
{
    const Dynamics &dynamics = dynamics_of(world, model);
    int32_t group = 0;
    bool moved = false;

    for (uint32_t i = 0; i < dynamics.chained_count; i++)
        close_link(world, model, dynamics.chained[i]);
    for (uint32_t i = 0; i < dynamics.chained_count && dynamics.loop_group_count > 0; i++) {
        const int32_t loops = dynamics.bodies[dynamics.chained[i]].loops;
        if (loops == group)
            moved = loop_close_group(world, model, uint32_t(group++)) || moved;
        else if (loops < 0 && moved)
            close_link(world, model, dynamics.chained[i]);
    }
}

/* ---- rest ---- */

/* Angle between two rotations, exact for small ones. */
btScalar turn_between(const btTransform &a, const btTransform &b)
{
    const btQuaternion turn = a.getRotation() * b.getRotation().inverse();
    return 2 * btAtan2(btVector3(turn.x(), turn.y(), turn.z()).length(), btFabs(turn.w()));
}

/*
 * Contacts and stops of joints can keep bodies trembling for ever.  When no bone has moved for some
 * time, each body's motion in a tick is limited: to so much at first that swinging hair is not
 * affected, to nothing after ten seconds.
 */
void calm_body(Body &body, float hz, float limit)
{
    const btTransform &t = body.rigid->getWorldTransform();
    const btTransform from = transform_of(body.now);
    const btScalar way = (t.getOrigin() - from.getOrigin()).length();
    const btScalar largest = btMax(way, turn_between(t, from)) * hz;

    if (largest <= limit)
        return;
    const btScalar part = limit / largest;
    btTransform calmed;
    calmed.setOrigin(from.getOrigin().lerp(t.getOrigin(), part));
    calmed.setRotation(from.getRotation().slerp(t.getRotation(), part).normalized());
    body.rigid->setCenterOfMassTransform(calmed);
    body.rigid->setLinearVelocity(body.rigid->getLinearVelocity() * part);
    body.rigid->setAngularVelocity(body.rigid->getAngularVelocity() * part);
}

void calm_bodies(World *world)
{
    const float hz = float(world->scene->physics.step_hz);

    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        Body &body = world->bodies[b];
        const bool held = body.plan->anchor >= 0 || (body.plan->fitted && body.plan->support < 0);
        if (held && !body.kinematic)
            calm_body(body, hz, world->speed_limit);
    }
}

/* The joint on the anchor of each body that has one. */
void find_pins(World *world, uint32_t model, float scale)
{
    const PmxModel &pmx = pmx_of(world, model);

    for (uint32_t b = world->first_body[model]; b < world->first_body[model + 1]; b++) {
        Body &body = world->bodies[b];
        if (isfinite(body.plan->max_distance))
            body.pin = in_body(pmx.bodies[body.plan->anchor],
                               pmx.joints[body.plan->anchor_joint].position, scale);
    }
}

} // namespace

void chain_build(World *world, uint32_t model, float scale)
{
    const PmxModel &pmx = pmx_of(world, model);
    const Dynamics &dynamics = dynamics_of(world, model);

    find_pins(world, model, scale);
    for (uint32_t i = 0; i < pmx.joint_count; i++)
        if (dynamics.joint_works[i])
            world->joint_frames[world->first_joint[model] + i] =
                joint_frames(pmx, pmx.joints[i], scale);
}

float chain_speed(const btTransform &from, const btTransform &to, float hz)
{
    return fmaxf((to.getOrigin() - from.getOrigin()).length(), turn_between(from, to)) * hz;
}

bool chain_is_quick(float speed)
{
    return CALM_SHARE * speed >= CALM_FROM;
}

void chain_limit_speed(World *world, float speed)
{
    const float hz = float(world->scene->physics.step_hz);
    const float decayed = world->speed_limit * exp2f(-1 / (CALM_HALVING_S * hz));

    world->speed_limit =
        chain_is_quick(speed) ? CHAIN_NO_LIMIT : fmaxf(decayed, CALM_SHARE * speed);
}

void chain_finish_tick(World *world, const WorldInput *inputs)
{
    for (uint32_t m = 0; m < world->scene->model_count; m++)
        if (world->first_body[m] < world->first_body[m + 1]) {
            fit_bodies(world, m, inputs[m]);
            turn_hold_links(world, m);
        }
    if (world->speed_limit < CALM_FROM)
        calm_bodies(world);
    limit_distance(world);
    for (uint32_t m = 0; m < world->scene->model_count; m++)
        if (world->first_body[m] < world->first_body[m + 1])
            close_joints(world, m);
}

float chain_strain(const World *world)
{
    float largest = 0;
    for (uint32_t b = 0; b < world->first_body[world->scene->model_count]; b++) {
        btVector3 pin;
        largest = fmaxf(largest, float(strain_of(world, world->bodies[b], &pin)));
    }
    return largest;
}
