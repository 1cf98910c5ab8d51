/*
 * alpha_bleed.h - colours for clear pixels
 *
 * A film with alpha stores straight colours (sink.h).  Those of clear pixels are not seen, but
 * coarse chroma and lossy coding mix them into their neighbours: black ones would darken every
 * outline. Here they take the colours of what lies nearest, coarsely, by means of ever smaller
 * pictures.
 */
#ifndef OUTPUT_ALPHA_BLEED_H
#define OUTPUT_ALPHA_BLEED_H

#include <stdint.h>

#include "base/arena.h"
#include "base/image.h"

typedef struct AlphaBleed AlphaBleed;

AlphaBleed *alpha_bleed_create(int width, int height,
                               Arena *arena); /* room for pictures of this size */

/* The picture's pixels with other colours where alpha is 0; valid until the next call. */
const uint8_t *alpha_bleed_fill(AlphaBleed *bleed, const Image *image);

#endif
