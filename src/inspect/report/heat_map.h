/*
 * heat_map.h - the difference of two images as colors
 *
 * The largest difference of the channels of a pixel, from black (equal) over purple and orange to
 * light yellow (HEAT_MAP_END and above, of 255).  A pixel of a smaller map has the largest
 * difference of the pixels that it covers, so that single pixels stay visible.
 */
#ifndef INSPECT_REPORT_HEAT_MAP_H
#define INSPECT_REPORT_HEAT_MAP_H

#include "base/arena.h"
#include "base/image.h"

enum { HEAT_MAP_END = 64 };

/* Of two images of the same size; `width` at most that of the images, the height in proportion. */
Image heat_map_create(const Image *a, const Image *b, int width, Arena *arena);

#endif
