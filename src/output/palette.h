/*
 * palette.h - 255 colours for a row of pictures, and the pictures in these colours
 *
 * First all pictures are counted, then the colours are chosen (median cut by variance, as Wu: the
 * box with the largest error is cut where that makes it least), then each picture is drawn in them.
 * Between two colours a fixed pattern mixes them; it stands still, so that what does not move does
 * not flicker, and a picture's plain areas stay plain.  One set of colours for all pictures: what
 * rests between two pictures is the same bytes.  Alpha is not looked at.  libavfilter's palettegen
 * would do, but brings 32 libraries more into every process (20 ms at the start).
 */
#ifndef OUTPUT_PALETTE_H
#define OUTPUT_PALETTE_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/image.h"

enum { PALETTE_COLOURS = 255 }; /* one of a GIF's 256 is left for clear pixels */

typedef struct Palette Palette;

Palette *palette_create(Arena *arena);

/* Counts the colours of a picture. */
void palette_add(Palette *palette, const Image *image);

/* Chooses; from then on: */
void palette_choose(Palette *palette);
const uint8_t (*palette_colours(const Palette *palette))[3]; /* [PALETTE_COLOURS] of R G B */

/* The indices of a picture's pixels, rows `stride` apart.  Remembers what it looked up. */
void palette_map(uint8_t *out, size_t stride, Palette *palette, const Image *image);

#endif
