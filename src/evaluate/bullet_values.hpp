/*
 * bullet_values.hpp - our values as Bullet's, and back; for the files that know Bullet
 */
#ifndef EVALUATE_BULLET_VALUES_HPP
#define EVALUATE_BULLET_VALUES_HPP

#include <math.h>

#include <LinearMath/btTransform.h>

extern "C" {
#include "evaluate/frame_state.h"
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
    return transform_of(p) * t;
}

/* The rest transform of a body or a joint in its model, scaled. */
inline btTransform rest_transform(const float position[3], const float rotation[3], float scale)
{
    return btTransform(turn_of_euler(rotation), vector_of(position) * scale);
}

inline bool is_finite(const btVector3 &v)
{
    return isfinite(v.x()) && isfinite(v.y()) && isfinite(v.z());
}

#endif
