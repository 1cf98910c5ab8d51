// SPDX-License-Identifier: MIT
/*
 * alpha_bleed.h - fills the colors of transparent pixels
 *
 * A film with alpha stores straight (not premultiplied) colors.  Those of transparent pixels are
 * invisible, but subsampled chroma and lossy coding mix them into their neighbours: black ones
 * would darken every outline.  They get the approximate colors of the nearest visible pixels, from
 * an image pyramid (pull-push).  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

typedef struct AlphaBleed AlphaBleed;

/* For images of this size, at most IMAGE_MAX_SIDE; lives in the arena. */
AlphaBleed *alpha_bleed_create(int width, int height, Arena *arena);

/* The image's pixels, with filled colors where alpha is 0; valid until the next call. */
const uint8_t *alpha_bleed_fill(AlphaBleed *bleed, const Image *image);
