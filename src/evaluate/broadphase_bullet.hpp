/*
 * broadphase_bullet.hpp - btDbvtBroadphase with a faster search for overlapping pairs
 *
 * The pairs, and their order, are those of btDbvtBroadphase.  setAabb searches the trees itself: it
 * compares both children of a node before it stores them, and asks for pairs that the masks exclude
 * neither the pair cache nor its filter.
 */
#ifndef EVALUATE_BROADPHASE_BULLET_HPP
#define EVALUATE_BROADPHASE_BULLET_HPP

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

struct Broadphase : btDbvtBroadphase {
    void setAabb(btBroadphaseProxy *proxy, const btVector3 &min, const btVector3 &max,
                 btDispatcher *dispatcher) override;

  private:
    btAlignedObjectArray<const btDbvtNode *> m_nodes; /* to visit */

    void find_pairs(const btDbvtNode *root, btDbvtProxy *proxy);
    void add_pair(btDbvtProxy *a, btDbvtProxy *b);
};

/* Whether the mask of each one has the group of the other. */
inline bool masks_match(const btBroadphaseProxy *a, const btBroadphaseProxy *b)
{
    return (a->m_collisionFilterGroup & b->m_collisionFilterMask) &&
           (b->m_collisionFilterGroup & a->m_collisionFilterMask);
}

#endif
