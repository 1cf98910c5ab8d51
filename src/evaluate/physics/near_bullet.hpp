/*
 * near_bullet.hpp - contacts are not searched between shapes that are clearly apart
 *
 * Boxes of bodies overlap in space for many pairs that never touch.  Bullet's search for the
 * closest points of such a pair finds that out again in each tick; the three axes of a box, or the
 * height above the floor, show it sooner.  The contacts are the same.
 */
#ifndef EVALUATE_PHYSICS_NEAR_BULLET_HPP
#define EVALUATE_PHYSICS_NEAR_BULLET_HPP

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

struct Dispatcher : btCollisionDispatcher {
    explicit Dispatcher(btCollisionConfiguration *configuration);

  private:
    btManifoldArray m_manifolds; /* of one pair */

    static void collide(btBroadphasePair &pair, btCollisionDispatcher &dispatcher,
                        const btDispatcherInfo &info);
    const btPersistentManifold *contacts_of(const btBroadphasePair &pair);
};

#endif
