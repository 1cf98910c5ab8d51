// SPDX-License-Identifier: MIT
/*
 * cloth_body.h - colliders of cloth: capsules, spheres, boxes and the floor
 * (evaluate/cloth/README.md)
 *
 * World space.  A body is given at both ends of a tick and moves at constant speed between them.
 * Values only.
 */
#pragma once

#include "math/rotation.h"
#include "scene/cloth/cloth.h"

typedef struct ClothBody {
    ClothShape shape;
    Vec3 a, b; /* ends of a capsule's segment, the same for a sphere; a: a box's center; a point of
                  a floor */
    double radius; /* radius of a capsule at `a` */
    double taper;  /* radius at b minus that at a */
    Quat rotation; /* rotation of a box */
    Vec3 half;     /* extents of a box */
    ClothYield yields;

    /* set by cloth_body_between */
    Vec3 a_velocity, b_velocity, spin;
} ClothBody;

typedef struct ClothContact {
    Vec3 normal;   /* unit, out of the body */
    double depth;  /* > 0: penetration along the normal */
    Vec3 velocity; /* velocity of the body at the contact */
} ClothContact;

/* The body at a part of a tick, 0..1; tick_s: the length of the tick. */
ClothBody cloth_body_between(const ClothBody *from, const ClothBody *to, double part,
                             double tick_s);

/*
 * Whether a point is nearer to the body than `thickness`.
 *
 * On a capsule the foot of the perpendicular y = a + u (b - a), (y - x).(b - a) = 0, counts if it
 * is on the segment, otherwise the nearer of the two end spheres.  A sphere of radius r against a
 * capsule is a point against a capsule that is thicker by r.
 */
bool cloth_body_meets(ClothContact *out, const ClothBody *body, Vec3 point, double thickness);

/*
 * A contact of a point that went through the axis of a capsule since it was at `before`, when the
 * capsule was `from`: it leaves on the side from which it came.  Others are left as they are.
 */
void cloth_body_keep_side(ClothContact *contact, const ClothBody *body, Vec3 point,
                          const ClothBody *from, Vec3 before);

/*
 * Whether a point went all the way through a capsule since it was at `before`, when the capsule was
 * `from`, so that it is outside of it again on the other side; the contact leads back.
 */
bool cloth_body_passes(ClothContact *contact, const ClothBody *body, Vec3 point,
                       const ClothBody *from, Vec3 before, double thickness);

/* The axis-aligned bounding box of the body. */
void cloth_body_bounds(Vec3 *low, Vec3 *high, const ClothBody *body);
