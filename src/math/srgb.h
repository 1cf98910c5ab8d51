// SPDX-License-Identifier: MIT
/*
 * srgb.h - color components as stored (sRGB, IEC 61966-2-1) and as linear light
 */
#pragma once

#include <math.h>

static inline float srgb_linear(float stored)
{
    return stored <= 0.04045f ? stored / 12.92f : powf((stored + 0.055f) / 1.055f, 2.4f);
}

/* Limited to 0..1; NaN is 0. */
static inline float srgb_stored(double light)
{
    if (!(light > 0))
        return 0;
    return (float)(light >= 1           ? 1
                   : light <= 0.0031308 ? 12.92 * light
                                        : 1.055 * pow(light, 1 / 2.4) - 0.055);
}
