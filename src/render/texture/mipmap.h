// SPDX-License-Identifier: MIT
/*
 * mipmap.h - mip levels of an image
 *
 * Each pixel is the mean of four stored values; colors are weighted by alpha, so that invisible
 * colors do not bleed into visible edges.  Alpha cutouts (hair, lace) would become thinner from
 * level to level: for them the alpha of each level is scaled until its coverage, the share of
 * pixels that are at least half opaque, is that of the original.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

/* Half the size; an odd last row or column is dropped. */
Image mipmap_half(const Image *image, Arena *arena);

/* Whether at least 90 % of the pixels are transparent or opaque, with some of both. */
bool mipmap_is_cutout(const Image *image);

/* Share of pixels that are at least half opaque, 0..1. */
double mipmap_coverage(const Image *image);

/* Copy of the level with alpha scaled, at most by four, to come closest to a coverage. */
Image mipmap_match_coverage(const Image *level, double coverage, Arena *arena);
