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

/* The limb that a closed cloth was around at rest; a mass belongs on the side of its axis on which
 * it was then.  The turn of the limb about its axis does not count: cloth does not follow it. */
typedef struct ClothLimb {
    bool known;   /* otherwise there is none */
    bool central; /* its axis was in the middle of the cloth: all masses have sides.  Else those */
    double range[2]; /* that were in this range along the axis, while they are beside the limb */
    Vec3 rest, axis; /* the joint and the direction of the axis at rest, as the rest of the cloth */
    Vec3 joint;      /* the joint now */
    Quat turn;       /* from there to now */
} ClothLimb;

typedef struct ClothBody {
    ClothShape shape;
    Vec3 a, b; /* ends of a capsule's segment, the same for a sphere; a: a box's center; a point of
                  a floor */
    double radius; /* radius of a capsule at `a` */
    double taper;  /* radius at b minus that at a */
    Quat rotation; /* rotation of a box */
    Vec3 half;     /* extents of a box */
    ClothYield yields;
    ClothLimb limb;

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

/* What determines the side of a capsule on which a point belongs: that of the limb, if the point
 * has one there; else the side on which it was before. */
typedef struct ClothPast {
    Vec3 rest;             /* the point of the cloth at rest */
    Vec3 before;           /* the point at the start of the tick, */
    const ClothBody *from; /* and the capsule */
} ClothPast;

/*
 * A contact of a point that is beyond the axis of a capsule, seen from its side: it leaves on its
 * side.  Others are left as they are.
 */
void cloth_body_keep_side(ClothContact *contact, const ClothBody *body, Vec3 point,
                          const ClothPast *past);

/* Whether a contact leads a point away from its side of a limb. */
bool cloth_body_misleads(const ClothContact *contact, const ClothBody *body, Vec3 point,
                         const ClothPast *past);

/*
 * Whether a point went all the way through a capsule, so that it is outside of it again behind it;
 * the contact leads back.
 */
bool cloth_body_passes(ClothContact *contact, const ClothBody *body, Vec3 point,
                       const ClothPast *past, double thickness);

/* The axis-aligned bounding box of the body. */
void cloth_body_bounds(Vec3 *low, Vec3 *high, const ClothBody *body);
