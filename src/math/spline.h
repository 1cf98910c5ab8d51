// SPDX-License-Identifier: MIT
/*
 * spline.h - values over time, given by a few keys
 *
 * Two keys are joined by a rational Bezier curve with a weight w (math/README.md 2): for t in 0..1
 *
 *     R(t) = (B0 w P0 + B1 P1 + B2 P2 + B3 w P3) / (B0 w + B1 + B2 + B3 w)
 *     P1 = P0 + w V0 / 3,  P2 = P3 - w V1 / 3,  0 < w <= 1,  Bi the cubic Bernstein polynomials
 *
 * which leaves P0 with speed V0 and reaches P3 with speed V1 for every w.  w = 1 is the ordinary
 * cubic; a smaller one stays closer to the chord, without overshoot.  Each coordinate has its own
 * w. Times are in any unit; slopes are per that unit.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

typedef struct SplineKey {
    double time, value;
    double slope; /* used if slope_given; else computed from the neighbours */
    bool slope_given;
    bool cut; /* the value jumps here; the previous value is constant until then */
} SplineKey;

typedef struct SplineSegment {
    double t0, t1; /* t0 <= t1 */
    double p0, p3; /* values at its ends */
    double v0, v1; /* slopes there times (t1 - t0) */
    double weight;
} SplineSegment;

typedef struct Spline {
    SplineSegment *segments; /* one per key; the last one has no length and holds the last value */
    uint32_t count;
} Spline;

/*
 * The weight, of 0.1, 0.2 ... 1.0, for which
 *
 *     the integral over 0..1 of  0.6 |R''(t)| + R'(t)^2   (trapezoid rule, 20 intervals)
 *
 * is minimal, after the values are scaled such that the largest of |p3 - p0|, |v0|, |v1| is 0.01
 * (math/README.md 2).  1 if all of them are 0.
 */
double spline_weight(double p0, double p3, double v0, double v1);

typedef struct SplineValue {
    double value, velocity, acceleration; /* R, R', R'' */
} SplineValue;

/* At t in 0..1 of a segment. */
SplineValue spline_value(const SplineSegment *segment, double t);

/*
 * Joins keys, at least one, with increasing times (a cut may have the time of the key before it). A
 * slope that is not given is the mean of the slopes of the two chords, or 0 at the ends and beside
 * a cut.
 */
Spline spline_create(const SplineKey *keys, uint32_t count, Arena *arena);

/* The same curve with all weights 1: the ordinary cubic, for comparison. */
Spline spline_cubic(const Spline *spline, Arena *arena);

/* The segment that contains a time, and the position in it, 0..1.  Before the first key: its start.
 */
const SplineSegment *spline_find(const Spline *spline, double time, double *t);

double spline_at(const Spline *spline, double time);
