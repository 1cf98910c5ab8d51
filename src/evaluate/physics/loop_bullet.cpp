// SPDX-License-Identifier: MIT
#include <float.h>

#include "evaluate/physics/world_bullet.hpp"

namespace
{

/* The ends of a loop's joint are at most this part of its length apart beyond its play, and at most
 * so many units of the model. */
const btScalar LOOP_SLACK = btScalar(0.08);
const btScalar LARGEST_SLACK = btScalar(0.1);
const btScalar SMALLEST_SLACK = btScalar(1e-4);
/* This part of the slack more is accepted. */
const btScalar TOLERANCE = btScalar(0.05);
/* Steps from where Bullet put the bodies, and then from where they were before: rarely needed. */
const int STEPS = 16, STEPS_BACK = 64;
/* Passes over a group, because a loop can open others that share bodies with it. */
const int PASSES = 4;
/* The largest rotation of a body in a step, radians. */
const btScalar MAX_TURN = btScalar(0.5);
/* Added to the diagonal of the matrix, in terms of its mean: a taut loop has no exact solution. */
const btScalar REGULARIZATION = btScalar(1e-4);

btMatrix3x3 outer(const btVector3 &a, const btVector3 &b)
{
    return btMatrix3x3(a.x() * b.x(), a.x() * b.y(), a.x() * b.z(), a.y() * b.x(), a.y() * b.y(),
                       a.y() * b.z(), a.z() * b.x(), a.z() * b.y(), a.z() * b.z());
}

btMatrix3x3 diagonal(btScalar value)
{
    return btMatrix3x3(value, 0, 0, 0, value, 0, 0, 0, value);
}

/* How point a of the row's body moves for an impulse at point b, both relative to its center. */
btMatrix3x3 response(const LoopRow &row, const btVector3 &a, const btVector3 &b)
{
    return (diagonal(1 + a.dot(b) * row.inverse_square) - outer(b, a) * row.inverse_square) *
           row.inverse_mass;
}

Body &body_of(World *world, uint32_t model, uint32_t body)
{
    return world->bodies[world->first_body[model] + body];
}

/* Sets the gaps of a loop's rows; returns the largest one beyond its play, in terms of the slack.
 */
btScalar measure_gaps(World *world, uint32_t model, const Loop &loop)
{
    const btScalar scale = world->warm[model].placement.scale;
    btScalar worst = 0;
    uint32_t before = loop.from;

    for (uint32_t i = 0; i < loop.step_count; i++) {
        const LoopStep &step = loop.steps[i];
        const btScalar slack =
            btMax(btMin(LOOP_SLACK * step.length, LARGEST_SLACK), SMALLEST_SLACK) * scale;
        LoopRow &row = world->loop_rows[i];
        row.body = &body_of(world, model, step.body);
        const btTransform &a = body_of(world, model, before).rigid->getWorldTransform();
        const btTransform &b = row.body->rigid->getWorldTransform();
        row.arm_before = a.getBasis() * joint_frame(world, model, step.joint, before).origin;
        row.arm = b.getBasis() * joint_frame(world, model, step.joint, step.body).origin;
        row.gap = b.getOrigin() + row.arm - a.getOrigin() - row.arm_before;
        const btScalar length = row.gap.length(), play = step.play * scale;
        row.excess = length > play ? 1 - play / length : 0;
        worst = btMax(worst, (length - play) / slack);
        before = step.body;
    }
    return worst;
}

/* Sets how easily bodies move; the ends of the loop do not.  The moment of inertia is that of the
 * mass at the distance of the joints, because shapes of hair are often too thin for their mass. */
void set_masses(LoopRow *rows, uint32_t count)
{
    for (uint32_t i = 0; i + 1 < count; i++) {
        LoopRow &row = rows[i];
        const btScalar square = (row.arm.length2() + rows[i + 1].arm_before.length2()) / 2;
        row.inverse_mass = row.body->kinematic ? 0 : row.body->rigid->getInvMass();
        row.inverse_square = square > SIMD_EPSILON ? 1 / square : 0;
    }
    rows[count - 1].inverse_mass = rows[count - 1].inverse_square = 0;
}

/* The matrix of the impulses' effect on gaps is block tridiagonal: its diagonal, and its upper side
 * as `coupling`.  Joints within their play take no impulse. */
void set_matrix(LoopRow *rows, uint32_t count)
{
    btScalar trace = 0;

    for (uint32_t i = 0; i < count; i++) {
        LoopRow &row = rows[i];
        row.matrix = diagonal(0);
        row.coupling = diagonal(0);
        if (row.excess == 0)
            continue;
        row.matrix = response(row, row.arm, row.arm);
        if (i > 0)
            row.matrix += response(rows[i - 1], row.arm_before, row.arm_before);
        if (i + 1 < count && rows[i + 1].excess > 0)
            row.coupling = response(row, row.arm, rows[i + 1].arm_before) * btScalar(-1);
        trace += row.matrix[0][0] + row.matrix[1][1] + row.matrix[2][2];
    }
    for (uint32_t i = 0; i < count; i++)
        rows[i].matrix += diagonal(
            rows[i].excess == 0 ? 1 : REGULARIZATION * trace / btScalar(3 * count) + FLT_MIN);
}

/* Solves for the impulses that shrink each gap beyond its play by `part`, by elimination along the
 * loop. */
void solve_impulses(LoopRow *rows, uint32_t count, btScalar part)
{
    for (uint32_t i = 0; i < count; i++) {
        LoopRow &row = rows[i];
        row.impulse = row.gap * (-part * row.excess);
        if (i > 0) {
            const btMatrix3x3 factor = rows[i - 1].coupling.transpose() * rows[i - 1].matrix;
            row.matrix -= factor * rows[i - 1].coupling;
            row.impulse -= factor * rows[i - 1].impulse;
        }
        row.matrix = row.matrix.inverse();
    }
    for (uint32_t i = count; i-- > 0;) {
        if (i + 1 < count)
            rows[i].impulse -= rows[i].coupling * rows[i + 1].impulse;
        rows[i].impulse = rows[i].matrix * rows[i].impulse;
    }
}

/* Moves and turns the bodies by the impulses.  Their velocities change with them, as those of links
 * do. */
void apply_impulses(World *world, LoopRow *rows, uint32_t count)
{
    const btScalar hz = btScalar(world->scene->physics.step_hz);
    btScalar largest = MAX_TURN;

    for (uint32_t i = 0; i + 1 < count; i++) {
        LoopRow &row = rows[i];
        row.turn =
            (row.arm.cross(row.impulse) - rows[i + 1].arm_before.cross(rows[i + 1].impulse)) *
            (row.inverse_mass * row.inverse_square);
        largest = btMax(largest, row.turn.length());
    }
    const btScalar part = MAX_TURN / largest;
    for (uint32_t i = 0; i + 1 < count; i++) {
        LoopRow &row = rows[i];
        const btVector3 turn = row.turn * part;
        const btScalar angle = turn.length();
        btRigidBody &rigid = *row.body->rigid;
        btTransform t = rigid.getWorldTransform();
        if (row.inverse_mass == 0)
            continue;
        if (angle > SIMD_EPSILON)
            t.setRotation((btQuaternion(turn / angle, angle) * t.getRotation()).normalized());
        t.setOrigin(t.getOrigin() +
                    (row.impulse - rows[i + 1].impulse) * (row.inverse_mass * part));
        rigid.setCenterOfMassTransform(t);
        rigid.setLinearVelocity((t.getOrigin() - vector_of(row.body->now.position)) * hz);
        rigid.setAngularVelocity(rigid.getAngularVelocity() + turn * hz);
    }
}

/* The motion of a body in this tick. */
btTransform motion_of(const Body &body)
{
    return body.rigid->getWorldTransform() * transform_of(body.now).inverse();
}

/* Moves the bodies from where they were before this tick, when the loop was closed, as its ends
 * move. */
void put_back(World *world, uint32_t model, const Loop &loop)
{
    const btTransform first = motion_of(body_of(world, model, loop.from));
    const btTransform last = motion_of(*world->loop_rows[loop.step_count - 1].body);

    for (uint32_t i = 0; i + 1 < loop.step_count; i++) {
        const Body &body = *world->loop_rows[i].body;
        const btScalar part = btScalar(i + 1) / btScalar(loop.step_count);
        const btTransform a = first * transform_of(body.now), b = last * transform_of(body.now);
        if (body.kinematic)
            continue;
        body.rigid->setCenterOfMassTransform(
            btTransform(a.getRotation().slerp(b.getRotation(), part).normalized(),
                        a.getOrigin().lerp(b.getOrigin(), part)));
        body.rigid->setAngularVelocity(btVector3(0, 0, 0));
    }
}

/* Returns whether bodies were moved. */
bool close_loop(World *world, uint32_t model, const Loop &loop)
{
    LoopRow *rows = world->loop_rows;

    for (int i = 0; i < STEPS + STEPS_BACK; i++) {
        btScalar worst = measure_gaps(world, model, loop);
        if (worst <= 1 + TOLERANCE)
            return i > 0;
        if (i == STEPS) {
            put_back(world, model, loop);
            worst = btMax(measure_gaps(world, model, loop), btScalar(1));
        }
        set_masses(rows, loop.step_count);
        set_matrix(rows, loop.step_count);
        solve_impulses(rows, loop.step_count, 1 - 1 / worst);
        apply_impulses(world, rows, loop.step_count);
    }
    return true;
}

} // namespace

bool loop_close_group(World *world, uint32_t model, uint32_t group)
{
    const Dynamics &dynamics = dynamics_of(world, model);
    const uint32_t first = dynamics.first_loop[group], end = dynamics.first_loop[group + 1];
    bool moved = false, moving = true;

    for (int pass = 0; pass < (end - first > 1 ? PASSES : 1) && moving; pass++) {
        moving = false;
        for (uint32_t i = first; i < end; i++)
            moving = close_loop(world, model, dynamics.loops[i]) || moving;
        moved = moved || moving;
    }
    return moved;
}
