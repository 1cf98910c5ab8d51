// SPDX-License-Identifier: MIT
#include "math/curve.h"

#include <assert.h>

/* One coordinate, at parameter s, of the Bezier with values 0, a, b, 1. */
static double bezier(double a, double b, double s)
{
    const double r = 1.0 - s;
    return 3.0 * r * r * s * a + 3.0 * r * s * s * b + s * s * s;
}

double curve_eval(Curve c, double t, int halvings)
{
    assert(c.x1 <= CURVE_ONE && c.x2 <= CURVE_ONE);
    assert(halvings >= 1 && halvings <= CURVE_MAX_HALVINGS);

    if (!(t > 0.0)) /* NaN too */
        return 0.0;
    if (t >= 1.0)
        return 1.0;
    if (c.x1 == c.y1 && c.x2 == c.y2)
        return t;

    const double x1 = (double)c.x1 / CURVE_ONE, y1 = (double)c.y1 / CURVE_ONE;
    const double x2 = (double)c.x2 / CURVE_ONE, y2 = (double)c.y2 / CURVE_ONE;
    double s = 0.5, step = 0.25;

    /* x never falls while x1 and x2 are in 0..1, so halving cannot lose the root.
     * A fixed count, not a tolerance: the same key always gives the same bits. */
    for (int i = 0; i < halvings; i++) {
        const double x = bezier(x1, x2, s);
        if (x == t)
            break;
        s += x > t ? -step : step;
        step *= 0.5;
    }
    return bezier(y1, y2, s);
}
