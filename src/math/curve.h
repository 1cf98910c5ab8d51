// SPDX-License-Identifier: MIT
/*
 * curve.h - easing between two motion keys
 *
 * Each channel of a key (x, y, z, rotation, ...) runs along a cubic Bezier from (0,0) to (1,1):
 * x is time, y is progress.  Files give its two inner points as bytes, where 127 means 1.
 * Values only: nothing here allocates, fails or keeps state.
 */
#pragma once

#include <stdint.h>

enum {
    CURVE_ONE = 127,
    CURVE_HALVINGS = 12,    /* the count of MMD: math/README.md 1 */
    CURVE_MAX_HALVINGS = 52 /* more do not change a double */
};

/* Inner points, 0..CURVE_ONE; the loader clamps.  x1 == y1 and x2 == y2 is a straight line. */
typedef struct Curve {
    uint8_t x1, y1;
    uint8_t x2, y2;
} Curve;

#define CURVE_LINEAR ((Curve){20, 20, 107, 107})

/*
 * Progress at a time between two keys, by bisection (math/README.md 1).
 *
 * t         (time - left key) / (right key - left key); outside 0..1 it is clamped, NaN reads as 0
 * halvings  1..CURVE_MAX_HALVINGS; CURVE_HALVINGS gives the images of MMD
 * returns   weight of the right key, 0..1, monotonic; exact at the ends and on straight lines
 */
double curve_eval(Curve c, double t, int halvings);
