/*
 * extremes.h - the least and the greatest of floats, for what tests many triangles
 *
 * Comparisons instead of fminf, which compilers call as a function.  With a NaN the result is
 * either argument.
 */
#ifndef MATH_EXTREMES_H
#define MATH_EXTREMES_H

static inline float least(float a, float b)
{
    return a < b ? a : b;
}

static inline float greatest(float a, float b)
{
    return a > b ? a : b;
}

static inline float least_of_three(float a, float b, float c)
{
    return least(least(a, b), c);
}

static inline float greatest_of_three(float a, float b, float c)
{
    return greatest(greatest(a, b), c);
}

#endif
