// SPDX-License-Identifier: MIT
#include "math/spline.h"

#include <assert.h>
#include <math.h>

#include "math/key_span.h"

enum { INTERVALS = 20, WEIGHTS = 10 };

static const double BEND = 0.6, SPEED = 1.0; /* A and B of math/README.md 2 */
static const double SIZE = 0.01; /* a curve has this size while its weight is computed */

/* Value and derivatives of a cubic Bezier curve. */
static SplineValue bezier(double c0, double c1, double c2, double c3, double t)
{
    const double s = 1 - t;
    return (SplineValue){
        .value = s * s * s * c0 + 3 * s * s * t * c1 + 3 * s * t * t * c2 + t * t * t * c3,
        .velocity = 3 * (s * s * (c1 - c0) + 2 * s * t * (c2 - c1) + t * t * (c3 - c2)),
        .acceleration = 6 * (s * (c2 - 2 * c1 + c0) + t * (c3 - 2 * c2 + c1)),
    };
}

SplineValue spline_value(const SplineSegment *segment, double t)
{
    const double w = segment->weight;
    const double p1 = segment->p0 + w * segment->v0 / 3, p2 = segment->p3 - w * segment->v1 / 3;
    const SplineValue over = bezier(w * segment->p0, p1, p2, w * segment->p3, t);
    const SplineValue under = bezier(w, 1, 1, w, t);

    /* quotient rule: r = n / d, r' = (n' - r d') / d,  r'' = (n'' - 2 r' d' - r d'') / d */
    SplineValue r;
    r.value = over.value / under.value;
    r.velocity = (over.velocity - r.value * under.velocity) / under.value;
    r.acceleration =
        (over.acceleration - 2 * r.velocity * under.velocity - r.value * under.acceleration) /
        under.value;
    return r;
}

static double cost(const SplineSegment *segment)
{
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
        const SplineValue r = spline_value(segment, (double)i / INTERVALS);
        const double f = BEND * fabs(r.acceleration) + SPEED * r.velocity * r.velocity;
        sum += i == 0 || i == INTERVALS ? f / 2 : f;
    }
    return sum / INTERVALS;
}

double spline_weight(double p0, double p3, double v0, double v1)
{
    const double largest = fmax(fabs(p3 - p0), fmax(fabs(v0), fabs(v1)));
    if (!(largest > 0))
        return 1;

    const double scale = SIZE / largest;
    SplineSegment segment = {.p3 = (p3 - p0) * scale, .v0 = v0 * scale, .v1 = v1 * scale};
    double best = 1, lowest = HUGE_VAL;
    for (int i = WEIGHTS; i > 0; i--) {
        segment.weight = (double)i / WEIGHTS;
        const double f = cost(&segment);
        if (f < lowest) {
            lowest = f;
            best = segment.weight;
        }
    }
    return best;
}

/* Slope of the chord from a key to the next. */
static double chord(const SplineKey *key)
{
    return (key[1].value - key[0].value) / (key[1].time - key[0].time);
}

static double slope_at(const SplineKey *keys, uint32_t count, uint32_t i)
{
    const bool starts = i == 0 || keys[i].cut, ends = i + 1 == count || keys[i + 1].cut;
    if (keys[i].slope_given)
        return keys[i].slope;
    return starts || ends ? 0 : (chord(&keys[i - 1]) + chord(&keys[i])) / 2;
}

static SplineSegment held(const SplineKey *key, double until)
{
    return (SplineSegment){
        .t0 = key->time, .t1 = until, .p0 = key->value, .p3 = key->value, .weight = 1};
}

Spline spline_create(const SplineKey *keys, uint32_t count, Arena *arena)
{
    assert(count > 0);

    Spline spline = {arena_array(arena, SplineSegment, count), count};
    for (uint32_t i = 0; i + 1 < count; i++) {
        SplineSegment *segment = &spline.segments[i];
        const double span = keys[i + 1].time - keys[i].time;
        *segment = held(&keys[i], keys[i + 1].time);
        if (keys[i + 1].cut)
            continue;
        segment->p3 = keys[i + 1].value;
        segment->v0 = slope_at(keys, count, i) * span;
        segment->v1 = slope_at(keys, count, i + 1) * span;
        segment->weight = spline_weight(segment->p0, segment->p3, segment->v0, segment->v1);
    }
    spline.segments[count - 1] = held(&keys[count - 1], keys[count - 1].time);
    return spline;
}

Spline spline_cubic(const Spline *spline, Arena *arena)
{
    Spline cubic = {arena_copy(arena, spline->segments, spline->count * sizeof *spline->segments),
                    spline->count};
    for (uint32_t i = 0; i < cubic.count; i++)
        cubic.segments[i].weight = 1;
    return cubic;
}

const SplineSegment *spline_find(const Spline *spline, double time, double *t)
{
    const SplineSegment *segment =
        &spline->segments[key_span_find(spline->segments, sizeof *segment, spline->count, time)];
    *t = segment->t1 > segment->t0
             ? fmin(fmax((time - segment->t0) / (segment->t1 - segment->t0), 0), 1)
             : 0;
    return segment;
}

double spline_at(const Spline *spline, double time)
{
    double t;
    const SplineSegment *segment = spline_find(spline, time, &t);
    return spline_value(segment, t).value;
}
