// SPDX-License-Identifier: MIT
/*
 * packed_alpha.h - an image with alpha as an opaque one of twice the width
 *
 * The left half has the colors, straight, those of transparent pixels filled from their neighbors
 * (alpha_bleed.h); the right half has alpha as grey.  A player that knows nothing of alpha, but has
 * a shader, draws the left half with the right one as its alpha.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

typedef struct PackedAlpha PackedAlpha;

/* For images of this size, at most IMAGE_MAX_SIDE / 2 wide; lives in the arena. */
PackedAlpha *packed_alpha_create(int width, int height, Arena *arena);

/* The packed image; its pixels are valid until the next call. */
Image packed_alpha_image(PackedAlpha *packed, const Image *image);
