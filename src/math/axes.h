// SPDX-License-Identifier: MIT
/*
 * axes.h - orientations as three axes, and their spherical interpolation (math/README.md 4)
 *
 * Convenient for a camera, which is given by a view direction and an up direction.  The axes are
 * unit vectors at right angles, and x = y cross z.  Values only: nothing here fails or keeps state.
 */
#pragma once

#include <stdbool.h>

#include "math/rotation.h"

typedef struct Axes {
    Vec3 x, y, z;
} Axes;

#define AXES_IDENTITY ((Axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})

/* Angle between two directions, 0..pi; accurate also near both ends, where acos is not. */
double axes_angle(Vec3 a, Vec3 b);

/*
 * Interpolates from unit vector a to b at constant speed along the great circle: (sin((1-t) th) a +
 * sin(t th) b) / sin th.  Equal directions: a.  Opposite ones: by way of a fixed perpendicular
 * vector.  t in 0..1.
 */
Vec3 axes_slerp(Vec3 a, Vec3 b, double t);

/* Axes with this z, and y as close as possible to `up`; both of any length.  If they do not define
 * it (zero, or parallel) the choice is arbitrary, but always the same. */
Axes axes_from_view(Vec3 z, Vec3 up);

/* Between two orientations; t in 0..1. */
Axes axes_interpolate(const Axes *a, const Axes *b, double t);

/* Rotated about their own z axis, from x towards y; angle in radians. */
Axes axes_roll(const Axes *axes, double angle);

/* The rotation that maps the world axes to these, and the inverse conversion. */
Quat axes_to_quat(const Axes *axes);
Axes axes_from_quat(Quat q);

/* The rotation in a matrix of scales and a rotation whose first columns are x and y.  False if
 * these define none. */
bool axes_rotation(Quat *out, Vec3 x, Vec3 y);
