#include "evaluate/physics/near_bullet.hpp"

#include <btBulletCollisionCommon.h>

namespace
{

/* What rounding may take from a distance: a length, and a part of the coordinates. */
const btScalar SLACK = btScalar(0.02), SLACK_PART = btScalar(1e-5);

/* Half of a shape's length along each axis of a space, in which `basis` is its rotation.  False for
 * shapes that are not handled. */
bool half_lengths(btVector3 *out, const btCollisionShape *shape, const btMatrix3x3 &basis)
{
    if (shape->getShapeType() == CAPSULE_SHAPE_PROXYTYPE) {
        const btCapsuleShape *capsule = static_cast<const btCapsuleShape *>(shape);
        const btScalar radius = capsule->getRadius();
        *out = (basis.getColumn(capsule->getUpAxis()) * capsule->getHalfHeight()).absolute() +
               btVector3(radius, radius, radius);
        return true;
    }
    if (shape->getShapeType() == BOX_SHAPE_PROXYTYPE) {
        *out =
            basis.absolute() * static_cast<const btBoxShape *>(shape)->getHalfExtentsWithMargin();
        return true;
    }
    if (shape->getShapeType() == SPHERE_SHAPE_PROXYTYPE) {
        const btScalar radius = static_cast<const btSphereShape *>(shape)->getRadius();
        out->setValue(radius, radius, radius);
        return true;
    }
    return false;
}

btScalar rounding(const btVector3 &a, const btVector3 &b)
{
    const btVector3 sum = a.absolute() + b.absolute();
    return SLACK + SLACK_PART * (sum.x() + sum.y() + sum.z());
}

/* Whether an axis of a box separates the two by more than a distance. */
bool apart_from_box(const btCollisionObject *box, const btCollisionObject *other, btScalar distance)
{
    const btTransform &to = box->getWorldTransform(), &from = other->getWorldTransform();
    const btVector3 half =
        static_cast<const btBoxShape *>(box->getCollisionShape())->getHalfExtentsWithMargin();
    btVector3 half_other;

    if (!half_lengths(&half_other, other->getCollisionShape(),
                      to.getBasis().transposeTimes(from.getBasis())))
        return false;
    const btVector3 gap = to.invXform(from.getOrigin()).absolute() - half - half_other;
    return btMax(btMax(gap.x(), gap.y()), gap.z()) >
           distance + rounding(to.getOrigin(), from.getOrigin());
}

/* Whether a shape is above a plane y = 0 by more than a distance. */
bool apart_from_floor(const btCollisionObject *other, btScalar distance)
{
    const btTransform &at = other->getWorldTransform();
    btVector3 half;

    return half_lengths(&half, other->getCollisionShape(), at.getBasis()) &&
           at.getOrigin().y() - half.y() > distance + rounding(at.getOrigin(), half);
}

bool apart(const btCollisionObject *a, const btCollisionObject *b, btScalar distance)
{
    const int kind_a = a->getCollisionShape()->getShapeType();
    const int kind_b = b->getCollisionShape()->getShapeType();

    if (kind_a == STATIC_PLANE_PROXYTYPE)
        return apart_from_floor(b, distance);
    if (kind_b == STATIC_PLANE_PROXYTYPE)
        return apart_from_floor(a, distance);
    return (kind_a == BOX_SHAPE_PROXYTYPE && apart_from_box(a, b, distance)) ||
           (kind_b == BOX_SHAPE_PROXYTYPE && apart_from_box(b, a, distance));
}

} // namespace

Dispatcher::Dispatcher(btCollisionConfiguration *configuration)
    : btCollisionDispatcher(configuration)
{
    setNearCallback(collide);
}

/* The contacts of a pair whose search keeps them in one manifold; NULL before the first search. */
const btPersistentManifold *Dispatcher::contacts_of(const btBroadphasePair &pair)
{
    m_manifolds.resizeNoInitialize(0);
    if (pair.m_algorithm)
        pair.m_algorithm->getAllContactManifolds(m_manifolds);
    return m_manifolds.size() == 1 ? m_manifolds[0] : nullptr;
}

/* A search that finds nothing changes nothing, unless it is the first one, which creates the
 * manifold, or there were contacts, which it removes. */
void Dispatcher::collide(btBroadphasePair &pair, btCollisionDispatcher &dispatcher,
                         const btDispatcherInfo &info)
{
    const btPersistentManifold *contacts = static_cast<Dispatcher &>(dispatcher).contacts_of(pair);

    if (contacts && contacts->getNumContacts() == 0 &&
        apart(static_cast<btCollisionObject *>(pair.m_pProxy0->m_clientObject),
              static_cast<btCollisionObject *>(pair.m_pProxy1->m_clientObject),
              contacts->getContactBreakingThreshold()))
        return;
    defaultNearCallback(pair, dispatcher, info);
}
