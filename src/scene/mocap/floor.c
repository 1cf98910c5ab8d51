// SPDX-License-Identifier: MIT
#include "scene/mocap/floor.h"

#include <math.h>
#include <stdlib.h>

#include "base/units.h"
#include "math/scalar.h"

enum { HEADING_FRAMES = 15, WINDOW = 2 * HEADING_FRAMES + 1 };

static const double STANCE = 0.02;   /* legs: a foot that is so much higher counts 1/e */
static const double STANDING = 0.05; /* part of the frames in which the lower ankle is lower */
static const double STEP = 0.1;      /* legs of movement after which 1/e of a difference is left */
static const double STILL = 0.01;    /* legs in a frame: a foot that moves less stands */
static const double PULL = 0.2;      /* part of the usual offset in that where a foot lands */
static const double TOLERANCE = 0.3 * PI / 180; /* largest turn of a leg, for a standing foot */
static const double HOLD = 0.002; /* legs by which a standing foot stays behind the source */

static Vec3 middle(const Vec3 ends[2])
{
    return vec3_scale(vec3_add(ends[0], ends[1]), 0.5);
}

static Vec3 horizontal(Vec3 v)
{
    return (Vec3){v.x, 0, v.z};
}

static Vec3 left_of(Vec3 heading)
{
    return (Vec3){-heading.z, 0, heading.x};
}

/* 1 for the lower foot, less for the other one. */
static double stance(const Floor *floor, const FloorFrame *f, int side)
{
    const double lower = fmin(f->ankles[0].y, f->ankles[1].y);
    return exp((lower - f->ankles[side].y) / (STANCE * floor->leg));
}

/* ---- the first pass ---- */

void floor_begin(Floor *floor, const double heights[2], double leg, uint32_t frames, Arena *arena)
{
    *floor = (Floor){.leg = leg,
                     .headings = arena_array(arena, Vec3, frames),
                     .lower = arena_array(arena, double, frames),
                     .feet = {{.height = heights[0]}, {.height = heights[1]}}};
}

/* The usual offset: that between the ankles when the middles of the hips meet. */
void floor_add(Floor *floor, const FloorFrame *frame)
{
    const uint32_t i = floor->count++;
    const Vec3 heading = vec3_normalize(horizontal(frame->forward));
    const Vec3 hips = vec3_sub(middle(frame->placed_hips), middle(frame->hips));
    floor->headings[i] = heading;
    floor->lower[i] = fmin(frame->ankles[0].y, frame->ankles[1].y);
    for (int side = 0; side < 2; side++) {
        FloorFoot *foot = &floor->feet[side];
        const double weight = stance(floor, frame, side);
        const Vec3 offset =
            vec3_sub(vec3_sub(frame->placed_ankles[side], frame->ankles[side]), hips);
        foot->weight += weight;
        foot->ahead += weight * vec3_dot(offset, heading);
        foot->left += weight * vec3_dot(offset, left_of(heading));
    }
}

/* A moving average; the ends have fewer neighbours. */
static void smooth(Vec3 *values, uint32_t count)
{
    Vec3 sum = {0, 0, 0}, ring[WINDOW];
    uint32_t added = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (; added < count && added <= i + HEADING_FRAMES; added++) {
            ring[added % WINDOW] = values[added];
            sum = vec3_add(sum, values[added]);
        }
        values[i] = vec3_normalize(sum);
        if (i >= HEADING_FRAMES)
            sum = vec3_sub(sum, ring[(i - HEADING_FRAMES) % WINDOW]);
    }
}

void floor_end(Floor *floor)
{
    smooth(floor->headings, floor->count);
    qsort(floor->lower, floor->count, sizeof *floor->lower, scalar_compare);
    floor->standing = floor->lower[(uint32_t)(STANDING * (floor->count - 1))];
    for (int side = 0; side < 2; side++) {
        floor->feet[side].ahead /= floor->feet[side].weight;
        floor->feet[side].left /= floor->feet[side].weight;
    }
}

/* ---- the second pass ---- */

static Vec3 usual_offset(const Floor *floor, int side)
{
    const Vec3 heading = floor->headings[floor->next];
    return vec3_add(vec3_scale(heading, floor->feet[side].ahead),
                    vec3_scale(left_of(heading), floor->feet[side].left));
}

/* Where an ankle should be. */
static Vec3 wanted_ankle(const Floor *floor, const FloorFrame *now, int side)
{
    const FloorFoot *foot = &floor->feet[side];
    Vec3 ankle = vec3_add(now->ankles[side], foot->offset);
    ankle.y = foot->height + now->ankles[side].y - floor->standing;
    return ankle;
}

