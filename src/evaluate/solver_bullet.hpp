/*
 * solver_bullet.hpp - the constraint solver of a world, in less time and with the same bits
 */
#ifndef EVALUATE_SOLVER_BULLET_HPP
#define EVALUATE_SOLVER_BULLET_HPP

#include <BulletCollision/CollisionDispatch/btSimulationIslandManager.h>
#include <btBulletDynamicsCommon.h>

/* Where vectors fit (vectors_bullet.hpp): solves rows in vectors, with the arithmetic of Bullet's
 * scalar functions, and leaves out the calls of a method of joints that does nothing. */
class RowSolver : public btSequentialImpulseConstraintSolver
{
  protected:
    btScalar solveSingleIteration(int iteration, btCollisionObject **bodies, int body_count,
                                  btPersistentManifold **manifolds, int manifold_count,
                                  btTypedConstraint **joints, int joint_count,
                                  const btContactSolverInfo &info, btIDebugDraw *drawer) override;

  private:
    btScalar solve_joints(int iteration);
    btScalar solve_contacts(btScalar residual);
    btScalar solve_friction(btScalar residual);
    btScalar solve(const btSolverConstraint &row, btScalar upper, btScalar residual);
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
    void solve(); /* what has been collected */

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

#endif
