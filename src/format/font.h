/*
 * font.h - a TrueType or OpenType file -> the shapes of some characters
 *
 * By FreeType, without hinting, so that the shapes depend on the file, the height and FreeType
 * alone: coverage of 0..255 a pixel.  Of a collection (.ttc) the first font is taken.  Characters
 * stand one by one from left to right: no ligatures, no kerning.
 */
#ifndef FORMAT_FONT_H
#define FORMAT_FONT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

typedef struct FontGlyph {
    uint32_t codepoint;
    bool missing; /* the font lacks it, and nothing of the rest is set */
    int left;     /* from the pen to the first column */
    int top;      /* from the baseline up to the first row */
    int advance;  /* of the pen */
    int width, height;
    uint8_t *coverage; /* [height][width] */
} FontGlyph;

typedef struct Font {
    int ascent, descent; /* above and below the baseline, both positive */
    FontGlyph *glyphs;   /* in the order of asking */
    size_t count;
} Font;

enum { FONT_MAX_SIZE = 1024 }; /* pixels an em */

/* Errors: DIAG_DATA when the file is no font with outlines; DIAG_RESOURCE without memory. */
bool font_load(Font *out, Bytes file, int pixels_per_em, const uint32_t *codepoints, size_t count,
               Arena *arena, Diag *diag);

#endif
