// SPDX-License-Identifier: MIT
/*
 * solver_bullet.hpp - the constraint solver of a world, in less time and with the same bits
 */
#pragma once

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>

#include "evaluate/physics/bullet_values.hpp"

#if BULLET_VECTORS

/* How solving changes the velocity of a body; the fourth numbers are 0. */
struct VelocityChange {
    __m128 linear, angular;
};

/* The part of a btSolverConstraint that one iteration reads, for its bodies A and B. */
struct SolverRow {
    __m128 normal_a, arm_a, normal_b, arm_b; /* speed along the row, from the velocities */
    __m128 push_a, turn_a, push_b, turn_b;   /* change of the velocities for an impulse of 1 */
    double inverse;                          /* inverse of `effective_mass` */
    float rhs, cfm, effective_mass;
    float lower, upper, impulse;
    int a, b, written_a, written_b; /* indices of velocity changes */
    int number;                     /* index of the constraint in its array */
};

#endif

/* Where vectors fit (BULLET_VECTORS): solves rows in vectors, with the arithmetic of Bullet's
 * scalar functions.  Rows of joints that have no body in common may be solved in any order: they
 * are sorted so that the processor need not wait for the row before (evaluate/README.md 10). */
class RowSolver : public btSequentialImpulseConstraintSolver
{
#if BULLET_VECTORS
  protected:
    btScalar solveGroupCacheFriendlySetup(btCollisionObject **bodies, int body_count,
                                          btPersistentManifold **manifolds, int manifold_count,
                                          btTypedConstraint **joints, int joint_count,
                                          const btContactSolverInfo &info,
                                          btIDebugDraw *drawer) override;
    btScalar solveSingleIteration(int iteration, btCollisionObject **bodies, int body_count,
                                  btPersistentManifold **manifolds, int manifold_count,
                                  btTypedConstraint **joints, int joint_count,
                                  const btContactSolverInfo &info, btIDebugDraw *drawer) override;
    btScalar solveGroupCacheFriendlyFinish(btCollisionObject **bodies, int body_count,
                                           const btContactSolverInfo &info) override;

  private:
    btAlignedObjectArray<VelocityChange> m_changes; /* for each body; the last one is not read */
    btAlignedObjectArray<SolverRow> m_joint_rows, m_contact_rows, m_friction_rows;
    btAlignedObjectArray<int> m_step, m_body_step, m_first;

    bool packs() const;
    void pack(SolverRow &out, const btConstraintArray &rows, int number) const;
    int find_steps();
    void pack_joints();
    void pack_contacts();
    btScalar solve_friction(btScalar residual);
#endif
};

/* The joints of an island are a range of the sorted joints. */
struct IslandJoint {
    int island;
    btTypedConstraint *joint;
};

/* Hands islands to the solver in groups, as Bullet does; finds the joints of an island by
 * bisection. */
class IslandSolver : public btSimulationIslandManager::IslandCallback
{
  public:
    void sort(const btAlignedObjectArray<btTypedConstraint *> &joints);
    void begin(btConstraintSolver *solver, btDispatcher *dispatcher, btContactSolverInfo *info);
    void processIsland(btCollisionObject **bodies, int body_count, btPersistentManifold **manifolds,
                       int manifold_count, int island) override;
    void solve(); /* solves the collected islands and empties the lists */

  private:
    btConstraintSolver *m_solver = nullptr;
    btDispatcher *m_dispatcher = nullptr;
    btContactSolverInfo *m_info = nullptr;
    btAlignedObjectArray<IslandJoint> m_sorted;
    btAlignedObjectArray<btCollisionObject *> m_bodies;
    btAlignedObjectArray<btPersistentManifold *> m_manifolds;
    btAlignedObjectArray<btTypedConstraint *> m_joints;
};

/* A kind of btDiscreteDynamicsWorld that solves islands so. */
template <class Base> class IslandWorld : public Base
{
  public:
    using Base::Base;

  protected:
    void solveConstraints(btContactSolverInfo &info) override
    {
        m_islands.sort(this->m_constraints);
        m_islands.begin(this->m_constraintSolver, this->getDispatcher(), &info);
        this->m_constraintSolver->prepareSolve(this->getNumCollisionObjects(),
                                               this->getDispatcher()->getNumManifolds());
        this->m_islandManager->buildAndProcessIslands(this->getDispatcher(), this, &m_islands);
        m_islands.solve();
        this->m_constraintSolver->allSolved(info, nullptr);
    }

  private:
    IslandSolver m_islands;
};
