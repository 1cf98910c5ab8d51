// SPDX-License-Identifier: MIT
#include "evaluate/physics/solver_bullet.hpp"

namespace
{

/* ---- rows ---- */

#if BULLET_VECTORS

inline __m128 load(const btVector3 &v)
{
    return _mm_setr_ps(v.x(), v.y(), v.z(), 0);
}

inline btVector3 vector_of(__m128 v)
{
    float out[4];
    _mm_storeu_ps(out, v);
    return btVector3(out[0], out[1], out[2]);
}

/* Impulse of a row before its limits.  Each lane sums x, y, z of one product in this order. */
inline float free_impulse(const SolverRow &row, const VelocityChange &a, const VelocityChange &b)
{
    __m128 x = _mm_mul_ps(row.normal_a, a.linear);
    __m128 y = _mm_mul_ps(row.arm_a, a.angular);
    __m128 z = _mm_mul_ps(row.normal_b, b.linear);
    __m128 w = _mm_mul_ps(row.arm_b, b.angular);
    _MM_TRANSPOSE4_PS(x, y, z, w);
    const __m128 dots = _mm_add_ps(_mm_add_ps(x, y), z);
    const __m128 pairs = _mm_add_ps(dots, _mm_shuffle_ps(dots, dots, _MM_SHUFFLE(2, 3, 0, 1)));
    const float speed_a = _mm_cvtss_f32(pairs);
    const float speed_b = _mm_cvtss_f32(_mm_movehl_ps(pairs, pairs));
    float impulse = row.rhs - row.impulse * row.cfm;
    impulse -= speed_a * row.effective_mass;
    impulse -= speed_b * row.effective_mass;
    return impulse;
}

/* The part of an impulse that the limits of the row allow.  Branches are predicted well, and the
 * next row need not wait for them. */
inline float limited_impulse(SolverRow &row, float impulse)
{
    const float before = row.impulse, sum = before + impulse;

    if (sum < row.lower) {
        row.impulse = row.lower;
        return row.lower - before;
    }
    if (sum > row.upper) {
        row.impulse = row.upper;
        return row.upper - before;
    }
    row.impulse = sum;
    return impulse;
}

/* Returns the greater of two residuals. */
inline btScalar solve_row(SolverRow &row, VelocityChange *changes, btScalar residual)
{
    const VelocityChange &a = changes[row.a], &b = changes[row.b];
    const float impulse = limited_impulse(row, free_impulse(row, a, b));
    const __m128 all = _mm_set1_ps(impulse);
    VelocityChange &to_a = changes[row.written_a], &to_b = changes[row.written_b];

    to_a.linear = _mm_add_ps(a.linear, _mm_mul_ps(row.push_a, all));
    to_a.angular = _mm_add_ps(a.angular, _mm_mul_ps(row.turn_a, all));
    to_b.linear = _mm_add_ps(b.linear, _mm_mul_ps(row.push_b, all));
    to_b.angular = _mm_add_ps(b.angular, _mm_mul_ps(row.turn_b, all));
    const float own = float(double(impulse) * row.inverse);
    return btMax(residual, own * own);
}

btScalar solve_rows(btAlignedObjectArray<SolverRow> &rows, VelocityChange *changes,
                    btScalar residual)
{
    for (int i = 0; i < rows.size(); i++)
        residual = solve_row(rows[i], changes, residual);
    return residual;
}

void write_impulses(btConstraintArray &out, const btAlignedObjectArray<SolverRow> &rows)
{
    for (int i = 0; i < rows.size(); i++)
        out[rows[i].number].m_appliedImpulse = rows[i].impulse;
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

/* Friction of rolling is left to Bullet. */
bool RowSolver::packs() const
{
    return m_tmpSolverContactRollingFrictionConstraintPool.size() == 0;
}

/* The linear and angular factors of bodies are 1.  What does not belong to a body, as the floor,
 * does not change. */
void RowSolver::pack(SolverRow &out, const btConstraintArray &rows, int number) const
{
    const btSolverConstraint &row = rows[number];
    const btSolverBody &a = m_tmpSolverBodyPool[row.m_solverBodyIdA];
    const btSolverBody &b = m_tmpSolverBodyPool[row.m_solverBodyIdB];

    out.normal_a = load(row.m_contactNormal1);
    out.normal_b = load(row.m_contactNormal2);
    out.arm_a = load(row.m_relpos1CrossNormal);
    out.arm_b = load(row.m_relpos2CrossNormal);
    out.push_a = _mm_mul_ps(out.normal_a, load(a.m_invMass));
    out.push_b = _mm_mul_ps(out.normal_b, load(b.m_invMass));
    out.turn_a = load(row.m_angularComponentA);
    out.turn_b = load(row.m_angularComponentB);
    out.inverse = 1 / double(row.m_jacDiagABInv);
    out.rhs = row.m_rhs;
    out.cfm = row.m_cfm;
    out.effective_mass = row.m_jacDiagABInv;
    out.lower = row.m_lowerLimit;
    out.upper = row.m_upperLimit;
    out.impulse = row.m_appliedImpulse;
    out.a = row.m_solverBodyIdA;
    out.b = row.m_solverBodyIdB;
    out.written_a = a.m_originalBody ? out.a : m_tmpSolverBodyPool.size();
    out.written_b = b.m_originalBody ? out.b : m_tmpSolverBodyPool.size();
    out.number = number;
}

/* The step of a row follows those of all rows before it that have a body in common with it.
 * Returns the number of steps. */
int RowSolver::find_steps()
{
    const btConstraintArray &rows = m_tmpSolverNonContactConstraintPool;
    int count = 0;

    m_body_step.resizeNoInitialize(0);
    m_body_step.resize(m_tmpSolverBodyPool.size(), 0);
    m_step.resizeNoInitialize(rows.size());
    for (int i = 0; i < rows.size(); i++) {
        int &a = m_body_step[rows[i].m_solverBodyIdA], &b = m_body_step[rows[i].m_solverBodyIdB];
        m_step[i] = btMax(a, b);
        a = b = m_step[i] + 1;
        count = btMax(count, m_step[i] + 1);
    }
    return count;
}

/* Sorted by steps. */
void RowSolver::pack_joints()
{
    const btConstraintArray &rows = m_tmpSolverNonContactConstraintPool;
    const int steps = find_steps();

    m_first.resizeNoInitialize(0);
    m_first.resize(steps + 1, 0);
    for (int i = 0; i < rows.size(); i++)
        m_first[m_step[i] + 1]++;
    for (int i = 0; i < steps; i++)
        m_first[i + 1] += m_first[i];
    m_joint_rows.resizeNoInitialize(rows.size());
    for (int i = 0; i < rows.size(); i++)
        pack(m_joint_rows[m_first[m_step[i]]++], rows, i);
}

/* Contacts push without a limit. */
void RowSolver::pack_contacts()
{
    m_contact_rows.resizeNoInitialize(m_tmpSolverContactConstraintPool.size());
    for (int i = 0; i < m_contact_rows.size(); i++) {
        pack(m_contact_rows[i], m_tmpSolverContactConstraintPool, i);
        m_contact_rows[i].upper = INFINITY;
    }
    m_friction_rows.resizeNoInitialize(m_tmpSolverContactFrictionConstraintPool.size());
    for (int i = 0; i < m_friction_rows.size(); i++)
        pack(m_friction_rows[i], m_tmpSolverContactFrictionConstraintPool, i);
}

btScalar RowSolver::solveGroupCacheFriendlySetup(btCollisionObject **bodies, int body_count,
                                                 btPersistentManifold **manifolds,
                                                 int manifold_count, btTypedConstraint **joints,
                                                 int joint_count, const btContactSolverInfo &info,
                                                 btIDebugDraw *drawer)
{
    const btScalar result = btSequentialImpulseConstraintSolver::solveGroupCacheFriendlySetup(
        bodies, body_count, manifolds, manifold_count, joints, joint_count, info, drawer);
    m_changes.resizeNoInitialize(m_tmpSolverBodyPool.size() + 1);
    for (int i = 0; i < m_tmpSolverBodyPool.size(); i++)
        m_changes[i] = {load(m_tmpSolverBodyPool[i].m_deltaLinearVelocity),
                        load(m_tmpSolverBodyPool[i].m_deltaAngularVelocity)};
    pack_joints();
    pack_contacts();
    return result;
}

btScalar RowSolver::solve_friction(btScalar residual)
{
    for (int i = 0; i < m_friction_rows.size(); i++) {
        const btSolverConstraint &file = m_tmpSolverContactFrictionConstraintPool[i];
        const btScalar pressure = m_contact_rows[file.m_frictionIndex].impulse;
        SolverRow &row = m_friction_rows[i];
        if (pressure <= 0)
            continue;
        row.lower = -(file.m_friction * pressure);
        row.upper = file.m_friction * pressure;
        residual = solve_row(row, &m_changes[0], residual);
    }
    return residual;
}

/* No joint has a number of iterations of its own.  SOLVER_RANDMIZE_ORDER and
 * SOLVER_INTERLEAVE_CONTACT_AND_FRICTION_CONSTRAINTS are off. */
btScalar RowSolver::solveSingleIteration(int iteration, btCollisionObject **bodies, int body_count,
                                         btPersistentManifold **manifolds, int manifold_count,
                                         btTypedConstraint **joints, int joint_count,
                                         const btContactSolverInfo &info, btIDebugDraw *drawer)
{
    if (!packs())
        return btSequentialImpulseConstraintSolver::solveSingleIteration(
            iteration, bodies, body_count, manifolds, manifold_count, joints, joint_count, info,
            drawer);
    const btScalar residual = solve_rows(m_joint_rows, &m_changes[0], 0);
    return solve_friction(solve_rows(m_contact_rows, &m_changes[0], residual));
}

btScalar RowSolver::solveGroupCacheFriendlyFinish(btCollisionObject **bodies, int body_count,
                                                  const btContactSolverInfo &info)
{
    if (packs()) {
        for (int i = 0; i < m_tmpSolverBodyPool.size(); i++) {
            m_tmpSolverBodyPool[i].m_deltaLinearVelocity = vector_of(m_changes[i].linear);
            m_tmpSolverBodyPool[i].m_deltaAngularVelocity = vector_of(m_changes[i].angular);
        }
        write_impulses(m_tmpSolverNonContactConstraintPool, m_joint_rows);
        write_impulses(m_tmpSolverContactConstraintPool, m_contact_rows);
        write_impulses(m_tmpSolverContactFrictionConstraintPool, m_friction_rows);
    }
    return btSequentialImpulseConstraintSolver::solveGroupCacheFriendlyFinish(bodies, body_count,
                                                                              info);
}

#endif

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
