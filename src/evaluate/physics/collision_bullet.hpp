// SPDX-License-Identifier: MIT
/*
 * collision_bullet.hpp - the collision detection of a world, in less time and with the same results
 */
#pragma once

#include <BulletCollision/BroadphaseCollision/btCollisionAlgorithm.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/CollisionDispatch/btCollisionDispatcher.h>

#include "evaluate/physics/bullet_values.hpp"

/* The boxes of the leaves, coordinate by coordinate: four are compared at once. */
class BoxList
{
  public:
    int size() const
    {
        return m_proxies.size();
    }
    btDbvtProxy *proxy(int number) const
    {
        return m_proxies[number];
    }
    void clear();
    void add(btDbvtProxy *proxy);
    void set(const btDbvtProxy *proxy);                    /* its box has changed */
    int find(int *numbers, const btDbvtVolume &box) const; /* those that overlap it: [size() + 1] */

  private:
    btAlignedObjectArray<btDbvtProxy *> m_proxies;
    btAlignedObjectArray<int> m_numbers; /* by m_uniqueId */
    btAlignedObjectArray<btScalar> m_low[3], m_high[3];
};

/*
 * btDbvtBroadphase with a faster search for overlapping pairs.  The pairs, and their order, are
 * those of btDbvtBroadphase.  A box that has moved is compared with a list of all boxes, which has
 * no branches.  If the cache has all pairs that are found, nothing is left to do.  Otherwise
 * setAabb searches the trees, so that new pairs get their order from them: it compares both
 * children of a node before it stores them, and asks for pairs that the masks exclude neither the
 * pair cache nor its filter.
 */
struct Broadphase : btDbvtBroadphase {
    btBroadphaseProxy *createProxy(const btVector3 &min, const btVector3 &max, int shape,
                                   void *user, int group, int mask,
                                   btDispatcher *dispatcher) override;
    void destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher) override;
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &min, const btVector3 &max,
                 btDispatcher *dispatcher) override;
    void calculateOverlappingPairs(btDispatcher *dispatcher) override;

  private:
    btAlignedObjectArray<const btDbvtNode *> m_nodes; /* to visit */
    BoxList m_boxes;
    btAlignedObjectArray<int> m_found; /* numbers of boxes */
    bool m_listed = false;             /* the boxes are those of the tree */

    void list_boxes();
    bool has_all_pairs(btDbvtProxy *proxy);
    void find_pairs(const btDbvtNode *root, btDbvtProxy *proxy);
    void add_pair(btDbvtProxy *a, btDbvtProxy *b);
};

/* Whether the mask of each one has the group of the other. */
inline bool masks_match(const btBroadphaseProxy *a, const btBroadphaseProxy *b)
{
    return (a->m_collisionFilterGroup & b->m_collisionFilterMask) &&
           (b->m_collisionFilterGroup & a->m_collisionFilterMask);
}

/*
 * Contacts are not searched between shapes that are clearly apart.  Boxes of bodies overlap in
 * space for many pairs that never touch.  Bullet's search for the closest points of such a pair
 * finds that out again in each tick; the three axes of a box, or the height above the floor, show
 * it sooner.
 */
struct Dispatcher : btCollisionDispatcher {
    explicit Dispatcher(btCollisionConfiguration *configuration);

  private:
    btManifoldArray m_manifolds; /* the manifolds of one pair; scratch */

    static void collide(btBroadphasePair &pair, btCollisionDispatcher &dispatcher,
                        const btDispatcherInfo &info);
    const btPersistentManifold *contacts_of(const btBroadphasePair &pair);
};
