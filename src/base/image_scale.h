// SPDX-License-Identifier: MIT
/*
 * image_scale.h - a copy of an image in another size
 *
 * Each pixel of a smaller copy is the mean of the area that it covers, with exact weights; in a
 * larger one pixels are interpolated linearly.  Computed on the stored values; colors are weighted
 * by their alpha.  Integer arithmetic: equal images give equal bytes everywhere.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

/* Sizes 1..IMAGE_MAX_SIDE. */
Image image_scale(const Image *image, int width, int height, Arena *arena);

/* The same with a width of at most `width` and the aspect ratio of the image; the image itself if
 * it is not wider. */
Image image_scale_to_width(const Image *image, int width, Arena *arena);
