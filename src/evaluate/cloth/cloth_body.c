// SPDX-License-Identifier: MIT
#include "evaluate/cloth/cloth_body.h"

#include <float.h>
#include <math.h>

/* The angular velocity from one rotation to the other along the shorter arc. */
static Vec3 spin_of(Quat from, Quat to, double tick_s)
{
    Quat q = quat_mul(to, quat_inverse(from));
    if (q.w < 0)
        q = (Quat){-q.x, -q.y, -q.z, -q.w};
    const Vec3 axis = {q.x, q.y, q.z};
    const double sine = vec3_length(axis);
    const double angle = 2 * atan2(sine, q.w);
    return sine > 0 ? vec3_scale(axis, angle / (sine * tick_s)) : axis;
}

ClothBody cloth_body_between(const ClothBody *from, const ClothBody *to, double part, double tick_s)
{
    ClothBody body = *to;
    body.a = vec3_lerp(from->a, to->a, part);
    body.b = vec3_lerp(from->b, to->b, part);
    body.a_velocity = vec3_scale(vec3_sub(to->a, from->a), 1 / tick_s);
    body.b_velocity = vec3_scale(vec3_sub(to->b, from->b), 1 / tick_s);
    if (body.shape == CLOTH_BOX) {
        body.rotation = quat_slerp(from->rotation, to->rotation, part);
        body.spin = spin_of(from->rotation, to->rotation, tick_s);
    }
    if (body.limb.known) {
        body.limb.joint = vec3_lerp(from->limb.joint, to->limb.joint, part);
        body.limb.turn = quat_slerp(from->limb.turn, to->limb.turn, part);
    }
    return body;
}

static bool meets_sphere(ClothContact *out, Vec3 center, double radius, Vec3 velocity, Vec3 point,
                         Vec3 segment)
{
    const Vec3 away = vec3_sub(point, center);
    const double square = vec3_dot(away, away);

    if (square >= radius * radius)
        return false;
    const double distance = sqrt(square);
    out->normal = distance > 0 ? vec3_scale(away, 1 / distance) : vec3_perpendicular(segment);
    out->depth = radius - distance;
    out->velocity = velocity;
    return true;
}

static bool meets_capsule(ClothContact *out, const ClothBody *body, Vec3 point, double radius)
{
    const Vec3 segment = vec3_sub(body->b, body->a);
    const double square = vec3_dot(segment, segment);
    const double u = square > 0 ? vec3_dot(vec3_sub(point, body->a), segment) / square : 0;

    if (u <= 0)
        return meets_sphere(out, body->a, radius, body->a_velocity, point, segment);
    if (u >= 1)
        return meets_sphere(out, body->b, radius + body->taper, body->b_velocity, point, segment);
    return meets_sphere(out, vec3_lerp(body->a, body->b, u), radius + u * body->taper,
                        vec3_lerp(body->a_velocity, body->b_velocity, u), point, segment);
}

/* Pushes out of the nearest side. */
static bool meets_box(ClothContact *out, const ClothBody *body, Vec3 point, double thickness)
{
    const Vec3 away = vec3_sub(point, body->a);
    const Vec3 local = quat_rotate(quat_inverse(body->rotation), away);
    const double depths[3] = {body->half.x + thickness - fabs(local.x),
                              body->half.y + thickness - fabs(local.y),
                              body->half.z + thickness - fabs(local.z)};
    int nearest = 0;

    if (depths[0] <= 0 || depths[1] <= 0 || depths[2] <= 0)
        return false;
    for (int i = 1; i < 3; i++)
        if (depths[i] < depths[nearest])
            nearest = i;
    const Vec3 side = {nearest == 0 ? copysign(1, local.x) : 0,
                       nearest == 1 ? copysign(1, local.y) : 0,
                       nearest == 2 ? copysign(1, local.z) : 0};
    out->normal = quat_rotate(body->rotation, side);
    out->depth = depths[nearest];
    out->velocity = vec3_add(body->a_velocity, vec3_cross(body->spin, away));
    return true;
}

static bool meets_floor(ClothContact *out, const ClothBody *body, Vec3 point, double thickness)
{
    const double depth = body->a.y + thickness - point.y;
    if (depth <= 0)
        return false;
    *out = (ClothContact){{0, 1, 0}, depth, body->a_velocity};
    return true;
}

bool cloth_body_meets(ClothContact *out, const ClothBody *body, Vec3 point, double thickness)
{
    switch (body->shape) {
    case CLOTH_CAPSULE:
        return meets_capsule(out, body, point, body->radius + thickness);
    case CLOTH_BOX:
        return meets_box(out, body, point, thickness);
    case CLOTH_FLOOR:
        return meets_floor(out, body, point, thickness);
    }
    return false;
}

