/*
 * letters.h - a few letters as pixels, to write under pictures
 *
 * 5 x 7 pixels each, in steps of 6, enlarged by whole factors: no font, the same pixels everywhere.
 * Known are digits, space, ':', '.' and the letters of "frame"; anything else is drawn as a box.
 */
#ifndef BASE_LETTERS_H
#define BASE_LETTERS_H

#include <stdint.h>

#include "base/image.h"

enum { LETTER_WIDTH = 5, LETTER_HEIGHT = 7, LETTER_STEP = 6 };

/* Pixels from the left of the first letter to the right of the last; 0 for no text. */
int letters_width(const char *text, int scale);

/* Left upper corner at x, y; what lies outside of the image is left out.  Opaque. */
void letters_draw(Image *image, int x, int y, int scale, const uint8_t rgb[3], const char *text);

#endif
