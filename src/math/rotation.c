// SPDX-License-Identifier: MIT
#include "math/rotation.h"

#include "base/units.h"

/* Below this angle the chord equals the arc, and its sine is too small to divide by. */
static const double SAME_ROTATION = 1 - 1e-6;

Quat quat_from_axis_angle(Vec3 axis, double angle)
{
    const double s = sin(angle / 2);
    return (Quat){axis.x * s, axis.y * s, axis.z * s, cos(angle / 2)};
}

Quat quat_from_euler_yxz(double x, double y, double z)
{
    const Quat qx = quat_from_axis_angle((Vec3){1, 0, 0}, x);
    const Quat qy = quat_from_axis_angle((Vec3){0, 1, 0}, y);
    const Quat qz = quat_from_axis_angle((Vec3){0, 0, 1}, z);
    return quat_mul(quat_mul(qy, qx), qz);
}

static Quat mix(Quat a, double wa, Quat b, double wb)
{
    return (Quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb,
                  a.w * wa + b.w * wb};
}

Quat quat_slerp(Quat a, Quat b, double t)
{
    double dot = quat_dot(a, b);
    if (dot < 0) {
        b = (Quat){-b.x, -b.y, -b.z, -b.w};
        dot = -dot;
    }
    if (dot > SAME_ROTATION)
        return quat_normalize(mix(a, 1 - t, b, t));

    const double angle = acos(dot), s = sin(angle);
    return quat_normalize(mix(a, sin((1 - t) * angle) / s, b, sin(t * angle) / s));
}

Quat quat_between(Vec3 from, Vec3 to)
{
    const Vec3 axis = vec3_cross(from, to);
    const double w = 1 + vec3_dot(from, to);
    if (!(w > 1e-12))
        return quat_from_axis_angle(vec3_perpendicular(from), PI);
    return quat_normalize((Quat){axis.x, axis.y, axis.z, w});
}

Quat quat_power(Quat q, double t)
{
    if (q.w < 0)
        q = (Quat){-q.x, -q.y, -q.z, -q.w};
    const Vec3 v = {q.x, q.y, q.z};
    const double half = atan2(vec3_length(v), q.w);
    return quat_from_axis_angle(vec3_normalize(v), 2 * half * t);
}
