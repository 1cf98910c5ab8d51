#include "evaluate/broadphase_bullet.hpp"

#include "evaluate/vectors_bullet.hpp"

namespace
{

/* Intersect() of btDbvt.h without branches. */
inline bool overlap(const btDbvtVolume &a, const btDbvtVolume &b)
{
#if BULLET_VECTORS
    const __m128 below = _mm_cmple_ps(_mm_loadu_ps(a.Mins()), _mm_loadu_ps(b.Maxs()));
    const __m128 above = _mm_cmple_ps(_mm_loadu_ps(b.Mins()), _mm_loadu_ps(a.Maxs()));
    return (_mm_movemask_ps(_mm_and_ps(below, above)) & 7) == 7;
#else
    return Intersect(a, b);
#endif
}

} // namespace

void Broadphase::add_pair(btDbvtProxy *a, btDbvtProxy *b)
{
    m_newpairs++;
    if (!masks_match(a, b))
        return;
    if (a->m_uniqueId > b->m_uniqueId)
        btSwap(a, b);
    m_paircache->addOverlappingPair(a, b);
}

/* As btDbvt::collideTTpersistentStack: depth first, the second child before the first. */
void Broadphase::find_pairs(const btDbvtNode *root, btDbvtProxy *proxy)
{
    const btDbvtVolume volume = proxy->leaf->volume;

    if (!root || !overlap(root->volume, volume))
        return;
    m_nodes.resizeNoInitialize(0);
    for (const btDbvtNode *node = root; node;) {
        const btDbvtNode *next = nullptr;
        if (node->isinternal()) {
            if (overlap(node->childs[1]->volume, volume))
                next = node->childs[1];
            if (overlap(node->childs[0]->volume, volume)) {
                if (next)
                    m_nodes.push_back(node->childs[0]);
                else
                    next = node->childs[0];
            }
        } else if (node != proxy->leaf) {
            add_pair(static_cast<btDbvtProxy *>(node->data), proxy);
        }
        if (!next && m_nodes.size() > 0) {
            next = m_nodes[m_nodes.size() - 1];
            m_nodes.pop_back();
        }
        node = next;
    }
}

/* The base class updates the tree; it leaves the search to us if that is deferred, and sets
 * m_needcleanup where one is needed. */
void Broadphase::setAabb(btBroadphaseProxy *proxy, const btVector3 &min, const btVector3 &max,
                         btDispatcher *dispatcher)
{
    const bool needed = m_needcleanup;

    m_needcleanup = false;
    m_deferedcollide = true;
    btDbvtBroadphase::setAabb(proxy, min, max, dispatcher);
    m_deferedcollide = false;
    if (m_needcleanup) {
        find_pairs(m_sets[FIXED_SET].m_root, static_cast<btDbvtProxy *>(proxy));
        find_pairs(m_sets[DYNAMIC_SET].m_root, static_cast<btDbvtProxy *>(proxy));
    }
    m_needcleanup |= needed;
}
