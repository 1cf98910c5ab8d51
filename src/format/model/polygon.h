// SPDX-License-Identifier: MIT
/*
 * polygon.h - a flat polygon, which may be concave, as triangles
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "math/rotation.h"

/*
 * Triangles of a polygon by ear clipping (Meisters 1975): convex ones become a fan about their
 * first corner, and so does what is left of one that meets itself.
 *
 * out      [3 * (count - 2)] indices of corners, in their order around the polygon
 * corners  [count] at least 3
 * work     what the call may still do, and what is left afterwards: concave polygons need up to the
 *          cube of their corners; without any, the rest is a fan, too
 */
void polygon_triangles(uint32_t *out, const Vec3 *corners, uint32_t count, uint64_t *work,
                       Arena *scratch);
