/*
 * axes.h - orientations as three axes, turned one into the other without quaternions
 *
 * Easy to write down for a camera: where it looks and what is up.  The axes are unit, at right
 * angles, and x = y cross z.  Interpolating the three independently breaks their right angles, so
 * only z (the view) and y (up) are led along the sphere, and x = y cross z, y = z cross x are made
 * from them. Values only: nothing here fails or keeps state.
 */
#ifndef MATH_AXES_H
#define MATH_AXES_H

#include "math/rotation.h"

typedef struct Axes {
    Vec3 x, y, z;
} Axes;

#define AXES_IDENTITY ((Axes){{1, 0, 0}, {0, 1, 0}, {0, 0, 1}})

/* Between two directions, 0..pi; exact also near both ends, where acos is not. */
double axes_angle(Vec3 a, Vec3 b);

/* A unit vector at right angles to a unit vector, always the same one. */
Vec3 axes_across(Vec3 v);

/*
 * From unit vector a to b at even speed along the great circle: (sin((1-t) th) a + sin(t th) b) /
 * sin th. Of the same direction: a.  Of opposite ones: by way of axes_across(a).  t in 0..1.
 */
Vec3 axes_slerp(Vec3 a, Vec3 b, double t);

/* z as given and y as near to `up` as it can be; both of any length.  Where they leave it open
 * (zero, or one along the other) the choice is arbitrary, but always the same. */
Axes axes_of(Vec3 z, Vec3 up);

/* Between two orientations, t in 0..1. */
Axes axes_slerp_two(const Axes *a, const Axes *b, double t);

/* Turned about the axes' own z, from x towards y. */
Axes axes_roll(const Axes *axes, double angle);

/* The turn that takes the world's axes to these, and back. */
Quat axes_to_quat(const Axes *axes);
Axes axes_of_quat(Quat q);

#endif
