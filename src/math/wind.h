// SPDX-License-Identifier: MIT
/*
 * wind.h - gusts: where and when the wind is weaker
 *
 * Value noise of two octaves over places and time.  Its pattern moves with the wind and changes
 * slowly.  Values only; the same place and time always give the same bits.
 */
#pragma once

#include <stddef.h>

#include "math/rotation.h"

/*
 * out        [count] 0..1: 0 where a gust is at its strongest, 1 in a lull; 0.5 on average
 * positions  [count] MMD units; fastest if neighbours follow each other
 * wind       its velocity, units a second; not zero
 */
void gust_factors(double *out, const Vec3 *positions, size_t count, Vec3 wind, double time_s);
