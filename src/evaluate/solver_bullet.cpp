#include "evaluate/solver_bullet.hpp"

#include "evaluate/vectors_bullet.hpp"

namespace
{

/* ---- rows ---- */

#if BULLET_VECTORS

inline __m128 load(const btVector3 &v)
{
    return _mm_loadu_ps(v);
}

/* Impulse of a row before its limits.  Each lane sums x, y, z of one product in this order. */
inline btScalar free_impulse(const btSolverBody &a, const btSolverBody &b,
                             const btSolverConstraint &row)
{
    __m128 x = _mm_mul_ps(load(row.m_contactNormal1), load(a.m_deltaLinearVelocity));
    __m128 y = _mm_mul_ps(load(row.m_relpos1CrossNormal), load(a.m_deltaAngularVelocity));
    __m128 z = _mm_mul_ps(load(row.m_contactNormal2), load(b.m_deltaLinearVelocity));
    __m128 w = _mm_mul_ps(load(row.m_relpos2CrossNormal), load(b.m_deltaAngularVelocity));
    _MM_TRANSPOSE4_PS(x, y, z, w);
    const __m128 dots = _mm_add_ps(_mm_add_ps(x, y), z);
    const __m128 pairs = _mm_add_ps(dots, _mm_shuffle_ps(dots, dots, _MM_SHUFFLE(2, 3, 0, 1)));
    const btScalar speed_a = _mm_cvtss_f32(pairs);
    const btScalar speed_b = _mm_cvtss_f32(_mm_movehl_ps(pairs, pairs));
    btScalar impulse = row.m_rhs - btScalar(row.m_appliedImpulse) * row.m_cfm;
    impulse -= speed_a * row.m_jacDiagABInv;
    impulse -= speed_b * row.m_jacDiagABInv;
    return impulse;
}

/* btSolverBody::internalApplyImpulse */
inline void apply(btSolverBody &body, const btVector3 &normal, const btVector3 &angular,
                  btScalar impulse)
{
    if (!body.m_originalBody)
        return;
    const __m128 all = _mm_set1_ps(impulse);
    const __m128 linear = _mm_mul_ps(load(normal), load(body.m_invMass));
    const __m128 moved = _mm_mul_ps(_mm_mul_ps(linear, all), load(body.m_linearFactor));
    const __m128 turned = _mm_mul_ps(load(angular), _mm_mul_ps(load(body.m_angularFactor), all));
    _mm_storeu_ps(body.m_deltaLinearVelocity, _mm_add_ps(load(body.m_deltaLinearVelocity), moved));
    _mm_storeu_ps(body.m_deltaAngularVelocity,
                  _mm_add_ps(load(body.m_deltaAngularVelocity), turned));
}

/* Applies the part of an impulse that the limits of the row allow; returns the residual. */
inline btScalar solve_row(btSolverBody &a, btSolverBody &b, const btSolverConstraint &row,
                          btScalar upper)
{
    btScalar impulse = free_impulse(a, b, row);
    const btScalar sum = btScalar(row.m_appliedImpulse) + impulse;

    if (sum < row.m_lowerLimit) {
        impulse = row.m_lowerLimit - row.m_appliedImpulse;
        row.m_appliedImpulse = row.m_lowerLimit;
    } else if (sum > upper) {
        impulse = upper - row.m_appliedImpulse;
        row.m_appliedImpulse = upper;
    } else {
        row.m_appliedImpulse = sum;
    }
    apply(a, row.m_contactNormal1, row.m_angularComponentA, impulse);
    apply(b, row.m_contactNormal2, row.m_angularComponentB, impulse);
    return btScalar(double(impulse) * (1 / double(row.m_jacDiagABInv)));
}

#endif

/* ---- islands ---- */

int island_of(const btTypedConstraint *joint)
{
    const int a = joint->getRigidBodyA().getIslandTag();
    return a >= 0 ? a : joint->getRigidBodyB().getIslandTag();
}

/* As Bullet sorts them: the algorithm is not stable, so the comparison has to be the same. */
struct IslandOrder {
    bool operator()(const IslandJoint &a, const IslandJoint &b) const
    {
        return a.island < b.island;
    }
};

template <class T> T *items(btAlignedObjectArray<T> &array)
{
    return array.size() > 0 ? &array[0] : nullptr;
}

/* The first joint of an island or a later one. */
int first_from(const btAlignedObjectArray<IslandJoint> &sorted, int island)
{
    int low = 0, high = sorted.size();
    while (low < high) {
        const int middle = (low + high) / 2;
        if (sorted[middle].island < island)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

} // namespace

/* ---- rows ---- */

#if BULLET_VECTORS

btScalar RowSolver::solve(const btSolverConstraint &row, btScalar upper, btScalar residual)
{
    const btScalar own = solve_row(m_tmpSolverBodyPool[row.m_solverBodyIdA],
                                   m_tmpSolverBodyPool[row.m_solverBodyIdB], row, upper);
    return btMax(residual, own * own);
}

btScalar RowSolver::solve_joints(int iteration)
{
    btScalar residual = 0;
    for (int i = 0; i < m_tmpSolverNonContactConstraintPool.size(); i++) {
        const btSolverConstraint &row = m_tmpSolverNonContactConstraintPool[i];
        if (iteration < row.m_overrideNumSolverIterations)
            residual = solve(row, row.m_upperLimit, residual);
    }
    return residual;
}

btScalar RowSolver::solve_contacts(btScalar residual)
{
    for (int i = 0; i < m_tmpSolverContactConstraintPool.size(); i++)
        residual = solve(m_tmpSolverContactConstraintPool[i], INFINITY, residual);
    return residual;
}

btScalar RowSolver::solve_friction(btScalar residual)
{
    for (int i = 0; i < m_tmpSolverContactFrictionConstraintPool.size(); i++) {
        btSolverConstraint &row = m_tmpSolverContactFrictionConstraintPool[i];
        const btScalar pressure =
            m_tmpSolverContactConstraintPool[row.m_frictionIndex].m_appliedImpulse;
        if (pressure <= 0)
            continue;
        row.m_lowerLimit = -(row.m_friction * pressure);
        row.m_upperLimit = row.m_friction * pressure;
        residual = solve(row, row.m_upperLimit, residual);
    }
    return residual;
}

#endif

/* No row is in another order than that of its array: SOLVER_RANDMIZE_ORDER and
 * SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS are off. */
btScalar RowSolver::solveSingleIteration(int iteration, btCollisionObject **bodies, int body_count,
                                         btPersistentManifold **manifolds, int manifold_count,
                                         btTypedConstraint **joints, int joint_count,
                                         const btContactSolverInfo &info, btIDebugDraw *drawer)
{
#if BULLET_VECTORS
    if (m_tmpSolverContactRollingFrictionConstraintPool.size() == 0) {
        const btScalar residual = solve_joints(iteration);
        return iteration < info.m_numIterations ? solve_friction(solve_contacts(residual))
                                                : residual;
    }
#endif
    return btSequentialImpulseConstraintSolver::solveSingleIteration(
        iteration, bodies, body_count, manifolds, manifold_count, joints, joint_count, info,
        drawer);
}

/* ---- islands ---- */

void IslandSolver::sort(const btAlignedObjectArray<btTypedConstraint *> &joints)
{
    m_sorted.resizeNoInitialize(joints.size());
    for (int i = 0; i < joints.size(); i++)
        m_sorted[i] = {island_of(joints[i]), joints[i]};
    m_sorted.quickSort(IslandOrder());
}

void IslandSolver::begin(btConstraintSolver *solver, btDispatcher *dispatcher,
                         btContactSolverInfo *info)
{
    m_solver = solver;
    m_dispatcher = dispatcher;
    m_info = info;
}

void IslandSolver::processIsland(btCollisionObject **bodies, int body_count,
                                 btPersistentManifold **manifolds, int manifold_count, int island)
{
    for (int i = 0; i < body_count; i++)
        m_bodies.push_back(bodies[i]);
    for (int i = 0; i < manifold_count; i++)
        m_manifolds.push_back(manifolds[i]);
    for (int i = first_from(m_sorted, island); i < m_sorted.size() && m_sorted[i].island == island;
         i++)
        m_joints.push_back(m_sorted[i].joint);
    if (m_joints.size() + m_manifolds.size() > m_info->m_minimumSolverBatchSize)
        solve();
}

void IslandSolver::solve()
{
    m_solver->solveGroup(items(m_bodies), m_bodies.size(), items(m_manifolds), m_manifolds.size(),
                         items(m_joints), m_joints.size(), *m_info, nullptr, m_dispatcher);
    m_bodies.resize(0);
    m_manifolds.resize(0);
    m_joints.resize(0);
}
