// SPDX-License-Identifier: MIT
#include "picture/look/pattern.h"

#include <math.h>

/* 1 / p and 1 / p^2, p the real root of p^3 = p + 1 (picture/look/README.md 3.2) */
static const double PIXEL_STEPS[2] = {0.7548776662466927, 0.5698402909980532};
static const double GOLDEN = 0.6180339887498949, GOLDEN_ANGLE = 2.399963229728653;

static const float SPREAD = 1.4f; /* parts overlap, so that their sum is even */
enum { MAX_BLURRED = 64 };        /* of more samples gaps are not seen */

static int common_divisor(int a, int b)
{
    return b ? common_divisor(b, a % b) : a;
}

float pattern_lens_part(int count)
{
    const float part = SPREAD / sqrtf((float)count);
    return count > MAX_BLURRED ? 0.0f : part < 1.0f ? part : 1.0f;
}

PatternSample pattern_sample(int index, int count)
{
    PatternSample sample = {.time = ((float)index + 0.5f) / (float)count};
    /* A permutation of 0..count - 1 whose neighbors are far apart. */
    int step = (int)lrint(count * GOLDEN);

    while (step < 1 || common_divisor(step, count) != 1)
        step++;
    const int place = (int)((long)index * step % count);
    const double part = (double)pattern_lens_part(count);
    const double radius = count > 1 ? sqrt((1 - part * part) * (place + 0.5) / count) : 0;
    const double angle = place * GOLDEN_ANGLE;

    sample.lens[0] = (float)(radius * cos(angle));
    sample.lens[1] = (float)(radius * sin(angle));
    for (int i = 0; i < 2 && count > 1; i++) {
        const double at = 0.5 + (index + 1) * PIXEL_STEPS[i];
        sample.pixel[i] = (float)(at - floor(at) - 0.5);
    }
    return sample;
}
