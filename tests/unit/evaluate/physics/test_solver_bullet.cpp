// SPDX-License-Identifier: MIT
/* The broadphase, the dispatcher, the solver and the world of evaluate against those of Bullet that
 * they replace: the same bodies and joints move in the same way, bit by bit. */
#include <string.h>

#include <btBulletDynamicsCommon.h>

#include "evaluate/physics/collision_bullet.hpp"
#include "evaluate/physics/solver_bullet.hpp"
#include "unit_test.h"

namespace
{

enum { CHAINS = 12, LINKS = 5, OBSTACLES = 8, TICKS = 600 };

struct Simulation {
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher *dispatcher;
    btDbvtBroadphase *broadphase;
    btSequentialImpulseConstraintSolver *solver;
    btDiscreteDynamicsWorld *world;
};

struct Random {
    uint32_t state;
    float next(float low, float high)
    {
        state = state * 1664525 + 1013904223;
        return low + (high - low) * float(state >> 8) / float(1 << 24);
    }
};

btCollisionShape *make_shape(int kind, Random &random)
{
    const float size = random.next(0.15f, 0.4f);
    if (kind == 0)
        return new btBoxShape(btVector3(size, random.next(0.1f, 0.8f), 0.3f));
    if (kind == 1)
        return new btCapsuleShape(size, random.next(0, 1));
    return new btSphereShape(size);
}

btRigidBody *add_body(Simulation &simulation, const btVector3 &at, float mass, Random &random,
                      int number)
{
    btCollisionShape *shape = make_shape(number % 3, random);
    btVector3 inertia(0, 0, 0);
    if (mass > 0)
        shape->calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
    info.m_startWorldTransform.setOrigin(at);
    info.m_startWorldTransform.setRotation(btQuaternion(random.next(0, 1), random.next(0, 1), 0));
    info.m_friction = 0.5f;
    btRigidBody *body = new btRigidBody(info);
    body->setActivationState(DISABLE_DEACTIVATION);
    if (mass <= 0)
        body->setCollisionFlags(btCollisionObject::CF_KINEMATIC_OBJECT);
    /* Every fourth one meets only bodies of group 1. */
    simulation.world->addRigidBody(body, mass > 0 ? 1 : 2, number % 4 == 0 ? 1 : 3);
    return body;
}

void join(Simulation &simulation, btRigidBody *above, btRigidBody *below, float limit)
{
    btTransform frame = btTransform::getIdentity();
    frame.setOrigin(btVector3(0, -0.5f, 0));
    btTransform other = btTransform::getIdentity();
    other.setOrigin(btVector3(0, 0.5f, 0));
    btGeneric6DofSpringConstraint *joint =
        new btGeneric6DofSpringConstraint(*above, *below, frame, other, true);
    joint->setAngularLowerLimit(btVector3(-limit, -limit, 0));
    joint->setAngularUpperLimit(btVector3(limit, limit, 0));
    joint->enableSpring(3, true);
    joint->setStiffness(3, 20);
    simulation.world->addConstraint(joint, false);
}

/* Chains whose first body is kinematic, obstacles that are, and the floor. */
void fill(Simulation &simulation)
{
    Random random = {7};
    for (int c = 0; c < CHAINS; c++) {
        btVector3 at(random.next(-2, 2), 5, random.next(-2, 2));
        btRigidBody *above = add_body(simulation, at, 0, random, c);
        for (int i = 0; i < LINKS; i++) {
            at.setY(at.y() - 1);
            btRigidBody *body = add_body(simulation, at, 1, random, c + i);
            if (i != 3) /* the last two fall to the floor */
                join(simulation, above, body, random.next(0.1f, 1));
            above = body;
        }
    }
    for (int i = 0; i < OBSTACLES; i++)
        add_body(simulation, btVector3(random.next(-2, 2), 1, random.next(-2, 2)), 0, random, i);
    simulation.world->addRigidBody(
        new btRigidBody(0, nullptr, new btStaticPlaneShape(btVector3(0, 1, 0), 0)));
}

void set_up(Simulation &simulation, bool library)
{
    simulation.dispatcher = library ? new btCollisionDispatcher(&simulation.configuration)
                                    : new Dispatcher(&simulation.configuration);
    simulation.broadphase = library ? new btDbvtBroadphase() : new Broadphase();
    simulation.solver = library ? new btSequentialImpulseConstraintSolver() : new RowSolver();
    if (library)
        simulation.world =
            new btDiscreteDynamicsWorld(simulation.dispatcher, simulation.broadphase,
                                        simulation.solver, &simulation.configuration);
    else
        simulation.world =
            new IslandWorld<btDiscreteDynamicsWorld>(simulation.dispatcher, simulation.broadphase,
                                                     simulation.solver, &simulation.configuration);
    simulation.world->setGravity(btVector3(0, -98, 0));
    simulation.world->getSolverInfo().m_numIterations = 10;
    simulation.world->getSolverInfo().m_solverMode = SOLVER_USE_WARMSTARTING;
    fill(simulation);
}

void tear_down(Simulation &simulation)
{
    for (int i = simulation.world->getNumConstraints(); i-- > 0;) {
        btTypedConstraint *joint = simulation.world->getConstraint(i);
        simulation.world->removeConstraint(joint);
        delete joint;
    }
    for (int i = simulation.world->getNumCollisionObjects(); i-- > 0;) {
        btCollisionObject *body = simulation.world->getCollisionObjectArray()[i];
        simulation.world->removeCollisionObject(body);
        delete body->getCollisionShape();
        delete body;
    }
    delete simulation.world;
    delete simulation.solver;
    delete simulation.broadphase;
    delete simulation.dispatcher;
}

/* Kinematic bodies go round, faster and faster, and jump once. */
void step(Simulation &simulation, int tick)
{
    for (int i = 0; i < simulation.world->getNumCollisionObjects(); i++) {
        btCollisionObject *body = simulation.world->getCollisionObjectArray()[i];
        if (!body->isKinematicObject())
            continue;
        const float angle = float(tick) * float(tick) * 2e-5f + float(i);
        btTransform at = body->getWorldTransform();
        at.setOrigin(at.getOrigin() + btVector3(0.05f * cosf(angle), 0, 0.05f * sinf(angle)));
        if (tick == TICKS / 2)
            at.setOrigin(at.getOrigin() + btVector3(40, 0, 0));
        body->setWorldTransform(at);
    }
    simulation.world->stepSimulation(btScalar(1) / 120, 0);
}

int contacts(const Simulation &simulation)
{
    int count = 0;
    for (int i = 0; i < simulation.dispatcher->getNumManifolds(); i++)
        count += simulation.dispatcher->getManifoldByIndexInternal(i)->getNumContacts();
    return count;
}

/* Coordinates, not structures: their fourth components have no meaning. */
void assert_same(const btVector3 &a, const btVector3 &b)
{
    assert_memory_equal(static_cast<const btScalar *>(a), static_cast<const btScalar *>(b),
                        3 * sizeof(btScalar));
}

void test_same_bits(void **)
{
    Simulation expected, actual;
    int most_contacts = 0;

    set_up(expected, true);
    set_up(actual, false);
    for (int tick = 1; tick <= TICKS; tick++) {
        step(expected, tick);
        step(actual, tick);
        const btCollisionObjectArray &bodies = expected.world->getCollisionObjectArray();
        for (int i = 0; i < bodies.size(); i++) {
            const btTransform &a = bodies[i]->getWorldTransform();
            const btTransform &b = actual.world->getCollisionObjectArray()[i]->getWorldTransform();
            assert_same(a.getOrigin(), b.getOrigin());
            for (int k = 0; k < 3; k++)
                assert_same(a.getBasis()[k], b.getBasis()[k]);
        }
        assert_int_equal(expected.broadphase->getOverlappingPairCache()->getNumOverlappingPairs(),
                         actual.broadphase->getOverlappingPairCache()->getNumOverlappingPairs());
        assert_int_equal(contacts(expected), contacts(actual));
        assert_int_equal(expected.dispatcher->getNumManifolds(),
                         actual.dispatcher->getNumManifolds());
        most_contacts = btMax(most_contacts, contacts(actual));
    }
    assert_true(most_contacts > 20);
    tear_down(expected);
    tear_down(actual);
}

} // namespace

int main()
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_bits)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
