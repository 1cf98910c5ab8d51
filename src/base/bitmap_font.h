/*
 * bitmap_font.h - the letters of ASCII as pixels, to write on and under pictures
 *
 * 5 x 7 pixels each, and 2 rows more below the line for g, j, p, q, y and the like, in steps of 6,
 * enlarged by whole factors: no font, the same pixels everywhere.  Anything else is drawn as a box.
 */
#ifndef BASE_BITMAP_FONT_H
#define BASE_BITMAP_FONT_H

#include <stdint.h>

#include "base/image.h"

enum { LETTER_WIDTH = 5, LETTER_HEIGHT = 7, LETTER_DROP = 2, LETTER_STEP = 6 };
enum { LETTER_ROWS = LETTER_HEIGHT + LETTER_DROP };

/* LETTER_ROWS rows of LETTER_WIDTH characters, '#' for ink; NULL when it is not ASCII. */
const char *const *bitmap_font_find(uint32_t codepoint);

/* What stands for a letter that is not known. */
const char *const *bitmap_font_box(void);

/* Pixels from the left of the first letter to the right of the last; 0 for no text. */
int bitmap_font_width(const char *text, int scale);

/* Left upper corner at x, y; what lies outside of the image is left out.  Opaque. */
void bitmap_font_draw(Image *image, int x, int y, int scale, const uint8_t rgb[3],
                      const char *text);

#endif
