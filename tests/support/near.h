// SPDX-License-Identifier: MIT
/*
 * near.h - assertion for doubles with a tolerance
 */
#ifndef SUPPORT_NEAR_H
#define SUPPORT_NEAR_H

#include <math.h>

#define assert_near(got, expected, tolerance)                               \
    do {                                                                    \
        const double got_ = (got), expected_ = (expected);                  \
        if (!(fabs(got_ - expected_) <= (tolerance)))                       \
            fail_msg("%s is %.12g, expected %.12g", #got, got_, expected_); \
    } while (0)

#endif