/* The part of a capsule's segment, 0..1, at which it is nearest to a point. */
static double foot_of(const ClothBody *body, Vec3 point)
{
    const Vec3 segment = vec3_sub(body->b, body->a);
    const double square = vec3_dot(segment, segment);
    const double u = square > 0 ? vec3_dot(vec3_sub(point, body->a), segment) / square : 0;
    return fmin(fmax(u, 0), 1);
}

/* From the segment of a capsule to a point. */
static Vec3 from_axis(const ClothBody *body, Vec3 point)
{
    return vec3_sub(point, vec3_lerp(body->a, body->b, foot_of(body, point)));
}

/* The way along the side on which the point was to the sphere around the foot on which the surface
 * is there. */
static void lead_back(ClothContact *contact, Vec3 side, Vec3 away, double radius)
{
    const Vec3 normal = vec3_normalize(side);
    const double along = vec3_dot(away, normal), square = vec3_dot(away, away);
    contact->normal = normal;
    contact->depth = sqrt(fmax(along * along + radius * radius - square, 0)) - along;
}

/* From the axis of a limb to the side on which a point belongs; false if it has none. */
static bool find_limb_side(Vec3 *side, const ClothLimb *limb, Vec3 point, Vec3 rest)
{
    if (!limb->known)
        return false;
    const Vec3 away = vec3_sub(rest, limb->rest);
    const double along = vec3_dot(away, limb->axis);
    if (!limb->central) {
        const Vec3 axis = quat_rotate(limb->turn, limb->axis);
        if (along < limb->range[0] || along > limb->range[1] ||
            vec3_dot(vec3_sub(point, limb->joint), axis) < 0)
            return false;
    }
    *side = quat_rotate(limb->turn, vec3_sub(away, vec3_scale(limb->axis, along)));
    return true;
}

void cloth_body_keep_side(ClothContact *contact, const ClothBody *body, Vec3 point,
                          const ClothPast *past)
{
    Vec3 side;

    if (body->shape != CLOTH_CAPSULE)
        return;
    if (!find_limb_side(&side, &body->limb, point, past->rest))
        side = from_axis(past->from, past->before);
    if (!(vec3_dot(side, contact->normal) < 0))
        return;
    const Vec3 away = from_axis(body, point);
    lead_back(contact, side, away, vec3_length(away) + contact->depth);
}

bool cloth_body_misleads(const ClothContact *contact, const ClothBody *body, Vec3 point,
                         const ClothPast *past)
{
    Vec3 side;

    return find_limb_side(&side, &body->limb, point, past->rest) &&
           vec3_dot(side, contact->normal) < 0;
}

/* A point is behind a limb if the straight way back to its side leads through the capsule.  Else,
 * seen from the axis, it went from one place to the other in a straight line.  The place of either
 * line that is nearest to the axis counts. */
bool cloth_body_passes(ClothContact *out, const ClothBody *body, Vec3 point, const ClothPast *past,
                       double thickness)
{
    if (body->shape != CLOTH_CAPSULE)
        return false;
    const double u = foot_of(body, point), radius = body->radius + u * body->taper + thickness;
    const Vec3 away = vec3_sub(point, vec3_lerp(body->a, body->b, u));
    Vec3 side, way;
    if (find_limb_side(&side, &body->limb, point, past->rest)) {
        way = side;
    } else {
        side = from_axis(past->from, past->before);
        way = vec3_sub(away, side);
    }
    if (!(vec3_dot(away, side) < 0))
        return false;
    const Vec3 nearest = vec3_sub(away, vec3_scale(way, vec3_dot(away, way) / vec3_dot(way, way)));
    if (!(vec3_dot(nearest, nearest) < radius * radius))
        return false;
    lead_back(out, side, away, radius);
    out->velocity = vec3_lerp(body->a_velocity, body->b_velocity, u);
    return true;
}

void cloth_body_bounds(Vec3 *low, Vec3 *high, const ClothBody *body)
{
    double extent = body->radius + fmax(body->taper, 0);

    *low = *high = body->a;
    if (body->shape == CLOTH_FLOOR) {
        *low = (Vec3){-DBL_MAX, -DBL_MAX, -DBL_MAX};
        *high = (Vec3){DBL_MAX, body->a.y, DBL_MAX};
        return;
    }
    if (body->shape == CLOTH_BOX)
        extent = vec3_length(body->half);
    else {
        *low = (Vec3){fmin(body->a.x, body->b.x), fmin(body->a.y, body->b.y),
                      fmin(body->a.z, body->b.z)};
        *high = (Vec3){fmax(body->a.x, body->b.x), fmax(body->a.y, body->b.y),
                       fmax(body->a.z, body->b.z)};
    }
    *low = vec3_sub(*low, (Vec3){extent, extent, extent});
    *high = vec3_add(*high, (Vec3){extent, extent, extent});
}
