// SPDX-License-Identifier: MIT
/*
 * accumulator.h - the mean of several images of the same size, in linear light
 *
 * Equal images have that image as their mean, bit for bit.  Integers only, so the order of the
 * images does not matter.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"
#include "picture/look/light.h"

enum { ACCUMULATOR_MAX = 256 }; /* images; the sums are exact up to this number */

typedef struct Accumulator Accumulator;

Accumulator *accumulator_create(int width, int height, const LightTables *light, Arena *arena);
void accumulator_clear(Accumulator *a);

/* Images of straight alpha; a color counts in proportion to its alpha. */
void accumulator_add(Accumulator *a, const Image *image);

/* Writes the mean of the images since accumulator_clear, at least one, into image->pixels. */
void accumulator_mean(Image *image, const Accumulator *a);
