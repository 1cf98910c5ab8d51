// SPDX-License-Identifier: MIT
/*
 * palette.h - selects 255 colors for a sequence of images, and dithers images to them
 *
 * First the colors of all images are counted, then the palette is selected (median cut by variance
 * after Wu: the box with the largest error is split where the sum of both errors is smallest), then
 * each image is mapped.  An ordered dither mixes two colors; its pattern is fixed, so static areas
 * do not flicker, and plain areas stay plain.  All images share one palette, so that unchanged
 * pixels have equal indices.  Alpha is ignored.  libavfilter's palettegen would link 32 more
 * libraries into every process (20 ms at start-up).  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

enum { PALETTE_COLORS = 255 }; /* the 256th of a GIF is transparent */

typedef struct Palette Palette;

Palette *palette_create(Arena *arena);

/* Counts the colors of an image. */
void palette_add(Palette *palette, const Image *image);

/* Selects the palette; the functions below need it. */
void palette_choose(Palette *palette);

const uint8_t (*palette_colors(const Palette *palette))[3]; /* [PALETTE_COLORS] of R G B */

/* Writes the indices of an image's pixels, with `stride` bytes from row to row.  Caches look-ups.
 */
void palette_map(uint8_t *out, size_t stride, Palette *palette, const Image *image);
