// SPDX-License-Identifier: MIT
#include "format/model/polygon.h"

#include <assert.h>
#include <math.h>

typedef struct Point {
    double x, y;
} Point;

/* Corners that are left, each with its neighbors around the polygon, counterclockwise. */
typedef struct Ring {
    const Point *points;
    uint32_t *before, *after;
} Ring;

/* Twice the area of a triangle; positive if it is counterclockwise. */
static double turn(Point a, Point b, Point c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/* Seen along the axis to which the polygon (by Newell's normal) is nearest to perpendicular. */
static Point *project(const Vec3 *corners, uint32_t count, Arena *scratch)
{
    Point *points = arena_array(scratch, Point, count);
    double n[3] = {0, 0, 0};
    int axis = 0;
    for (uint32_t i = 0; i < count; i++) {
        const Vec3 a = vec3_sub(corners[i], corners[0]);
        const Vec3 b = vec3_sub(corners[(i + 1) % count], corners[0]);
        for (int k = 0; k < 3; k++)
            n[k] += vec3_component(vec3_cross(a, b), k);
    }
    for (int k = 1; k < 3; k++)
        axis = fabs(n[k]) > fabs(n[axis]) ? k : axis;
    for (uint32_t i = 0; i < count; i++) {
        const double x = vec3_component(corners[i], (axis + 1) % 3);
        const double y = vec3_component(corners[i], (axis + 2) % 3);
        points[i] = n[axis] < 0 ? (Point){-x, y} : (Point){x, y};
    }
    return points;
}

static bool is_convex(const Point *points, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (turn(points[i], points[(i + 1) % count], points[(i + 2) % count]) < 0)
            return false;
    return true;
}

static bool same(Point a, Point b)
{
    return a.x == b.x && a.y == b.y;
}

/* Whether the triangle at a corner is inside of the polygon, and no other corner is in it. */
static bool is_ear(const Ring *ring, uint32_t at)
{
    const Point a = ring->points[ring->before[at]], b = ring->points[at];
    const Point c = ring->points[ring->after[at]];
    if (!(turn(a, b, c) > 0))
        return false;
    for (uint32_t i = ring->after[ring->after[at]]; i != ring->before[at]; i = ring->after[i]) {
        const Point p = ring->points[i];
        if (turn(a, b, p) >= 0 && turn(b, c, p) >= 0 && turn(c, a, p) >= 0 && !same(p, a) &&
            !same(p, b) && !same(p, c))
            return false;
    }
    return true;
}

void polygon_triangles(uint32_t *out, const Vec3 *corners, uint32_t count, uint64_t *work,
                       Arena *scratch)
{
    assert(count >= 3);
    const Point *points = project(corners, count, scratch);
    const bool convex = is_convex(points, count);
    Ring ring = {points, arena_array(scratch, uint32_t, count),
                 arena_array(scratch, uint32_t, count)};
    uint32_t at = 1, left = count, tried = 0;
    for (uint32_t i = 0; i < count; i++) {
        ring.before[i] = (i + count - 1) % count;
        ring.after[i] = (i + 1) % count;
    }
    while (left > 2) {
        const bool tests = !convex && *work > left;
        *work -= tests ? left : 0;
        if (tests && tried < left && !is_ear(&ring, at)) {
            at = ring.after[at];
            tried++;
            continue;
        }
        const uint32_t before = ring.before[at], after = ring.after[at];
        *out++ = before;
        *out++ = at;
        *out++ = after;
        ring.after[before] = after;
        ring.before[after] = before;
        at = after;
        left--;
        tried = 0;
    }
}
