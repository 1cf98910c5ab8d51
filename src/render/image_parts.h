// SPDX-License-Identifier: MIT
/*
 * image_parts.h - a few rectangles of an image that cover what was added to them
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/image.h"

enum { IMAGE_PARTS = 6 };

/* Zero-initialise, except slack. */
typedef struct ImageParts {
    int64_t slack;                /* pixels that two rectangles may gain by becoming one */
    ImageRect rects[IMAGE_PARTS]; /* may overlap */
    size_t count;
} ImageParts;

bool image_rect_is_empty(ImageRect rect);
bool image_rects_overlap(ImageRect a, ImageRect b);

/* The smallest rectangle that contains both. */
ImageRect image_rect_union(ImageRect a, ImageRect b);

/* Pixels in it. */
int64_t image_rect_size(ImageRect rect);

/* Adds a rectangle.  Two become one where that is hardly larger than both, and where there would be
 * too many. */
void image_parts_add(ImageParts *parts, ImageRect rect);
