// SPDX-License-Identifier: MIT
/*
 * scalar.h - minimum, maximum, order and interpolation of numbers
 *
 * The extremes are comparisons instead of fminf, which compilers call as a function: they serve
 * tests of many triangles.  With a NaN the result is either argument.
 */
#pragma once

#include <stdint.h>

static inline float scalar_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float scalar_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float scalar_min3(float a, float b, float c)
{
    return scalar_min(scalar_min(a, b), c);
}

static inline float scalar_max3(float a, float b, float c)
{
    return scalar_max(scalar_max(a, b), c);
}

/* a at t = 0, b at t = 1 but for rounding; extrapolates outside. */
static inline double scalar_lerp(double a, double b, double t)
{
    return a + (b - a) * t;
}

static inline float scalar_lerp_float(float a, float b, double t)
{
    return (float)scalar_lerp((double)a, (double)b, t);
}

/* Orders numbers that are not NaN, for qsort. */
static inline int scalar_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Three numbers in ascending order. */
static inline void scalar_sort_three(uint32_t v[3])
{
    for (int pass = 0; pass < 3; pass++) { /* 0 1, 1 2, 0 1 */
        uint32_t *a = &v[pass & 1], *b = a + 1;
        const uint32_t low = *a < *b ? *a : *b;
        *b = *a < *b ? *b : *a;
        *a = low;
    }
}
