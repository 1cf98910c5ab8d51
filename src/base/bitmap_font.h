// SPDX-License-Identifier: MIT
/*
 * bitmap_font.h - ASCII glyphs as pixels, for captions and labels in images
 *
 * A glyph has 5 x 7 pixels and 2 rows below the baseline, an advance of 6 pixels, and is scaled by
 * integers.  It does not depend on an installed font, so the pixels are the same everywhere.  Other
 * characters are drawn as a box.
 */
#pragma once

#include <stdint.h>

enum { GLYPH_WIDTH = 5, GLYPH_HEIGHT = 7, GLYPH_DESCENT = 2, GLYPH_ADVANCE = 6 };
enum { GLYPH_ROWS = GLYPH_HEIGHT + GLYPH_DESCENT };

/* GLYPH_ROWS rows of GLYPH_WIDTH characters, '#' for ink; NULL if it is not printable ASCII. */
const char *const *bitmap_font_glyph(uint32_t codepoint);

/* The box that replaces an unknown character. */
const char *const *bitmap_font_unknown(void);

/* Pixels from the left of the first glyph to the right of the last; 0 for empty text. */
int bitmap_font_width(const char *text, int scale);
