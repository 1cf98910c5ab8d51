// SPDX-License-Identifier: MIT
/*
 * random_value.h - random numbers of tests that are the same on every machine
 */
#ifndef SUPPORT_RANDOM_VALUE_H
#define SUPPORT_RANDOM_VALUE_H

#include <stdint.h>

/* low to high; the seed changes (a linear congruential generator with the constants of Numerical
 * Recipes). */
static inline float random_value(uint32_t *seed, float low, float high)
{
    *seed = *seed * 1664525u + 1013904223u;
    return low + (high - low) * (float)(*seed >> 8) / 16777216.0f;
}

#endif
