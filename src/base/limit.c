// SPDX-License-Identifier: MIT
#include "base/limit.h"

#include <math.h>

bool limit_exceeded(const Limit *limit, double value)
{
    return limit->max > 0 && !(value <= limit->max);
}

/* Rounded up to hundredths: still above the limit. */
static double round_value(double value)
{
    return value < 1e9 ? ceil(value * 100) / 100 : value;
}

bool limit_check(const Limit *limit, double value, const char *unit, Diag *diag)
{
    return !limit_exceeded(limit, value) ||
           diag_fail(diag, DIAG_RESOURCE, "%s: %.10g%s exceeds the limit of %.10g%s (%s)",
                     limit->name ? limit->name : "limit", round_value(value), unit, limit->max,
                     unit, limit->source ? limit->source : "default");
}

double limit_lower(const Limit *limit, double other)
{
    return limit->max > 0 && (other <= 0 || limit->max < other) ? limit->max : other;
}