/* Where it is by the center and the rotations of the legs. */
static Vec3 planned_ankle(const FloorPlan *plan, const FloorFrame *now, int side)
{
    const Vec3 leg = vec3_sub(now->placed_ankles[side], now->placed_hips[side]);
    return vec3_add(vec3_add(plan->center, now->placed_hips[side]),
                    quat_rotate(plan->corrections[side], leg));
}

/* Moves the center by what the ankles miss; the lower foot counts most. */
static void move_center(FloorPlan *plan, const Floor *floor, const FloorFrame *now)
{
    Vec3 sum = {0, 0, 0};
    double weights = 0;
    for (int side = 0; side < 2; side++) {
        const double weight = stance(floor, now, side);
        const Vec3 missed =
            vec3_sub(wanted_ankle(floor, now, side), planned_ankle(plan, now, side));
        sum = vec3_add(sum, vec3_scale(missed, weight));
        weights += weight;
    }
    plan->center = vec3_add(plan->center, vec3_scale(sum, 1 / weights));
}

/* The shortest rotation, within a limit, that brings the lower end of a leg above or below `end`;
 * both are relative to its upper end. */
static Quat correction(Vec3 leg, Vec3 end, double limit)
{
    const double down = vec3_dot(leg, leg) - end.x * end.x - end.z * end.z;
    if (leg.y >= 0 || down <= 0)
        return QUAT_IDENTITY;
    const Vec3 axis = vec3_cross(leg, (Vec3){end.x, -sqrt(down), end.z});
    const double angle = asin(fmin(1, vec3_length(axis) / vec3_dot(leg, leg)));
    return quat_from_axis_angle(vec3_normalize(axis), fmin(angle, limit));
}

static void correct_legs(FloorPlan *plan, const Floor *floor, const FloorFrame *now)
{
    for (int side = 0; side < 2; side++) {
        const Vec3 hip = now->placed_hips[side];
        const Vec3 end = vec3_sub(wanted_ankle(floor, now, side), vec3_add(hip, plan->center));
        plan->corrections[side] =
            correction(vec3_sub(now->placed_ankles[side], hip), end, TOLERANCE);
    }
}

static void place_feet(FloorPlan *plan, const Floor *floor, const FloorFrame *now)
{
    *plan = (FloorPlan){.corrections = {QUAT_IDENTITY, QUAT_IDENTITY}};
    move_center(plan, floor, now);
    correct_legs(plan, floor, now);
    move_center(plan, floor, now);
    correct_legs(plan, floor, now);
}

/* A planted foot stays where it is until the source has moved by more than HOLD. */
static Vec3 held_back(const Floor *floor, const FloorFoot *foot, Vec3 moved)
{
    const Vec3 held = vec3_sub(foot->held, moved);
    return vec3_scale(held, fmin(1, HOLD * floor->leg / fmax(vec3_length(held), 1e-9)));
}

/* A foot that moves comes down where the limbs put it; a planted one keeps its offset. */
static void move_foot(Floor *floor, const FloorFrame *now, int side, Vec3 center)
{
    FloorFoot *foot = &floor->feet[side];
    const Vec3 moved = vec3_sub(now->ankles[side], foot->ankle);
    const Vec3 limbs =
        horizontal(vec3_sub(vec3_add(now->placed_ankles[side], center), now->ankles[side]));
    const Vec3 wanted = vec3_lerp(limbs, usual_offset(floor, side), PULL);
    const double part = 1 - exp(-fmax(0, vec3_length(moved) / floor->leg - STILL) / STEP);
    const Vec3 held = vec3_lerp(held_back(floor, foot, horizontal(moved)), (Vec3){0, 0, 0}, part);
    foot->offset = vec3_add(vec3_lerp(foot->offset, wanted, part), vec3_sub(held, foot->held));
    foot->held = held;
    foot->ankle = now->ankles[side];
}

void floor_plan(FloorPlan *out, Floor *floor, const FloorFrame *now)
{
    if (!floor->next)
        for (int side = 0; side < 2; side++) {
            floor->feet[side].offset = usual_offset(floor, side);
            floor->feet[side].ankle = now->ankles[side];
        }
    place_feet(out, floor, now);
    for (int side = 0; side < 2; side++)
        move_foot(floor, now, side, out->center);
    place_feet(out, floor, now);
    for (int side = 0; side < 2; side++) { /* a foot that slides stays where it came to */
        out->ankles[side] = planned_ankle(out, now, side);
        floor->feet[side].offset = horizontal(vec3_sub(out->ankles[side], now->ankles[side]));
    }
    floor->next++;
}
