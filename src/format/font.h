/*
 * font.h - bitmaps of selected characters of a TrueType or OpenType font
 *
 * Rendered by FreeType without hinting, as coverage 0..255 per pixel, so that the bitmaps depend
 * only on the file, the size and the version of FreeType.  Of a collection (.ttc) the first font is
 * used.  There are no ligatures and no kerning.
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
    bool missing; /* the font has no such glyph; the other fields are 0 */
    int left;     /* pixels from the pen to the first column */
    int top;      /* pixels from the baseline up to the first row */
    int advance;  /* pixels to the next pen position */
    int width, height;
    uint8_t *coverage; /* [height][width] */
} FontGlyph;

typedef struct Font {
    int ascent, descent; /* pixels above and below the baseline, both >= 0 */
    FontGlyph *glyphs;   /* in the order of `codepoints` */
    size_t count;
} Font;

enum { FONT_MAX_SIZE = 1024 }; /* pixels per em */

/* Errors: DIAG_DATA if the file is not an outline font, DIAG_RESOURCE if memory runs out. */
bool font_load(Font *out, Bytes file, int pixels_per_em, const uint32_t *codepoints, size_t count,
               Arena *arena, Diag *diag);

#endif
