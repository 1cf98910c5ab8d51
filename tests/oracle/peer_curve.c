// SPDX-License-Identifier: MIT
/*
 * babylon-mmd's bisection instead of ours: linked before the library into oracle-peer.
 *
 * It differs in three ways: it stops as soon as x is met within 1e-5, it gives y for the parameter
 * before the last of its 15 steps, and it asks the curve also on a key, of the span that starts
 * there. With it our poses and cameras meet babylon-mmd's within 1e-4, which shows that the rest is
 * the same.
 */
#include <math.h>

#include "math/curve.h"

#define timeline_span span_of_ours
#include "../../src/math/timeline.c"
#undef timeline_span
TimelineSpan timeline_span(const double *frames, uint32_t count, double frame);

double curve_eval(Curve c, double time, int halvings)
{
    const double x1 = (double)c.x1 / CURVE_ONE, y1 = (double)c.y1 / CURVE_ONE;
    const double x2 = (double)c.x2 / CURVE_ONE, y2 = (double)c.y2 / CURVE_ONE;
    double t = 0.5, step = 0.5, a = 0, b = 0, d = 0;
    for (int i = 0; i < halvings; i++) {
        const double s = 1 - t;
        a = 3 * s * s * t;
        b = 3 * s * t * t;
        d = t * t * t;
        const double difference = a * x1 + b * x2 + d - time;
        if (fabs(difference) < 1e-5)
            break;
        step *= 0.5;
        t += difference < 0 ? step : -step;
    }
    return a * y1 + b * y2 + d;
}

TimelineSpan timeline_span(const double *frames, uint32_t count, double frame)
{
    TimelineSpan span = span_of_ours(frames, count, frame);
    if (span.left == span.right && frames[span.left] == frame && span.left + 1 < count)
        span.right++;
    return span;
}
