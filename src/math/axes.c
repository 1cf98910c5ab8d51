// SPDX-License-Identifier: MIT
#include "math/axes.h"

/* Directions that differ less than this, or that are as close to opposite, define no plane. */
static const double NO_PLANE = 1e-8;

double axes_angle(Vec3 a, Vec3 b)
{
    return atan2(vec3_length(vec3_cross(a, b)), vec3_dot(a, b));
}

/* A unit vector perpendicular to a unit vector, always the same one. */
static Vec3 perpendicular(Vec3 v)
{
    const double x = fabs(v.x), y = fabs(v.y), z = fabs(v.z);
    const Vec3 other = x <= y && x <= z ? (Vec3){1, 0, 0}
                       : y <= z         ? (Vec3){0, 1, 0}
                                        : (Vec3){0, 0, 1};
    return vec3_normalize(vec3_cross(v, other));
}

/* Rotates `a` by an angle towards a unit vector perpendicular to it. */
static Vec3 lead(Vec3 a, Vec3 across, double angle)
{
    return vec3_normalize(vec3_add(vec3_scale(a, cos(angle)), vec3_scale(across, sin(angle))));
}

Vec3 axes_slerp(Vec3 a, Vec3 b, double t)
{
    const double angle = axes_angle(a, b), s = sin(angle);
    if (s > NO_PLANE)
        return vec3_normalize(
            vec3_add(vec3_scale(a, sin((1 - t) * angle) / s), vec3_scale(b, sin(t * angle) / s)));
    return vec3_dot(a, b) > 0 ? a : lead(a, perpendicular(a), t * angle);
}

Axes axes_from_view(Vec3 z, Vec3 up)
{
    Axes axes = {.z = vec3_normalize(z)};
    if (!(vec3_length(axes.z) > 0))
        axes.z = (Vec3){0, 0, 1};
    axes.x = vec3_cross(vec3_normalize(up), axes.z);
    axes.x = vec3_length(axes.x) > NO_PLANE ? vec3_normalize(axes.x) : perpendicular(axes.z);
    axes.y = vec3_normalize(vec3_cross(axes.z, axes.x));
    return axes;
}

Axes axes_interpolate(const Axes *a, const Axes *b, double t)
{
    return axes_from_view(axes_slerp(a->z, b->z, t), axes_slerp(a->y, b->y, t));
}

Axes axes_roll(const Axes *axes, double angle)
{
    return axes_from_view(axes->z, lead(axes->y, vec3_scale(axes->x, -1), angle));
}

Quat axes_to_quat(const Axes *axes)
{
    const double xx = axes->x.x, yy = axes->y.y, zz = axes->z.z;

    /* 4 w^2, 4 x^2, 4 y^2, 4 z^2; the largest is at least 1, so dividing by it is safe */
    const double ww4 = 1 + xx + yy + zz, xx4 = 1 + xx - yy - zz;
    const double yy4 = 1 - xx + yy - zz, zz4 = 1 - xx - yy + zz;
    const double yz_zy = axes->y.z - axes->z.y, zx_xz = axes->z.x - axes->x.z;
    const double xy_yx = axes->x.y - axes->y.x;
    const double xy = axes->x.y + axes->y.x, yz = axes->y.z + axes->z.y, zx = axes->z.x + axes->x.z;

    if (ww4 >= xx4 && ww4 >= yy4 && ww4 >= zz4)
        return quat_normalize((Quat){yz_zy, zx_xz, xy_yx, ww4});
    if (xx4 >= yy4 && xx4 >= zz4)
        return quat_normalize((Quat){xx4, xy, zx, yz_zy});
    if (yy4 >= zz4)
        return quat_normalize((Quat){xy, yy4, yz, zx_xz});
    return quat_normalize((Quat){zx, yz, zz4, xy_yx});
}

Axes axes_from_quat(Quat q)
{
    return axes_from_view(quat_rotate(q, (Vec3){0, 0, 1}), quat_rotate(q, (Vec3){0, 1, 0}));
}

bool axes_rotation(Quat *out, Vec3 x, Vec3 y)
{
    Axes axes = {.x = vec3_normalize(x), .z = vec3_normalize(vec3_cross(x, y))};
    axes.y = vec3_cross(axes.z, axes.x);
    *out = axes_to_quat(&axes);
    return vec3_length(axes.z) > 0.5 && fabs(quat_dot(*out, *out) - 1) < 1e-6; /* not NaN */
}
