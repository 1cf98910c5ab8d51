/*
 * mipmap.h - smaller levels of a picture
 *
 * Each pixel is the mean of four stored values; colours count by their alpha, so that what cannot
 * be seen does not bleed into the edges of what can.  Hair and lace that are cut out of their
 * picture by alpha would grow thinner from level to level: there each level's alpha is stretched
 * until as much of it is half opaque as of the picture itself.
 */
#ifndef RENDER_MIPMAP_H
#define RENDER_MIPMAP_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/image.h"

/* Half the size; an odd last row or column is left out. */
Image mipmap_half(const Image *image, Arena *arena);

/* Nearly every pixel is clear or opaque, and some are clear. */
bool mipmap_is_cut_out(const Image *image);

/* Share of pixels that are at least half opaque, 0..1. */
double mipmap_coverage(const Image *image);

/* The level with its alpha stretched, at most fourfold, to come nearest to a coverage. */
Image mipmap_covered(const Image *level, double coverage, Arena *arena);

#endif
