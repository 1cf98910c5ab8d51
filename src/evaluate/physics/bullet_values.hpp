// SPDX-License-Identifier: MIT
/*
 * bullet_values.hpp - our values as Bullet's, and back; for the files that know Bullet
 */
#pragma once

#include <math.h>

#include <LinearMath/btTransform.h>

extern "C" {
#include "evaluate/frame_state.h"
}

/* Whether floats fit the processor's vectors of four: not if Bullet was built with double
 * precision, as some distributions do. */
#if defined(__SSE__) && !defined(BT_USE_DOUBLE_PRECISION)
#define BULLET_VECTORS 1
#include <xmmintrin.h>
#else
#define BULLET_VECTORS 0
#endif

/* Limit of coordinates, lengths and speeds in the world.  Bullet converts coordinates to int, so
 * none beyond it may enter. */
const btScalar MAX_IN_WORLD = 1e7f;

/* False for NaN, too. */
inline bool in_world(const btVector3 &v)
{
    return fabsf(v.x()) <= MAX_IN_WORLD && fabsf(v.y()) <= MAX_IN_WORLD &&
           fabsf(v.z()) <= MAX_IN_WORLD;
}

inline btScalar bounded(btScalar value)
{
    return isnan(value) ? 0 : btMin(btMax(value, -MAX_IN_WORLD), MAX_IN_WORLD);
}

inline btVector3 bounded(const btVector3 &v)
{
    return in_world(v) ? v : btVector3(bounded(v.x()), bounded(v.y()), bounded(v.z()));
}

inline bool is_rotation(const btMatrix3x3 &m)
{
    return in_world(m[0]) && in_world(m[1]) && in_world(m[2]);
}

/* A transform that Bullet can handle; valid ones are not changed. */
inline btTransform bounded(const btTransform &t)
{
    return btTransform(is_rotation(t.getBasis()) ? t.getBasis() : btMatrix3x3::getIdentity(),
                       bounded(t.getOrigin()));
}

inline btVector3 vector_of(const float v[3])
{
    return btVector3(v[0], v[1], v[2]);
}

/* Ry * Rx * Rz. */
inline btQuaternion turn_of_euler(const float euler[3])
{
    const btQuaternion x(btVector3(1, 0, 0), euler[0]), y(btVector3(0, 1, 0), euler[1]),
        z(btVector3(0, 0, 1), euler[2]);
    return y * x * z;
}

inline btTransform transform_of(const BonePose &pose)
{
    const float *q = pose.rotation;
    return btTransform(btQuaternion(q[0], q[1], q[2], q[3]), vector_of(pose.position));
}

inline BonePose pose_of(const btTransform &t)
{
    const btQuaternion q = t.getRotation();
    const btVector3 &p = t.getOrigin();
    return {{p.x(), p.y(), p.z()}, {q.x(), q.y(), q.z(), q.w()}};
}

/* A placement without its scale. */
inline btTransform transform_of(const Placement &p)
{
    const float *q = p.rotation;
    return btTransform(btQuaternion(q[0], q[1], q[2], q[3]), vector_of(p.position));
}

/* A bone in the world. */
inline btTransform placed(const Placement &p, const BonePose &bone)
{
    btTransform t = transform_of(bone);
    t.setOrigin(t.getOrigin() * p.scale);
    return bounded(transform_of(p) * t);
}

/* The rest transform of a body or a joint in its model, scaled. */
inline btTransform rest_transform(const float position[3], const float rotation[3], float scale)
{
    return bounded(btTransform(turn_of_euler(rotation), vector_of(position) * scale));
}
