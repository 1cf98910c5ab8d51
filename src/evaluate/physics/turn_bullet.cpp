// SPDX-License-Identifier: MIT
#include "evaluate/physics/world_bullet.hpp"

extern "C" {
#include "base/units.h"
}

namespace
{

/* Joints may be beyond their limits by so much on each axis; limits only push, and their springs
 * and stops let quick bodies through. */
const btScalar MARGIN = 30 * SIMD_RADS_PER_DEG;
/* A joint whose limits are no farther apart on any axis is locked, and turns by no more than this
 * about any axis. */
const btScalar LOCKED_RANGE = 2 * SIMD_RADS_PER_DEG;
const btScalar LOCKED_TURN = 3 * SIMD_RADS_PER_DEG;
/* The largest turn relative to the body before, radians a second: 75 degrees in 1/30 s. */
const btScalar MAX_TURN_SPEED = 75 * SIMD_RADS_PER_DEG * MOTION_FPS;

btVector3 rotation_vector(const btQuaternion &q)
{
    const btVector3 axis(q.x(), q.y(), q.z());
    const btScalar sine = axis.length();
    if (sine < SIMD_EPSILON)
        return btVector3(0, 0, 0);
    return axis * ((q.w() < 0 ? -2 : 2) * btAtan2(sine, btFabs(q.w())) / sine);
}

btQuaternion rotation_of(const btVector3 &vector)
{
    const btScalar angle = vector.length();
    return angle < SIMD_EPSILON ? btQuaternion(0, 0, 0, 1) : btQuaternion(vector / angle, angle);
}

bool is_locked(const PmxJoint &joint)
{
    for (int i = 0; i < 3; i++) {
        const btScalar range = joint.angular_upper[i] - joint.angular_lower[i];
        if (range < 0 || range > LOCKED_RANGE)
            return false;
    }
    return true;
}

/* The rotation of a joint's frame on body_b relative to that on body_a, near the joint's limits.
 * Bullet measures angles in the opposite direction. */
btQuaternion within_limits(const btQuaternion &rotation, const PmxJoint &joint)
{
    const btVector3 lower = vector_of(joint.angular_upper) * btScalar(-1);
    const btVector3 upper = vector_of(joint.angular_lower) * btScalar(-1);
    const btVector3 vector = rotation_vector(rotation);
    btVector3 held = vector;

    if (joint.type != PMX_JOINT_SPRING_6DOF && joint.type != PMX_JOINT_6DOF)
        return rotation;
    if (is_locked(joint)) {
        const btVector3 beyond = vector - (lower + upper) / 2;
        held -= beyond * (1 - LOCKED_TURN / btMax(beyond.length(), LOCKED_TURN));
    } else {
        for (int i = 0; i < 3; i++)
            if (lower[i] <= upper[i])
                held[i] = btMin(btMax(held[i], lower[i] - MARGIN), upper[i] + MARGIN);
    }
    return held == vector ? rotation : rotation_of(held);
}

/* The part of a turn from one rotation to another that a tick has time for. */
btQuaternion within_speed(const btQuaternion &from, const btQuaternion &to, btScalar most)
{
    const btQuaternion turn = from.inverse() * to;

    if (most >= SIMD_PI || btFabs(turn.w()) >= btCos(most / 2))
        return to;
    return from * rotation_of(rotation_vector(turn).normalized() * most);
}

btQuaternion rotation_of(const BonePose &pose)
{
    const float *q = pose.rotation;
    return btQuaternion(q[0], q[1], q[2], q[3]);
}

void hold_link(World *world, uint32_t model, uint32_t index)
{
    Body &body = world->bodies[world->first_body[model] + index];
    const uint32_t link = uint32_t(body.plan->link), from = uint32_t(body.plan->link_from);
    const Body &before = world->bodies[world->first_body[model] + from];
    const PmxJoint &joint = pmx_of(world, model).joints[link];
    const JointFrame &end = joint_frame(world, model, link, index);
    const JointFrame &start = joint_frame(world, model, link, from);
    const btScalar hz = btScalar(world->scene->physics.step_hz);
    const bool second = joint.body_b == int32_t(index);
    if (body.kinematic)
        return;
    const btQuaternion base = before.rigid->getOrientation() * start.rotation;
    const btQuaternion turned = base.inverse() * body.rigid->getOrientation() * end.rotation;
    const btQuaternion last =
        (rotation_of(before.now) * start.rotation).inverse() * rotation_of(body.now) * end.rotation;
    const btQuaternion limited = within_limits(second ? turned : turned.inverse(), joint);
    const btQuaternion held =
        within_speed(last, second ? limited : limited.inverse(), MAX_TURN_SPEED / hz);

    if (held == turned)
        return;
    btTransform t = body.rigid->getWorldTransform();
    const btVector3 pivot = t * end.origin;
    t.setRotation((base * held * end.rotation.inverse()).normalized());
    t.setOrigin(pivot - t.getBasis() * end.origin);
    body.rigid->setCenterOfMassTransform(t);
    body.rigid->setAngularVelocity(before.rigid->getAngularVelocity());
    body.rigid->setLinearVelocity((t.getOrigin() - vector_of(body.now.position)) * hz);
}

} // namespace

void turn_hold_links(World *world, uint32_t model)
{
    const Dynamics &dynamics = dynamics_of(world, model);

    for (uint32_t i = 0; i < dynamics.chained_count; i++)
        hold_link(world, model, dynamics.chained[i]);
}
