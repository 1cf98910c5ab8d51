// SPDX-License-Identifier: MIT
#include "evaluate/physics/collision_bullet.hpp"

#include <btBulletCollisionCommon.h>

namespace
{

/* ---- boxes ---- */

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

/* With more boxes than these the tree is faster. */
enum { MAX_LISTED = 500 };

/* ---- shapes ---- */

/* Rounding may take so much from a distance: a length, and a part of the coordinates. */
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

/* ---- all boxes ---- */

void BoxList::clear()
{
    m_proxies.resizeNoInitialize(0);
    for (int i = 0; i < 3; i++) {
        m_low[i].resizeNoInitialize(0);
        m_high[i].resizeNoInitialize(0);
    }
}

/* The arrays end with boxes that overlap nothing, up to a multiple of 4. */
void BoxList::add(btDbvtProxy *proxy)
{
    const int number = size();

    for (int i = 0; number % 4 == 0 && i < 3; i++) {
        m_low[i].resize(number + 4, INFINITY);
        m_high[i].resize(number + 4, -INFINITY);
    }
    if (proxy->m_uniqueId >= m_numbers.size())
        m_numbers.resize(proxy->m_uniqueId + 1, 0);
    m_numbers[proxy->m_uniqueId] = number;
    m_proxies.push_back(proxy);
    set(proxy);
}

void BoxList::set(const btDbvtProxy *proxy)
{
    const int number = m_numbers[proxy->m_uniqueId];
    const btDbvtVolume &box = proxy->leaf->volume;

    for (int i = 0; i < 3; i++) {
        m_low[i][number] = box.Mins()[i];
        m_high[i][number] = box.Maxs()[i];
    }
}

int BoxList::find(int *numbers, const btDbvtVolume &box) const
{
    int count = 0;
#if BULLET_VECTORS
    __m128 low[3], high[3];
    for (int i = 0; i < 3; i++) {
        low[i] = _mm_set1_ps(box.Mins()[i]);
        high[i] = _mm_set1_ps(box.Maxs()[i]);
    }
    for (int first = 0; first < size(); first += 4) {
        const __m128 x = _mm_and_ps(_mm_cmple_ps(_mm_loadu_ps(&m_low[0][first]), high[0]),
                                    _mm_cmple_ps(low[0], _mm_loadu_ps(&m_high[0][first])));
        const __m128 y = _mm_and_ps(_mm_cmple_ps(_mm_loadu_ps(&m_low[1][first]), high[1]),
                                    _mm_cmple_ps(low[1], _mm_loadu_ps(&m_high[1][first])));
        const __m128 z = _mm_and_ps(_mm_cmple_ps(_mm_loadu_ps(&m_low[2][first]), high[2]),
                                    _mm_cmple_ps(low[2], _mm_loadu_ps(&m_high[2][first])));
        const int bits = _mm_movemask_ps(_mm_and_ps(_mm_and_ps(x, y), z));
        for (int i = 0; bits && i < 4; i++) {
            numbers[count] = first + i;
            count += bits >> i & 1;
        }
    }
#else
    for (int i = 0; i < size(); i++) {
        numbers[count] = i;
        count += Intersect(m_proxies[i]->leaf->volume, box);
    }
#endif
    return count;
}

/* ---- pairs ---- */

void Broadphase::list_boxes()
{
    m_boxes.clear();
    for (int stage = 0; stage <= STAGECOUNT; stage++)
        for (btDbvtProxy *proxy = m_stageRoots[stage]; proxy; proxy = proxy->links[1])
            m_boxes.add(proxy);
    m_listed = true;
}

/* Whether all pairs of a proxy are in the cache already, so that their order makes no difference;
 * then they are counted as by add_pair. */
bool Broadphase::has_all_pairs(btDbvtProxy *proxy)
{
    m_found.resizeNoInitialize(m_boxes.size() + 1);
    const int found = m_boxes.find(&m_found[0], proxy->leaf->volume);
    int others = 0;

    for (int i = 0; i < found; i++) {
        btDbvtProxy *other = m_boxes.proxy(m_found[i]);
        if (other == proxy)
            continue;
        others++;
        if (masks_match(other, proxy) && !m_paircache->findPair(other, proxy))
            return false;
    }
    m_newpairs += others;
    return true;
}

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

btBroadphaseProxy *Broadphase::createProxy(const btVector3 &min, const btVector3 &max, int shape,
                                           void *user, int group, int mask,
                                           btDispatcher *dispatcher)
{
    m_listed = false;
    return btDbvtBroadphase::createProxy(min, max, shape, user, group, mask, dispatcher);
}

void Broadphase::destroyProxy(btBroadphaseProxy *proxy, btDispatcher *dispatcher)
{
    m_listed = false;
    btDbvtBroadphase::destroyProxy(proxy, dispatcher);
}

/* It replaces leaves of boxes that have come to rest. */
void Broadphase::calculateOverlappingPairs(btDispatcher *dispatcher)
{
    m_listed = false;
    btDbvtBroadphase::calculateOverlappingPairs(dispatcher);
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
        btDbvtProxy *moved = static_cast<btDbvtProxy *>(proxy);
        const bool listed = m_sets[FIXED_SET].m_leaves + m_sets[DYNAMIC_SET].m_leaves <= MAX_LISTED;
        if (listed && !m_listed)
            list_boxes();
        else if (listed)
            m_boxes.set(moved);
        if (!listed || !has_all_pairs(moved)) {
            find_pairs(m_sets[FIXED_SET].m_root, moved);
            find_pairs(m_sets[DYNAMIC_SET].m_root, moved);
        }
    }
    m_needcleanup |= needed;
}

/* ---- contacts ---- */

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
