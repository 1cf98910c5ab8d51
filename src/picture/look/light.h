// SPDX-License-Identifier: MIT
/*
 * light.h - stored values (sRGB, 8 bits) as linear light, and back; the mean of images in it
 *
 * IEC 61966-2-1.  Light is 0..LIGHT_ONE; so finely that every 8-bit value returns from the round
 * trip unchanged.  Constant after light_tables_create, so threads may share the tables.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"
#include "base/image.h"

enum { LIGHT_ONE = 65535 };

typedef struct LightTables {
    uint16_t light[256];            /* light of each stored value */
    float stored[LIGHT_ONE + 1];    /* stored value of each light, 0..255 */
    uint8_t nearest[LIGHT_ONE + 1]; /* the same, rounded */
} LightTables;

LightTables *light_tables_create(Arena *arena);

/* The sRGB curve, and its inverse, of values 0..1. */
double light_of_stored(double stored);
double light_to_stored(double light);

/* ---- the mean of images of the same size: of equal ones that image, bit for bit, in any order;
 * not thread-safe ---- */

enum { ACCUMULATOR_MAX = 256 }; /* images; the sums are exact up to this number */

typedef struct Accumulator Accumulator;

Accumulator *accumulator_create(int width, int height, const LightTables *light, Arena *arena);
void accumulator_clear(Accumulator *a);

/* Images of straight alpha; a color counts in proportion to its alpha. */
void accumulator_add(Accumulator *a, const Image *image);

/* Writes the mean of the images since accumulator_clear, at least one, into image->pixels. */
void accumulator_mean(Image *image, const Accumulator *a);
