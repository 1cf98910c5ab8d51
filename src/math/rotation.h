// SPDX-License-Identifier: MIT
/*
 * rotation.h - vectors and unit quaternions, in double
 *
 * The orientation of a bone is a product of up to forty rotations, and IK uses the difference of
 * such products, which is lost in float.  So poses are evaluated in these types and converted to
 * float for rendering, which uses cglm.
 *
 * Quaternions are x y z w; `quat_mul(a, b)` rotates by b first, then by a.  Values only.
 */
#pragma once

#include <math.h>

typedef struct Vec3 {
    double x, y, z;
} Vec3;

typedef struct Quat {
    double x, y, z, w;
} Quat;

#define QUAT_IDENTITY ((Quat){0, 0, 0, 1})

static inline Vec3 vec3_load(const float v[3])
{
    return (Vec3){(double)v[0], (double)v[1], (double)v[2]};
}

static inline void vec3_store(float out[3], Vec3 v)
{
    out[0] = (float)v.x;
    out[1] = (float)v.y;
    out[2] = (float)v.z;
}

static inline Vec3 vec3_add(Vec3 a, Vec3 b)
{
    return (Vec3){a.x + b.x, a.y + b.y, a.z + b.z};
}

static inline Vec3 vec3_sub(Vec3 a, Vec3 b)
{
    return (Vec3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline Vec3 vec3_scale(Vec3 v, double s)
{
    return (Vec3){v.x * s, v.y * s, v.z * s};
}

/* a at t = 0, b at t = 1 but for rounding. */
static inline Vec3 vec3_lerp(Vec3 a, Vec3 b, double t)
{
    return vec3_add(a, vec3_scale(vec3_sub(b, a), t));
}

/* axis: 0 x, 1 y, 2 z */
static inline double vec3_component(Vec3 v, int axis)
{
    return axis == 0 ? v.x : axis == 1 ? v.y : v.z;
}

static inline double vec3_dot(Vec3 a, Vec3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline Vec3 vec3_cross(Vec3 a, Vec3 b)
{
    return (Vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline double vec3_length(Vec3 v)
{
    return sqrt(vec3_dot(v, v));
}

/* A zero vector stays zero. */
static inline Vec3 vec3_normalize(Vec3 v)
{
    const double length = vec3_length(v);
    return length > 0 ? vec3_scale(v, 1 / length) : v;
}

/* Some unit vector perpendicular to another, always the same one. */
static inline Vec3 vec3_perpendicular(Vec3 v)
{
    const Vec3 axis = fabs(v.x) < fabs(v.y) ? (Vec3){1, 0, 0} : (Vec3){0, 1, 0};
    const Vec3 side = vec3_cross(v, axis);
    return vec3_length(side) > 0 ? vec3_normalize(side) : (Vec3){0, 1, 0};
}

static inline Quat quat_load(const float q[4])
{
    return (Quat){(double)q[0], (double)q[1], (double)q[2], (double)q[3]};
}

static inline void quat_store(float out[4], Quat q)
{
    out[0] = (float)q.x;
    out[1] = (float)q.y;
    out[2] = (float)q.z;
    out[3] = (float)q.w;
}

static inline double quat_dot(Quat a, Quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

/* The inverse of a unit quaternion. */
static inline Quat quat_inverse(Quat q)
{
    return (Quat){-q.x, -q.y, -q.z, q.w};
}

static inline Quat quat_mul(Quat a, Quat b)
{
    return (Quat){a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                  a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                  a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                  a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
}

/* v rotated by a unit quaternion: v + 2 cross(q, cross(q, v) + w v). */
static inline Vec3 quat_rotate(Quat q, Vec3 v)
{
    const Vec3 axis = {q.x, q.y, q.z};
    const Vec3 t = vec3_add(vec3_cross(axis, v), vec3_scale(v, q.w));
    return vec3_add(v, vec3_scale(vec3_cross(axis, t), 2));
}

/* Unit length; the zero quaternion becomes the identity. */
static inline Quat quat_normalize(Quat q)
{
    const double length = sqrt(quat_dot(q, q));
    if (!(length > 0))
        return QUAT_IDENTITY;
    return (Quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

/* A rotation about a unit axis; radians. */
Quat quat_from_axis_angle(Vec3 axis, double angle);

/* Ry * Rx * Rz, the order of MMD for Euler angles; radians. */
Quat quat_from_euler_yxz(double x, double y, double z);

/* Interpolates between unit quaternions along the shorter arc; extrapolates for t outside 0..1. */
Quat quat_slerp(Quat a, Quat b, double t);

/* The shortest rotation from one unit vector to another. */
Quat quat_between(Vec3 from, Vec3 to);

/* The same axis with `t` times the angle, after a change of sign to w >= 0; any t. */
Quat quat_power(Quat q, double t);
