#include "mocap/floor.h"

#include <math.h>
#include <stdlib.h>

enum { HEADING_FRAMES = 15, WINDOW = 2 * HEADING_FRAMES + 1 };

static const double STANCE = 0.02;   /* legs: a foot that is so much higher counts 1/e */
static const double STANDING = 0.05; /* part of the frames in which the lower ankle is lower */
static const double STEP = 0.1;      /* legs of movement after which 1/e of a difference is left */
static const double STILL = 0.01;    /* legs in a frame: a foot that moves less stands */
static const double PULL = 0.2;      /* part of the usual way in that where a foot lands */

static Vec3 middle(const Vec3 ends[2])
{
    return vec3_scale(vec3_add(ends[0], ends[1]), 0.5);
}

static Vec3 horizontal(Vec3 v)
{
    return (Vec3){v.x, 0, v.z};
}

static Vec3 mixed(Vec3 a, Vec3 b, double part)
{
    return vec3_add(a, vec3_scale(vec3_sub(b, a), part));
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

/* The usual way: that between the ankles when the middles of the hips meet. */
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
        const Vec3 way = vec3_sub(vec3_sub(frame->placed_ankles[side], frame->ankles[side]), hips);
        foot->weight += weight;
        foot->ahead += weight * vec3_dot(way, heading);
        foot->left += weight * vec3_dot(way, left_of(heading));
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

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void floor_end(Floor *floor)
{
    smooth(floor->headings, floor->count);
    qsort(floor->lower, floor->count, sizeof *floor->lower, compare);
    floor->standing = floor->lower[(uint32_t)(STANDING * (floor->count - 1))];
    for (int side = 0; side < 2; side++) {
        floor->feet[side].ahead /= floor->feet[side].weight;
        floor->feet[side].left /= floor->feet[side].weight;
    }
}

/* ---- the second pass ---- */

static Vec3 usual_way(const Floor *floor, int side)
{
    const Vec3 heading = floor->headings[floor->next];
    return vec3_add(vec3_scale(heading, floor->feet[side].ahead),
                    vec3_scale(left_of(heading), floor->feet[side].left));
}

static Vec3 ankle_of(const Floor *floor, const FloorFrame *now, int side)
{
    const FloorFoot *foot = &floor->feet[side];
    Vec3 ankle = vec3_add(now->ankles[side], foot->way);
    ankle.y = foot->height + now->ankles[side].y - floor->standing;
    return ankle;
}

/* The offset with which the feet are where they should be; the lower foot counts most. */
static Vec3 center_for(const Floor *floor, const FloorFrame *now)
{
    Vec3 sum = {0, 0, 0};
    double weights = 0;
    for (int side = 0; side < 2; side++) {
        const double weight = stance(floor, now, side);
        const Vec3 offset = vec3_sub(ankle_of(floor, now, side), now->placed_ankles[side]);
        sum = vec3_add(sum, vec3_scale(offset, weight));
        weights += weight;
    }
    return vec3_scale(sum, 1 / weights);
}

/* A foot that moves comes down where the limbs put it; one that stands keeps its way. */
static void move_foot(Floor *floor, const FloorFrame *now, int side, Vec3 center)
{
    FloorFoot *foot = &floor->feet[side];
    const double moved = vec3_length(vec3_sub(now->ankles[side], foot->ankle)) / floor->leg;
    const Vec3 limbs =
        horizontal(vec3_sub(vec3_add(now->placed_ankles[side], center), now->ankles[side]));
    const Vec3 wanted = mixed(limbs, usual_way(floor, side), PULL);
    foot->way = mixed(foot->way, wanted, 1 - exp(-fmax(0, moved - STILL) / STEP));
    foot->ankle = now->ankles[side];
}

void floor_plan(FloorPlan *out, Floor *floor, const FloorFrame *now)
{
    if (!floor->next)
        for (int side = 0; side < 2; side++) {
            floor->feet[side].way = usual_way(floor, side);
            floor->feet[side].ankle = now->ankles[side];
        }
    const Vec3 center = center_for(floor, now);
    for (int side = 0; side < 2; side++)
        move_foot(floor, now, side, center);
    out->center = center_for(floor, now);
    for (int side = 0; side < 2; side++)
        out->ankles[side] = ankle_of(floor, now, side);
    floor->next++;
}
