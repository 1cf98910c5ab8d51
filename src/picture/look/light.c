// SPDX-License-Identifier: MIT
#include "picture/look/light.h"

#include <assert.h>
#include <math.h>
#include <string.h>

double light_of_stored(double stored)
{
    return stored <= 0.04045 ? stored / 12.92 : pow((stored + 0.055) / 1.055, 2.4);
}

double light_to_stored(double light)
{
    return light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055;
}

LightTables *light_tables_create(Arena *arena)
{
    LightTables *tables = arena_array(arena, LightTables, 1);

    for (int i = 0; i < 256; i++)
        tables->light[i] = (uint16_t)lrint(light_of_stored(i / 255.0) * LIGHT_ONE);
    for (int i = 0; i <= LIGHT_ONE; i++) {
        const double stored = light_to_stored((double)i / LIGHT_ONE) * 255;
        tables->stored[i] = (float)stored;
        tables->nearest[i] = (uint8_t)lrint(stored);
    }
    return tables;
}

/* ---- the mean of images ---- */

struct Accumulator {
    const LightTables *light;
    size_t pixel_count;
    uint32_t count;
    uint32_t (*sums)[4]; /* [pixel_count] light times alpha, and alpha */
};

/* The largest sum fits: 65535 * 255 * 256 < 2^32. */
_Static_assert((uint64_t)LIGHT_ONE * 255 * ACCUMULATOR_MAX <= UINT32_MAX, "sums overflow");

Accumulator *accumulator_create(int width, int height, const LightTables *light, Arena *arena)
{
    Accumulator *a = arena_array(arena, Accumulator, 1);

    a->light = light;
    a->pixel_count = (size_t)width * (size_t)height;
    a->sums = arena_calloc(arena, a->pixel_count, sizeof *a->sums);
    return a;
}

void accumulator_clear(Accumulator *a)
{
    a->count = 0;
    memset(a->sums, 0, a->pixel_count * sizeof *a->sums);
}

void accumulator_add(Accumulator *a, const Image *image)
{
    const uint16_t *light = a->light->light;
    const uint8_t *p = image->pixels;

    assert(a->count < ACCUMULATOR_MAX);
    assert((size_t)image->width * (size_t)image->height == a->pixel_count);
    a->count++;
    for (size_t i = 0; i < a->pixel_count; i++, p += 4) {
        uint32_t *sum = a->sums[i];
        const uint32_t alpha = p[3];
        sum[0] += light[p[0]] * alpha;
        sum[1] += light[p[1]] * alpha;
        sum[2] += light[p[2]] * alpha;
        sum[3] += alpha;
    }
}

void accumulator_mean(Image *image, const Accumulator *a)
{
    const uint8_t *nearest = a->light->nearest;
    uint8_t *p = image->pixels;

    assert(a->count > 0);
    for (size_t i = 0; i < a->pixel_count; i++, p += 4) {
        const uint32_t *sum = a->sums[i];
        const uint32_t alpha = sum[3];
        for (int c = 0; c < 3; c++)
            p[c] = alpha ? nearest[(uint32_t)(((uint64_t)sum[c] + alpha / 2) / alpha)] : 0;
        p[3] = (uint8_t)((alpha + a->count / 2) / a->count);
    }
}
