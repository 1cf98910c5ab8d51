// SPDX-License-Identifier: MIT
/*
 * font.h - text of one line as glyphs, and their bitmaps
 *
 * A font is a TrueType or OpenType file with outlines, rendered by FreeType without hinting, or the
 * built-in bitmap font (base/bitmap_font.h), whose em is 10 of its pixels.  HarfBuzz shapes the
 * text: kerning, ligatures, marks, the forms of scripts.  Without HarfBuzz at build time every
 * character is one glyph.  Lines run from left to right; there is no bidirectional layout.  The
 * result depends on the font's bytes, the size, the text and the versions of the libraries only.
 * Without memory the process ends (base/memory.h).  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum {
    FONT_MAX_SIZE = 1024,     /* pixels per em */
    FONT_BUILT_IN_EM = 10,    /* pixels per em of the built-in font, times its scale */
    FONT_UNITS_PER_PIXEL = 64 /* scale of positions */
};

/* Contents of a font file; data NULL: the built-in font. */
typedef struct FontSource {
    Bytes bytes;
    long face; /* index of the font in a collection (.ttc), as FreeType and fontconfig count */
} FontSource;

typedef struct FontSpec {
    FontSource source;
    int pixels_per_em; /* 1..FONT_MAX_SIZE; of the built-in font the nearest smaller scale */
    int outline_width; /* pixels, 0: none */
} FontSpec;

typedef struct FontGlyph {
    int left;          /* pixels from the pen to the first column */
    int top;           /* pixels from the baseline up to the first row */
    int width, height; /* 0 without ink */
    uint8_t *coverage; /* [height][width], 0..255 */
    uint8_t *outline;  /* [height + 2 outline_width][width + 2 outline_width] */
} FontGlyph;

/* A glyph at a position, in units of 1 / FONT_UNITS_PER_PIXEL pixel, from the start of the line. */
typedef struct PlacedGlyph {
    uint32_t glyph;     /* index for font_glyph */
    uint32_t character; /* the first one that the glyph stands for */
    bool missing;       /* the font does not have it: the glyph is a box */
    int x, y;           /* y is upwards from the baseline */
} PlacedGlyph;

typedef struct ShapedText {
    PlacedGlyph *items;
    size_t count, capacity;
    int advance; /* width of the whole line */
} ShapedText;

typedef struct Font Font;

/* The font keeps a reference to the bytes.  NULL after an error: DIAG_DATA if the file is not an
 * outline font. */
Font *font_open(const FontSpec *spec, Diag *diag);
void font_close(Font *font); /* NULL is fine */

/* Pixels above and below the baseline, both >= 0. */
int font_ascent(const Font *font);
int font_descent(const Font *font);
int font_outline_width(const Font *font);

/* The name of the family, as the file has it; NULL if it has none. */
const char *font_family(const Font *font, Arena *arena);

/* Bytes that are not UTF-8 are U+FFFD. */
void font_shape(ShapedText *out, Font *font, const char *text, Arena *arena);

/* Number of different characters of the text that are drawn as boxes; *first is set to the first.
 */
size_t font_missing(Font *font, const char *text, uint32_t *first);

/* The bitmap of a glyph, valid until font_close. */
const FontGlyph *font_glyph(Font *font, uint32_t glyph);

/* The versions of HarfBuzz (NULL if it was not there at build time) and of FreeType. */
const char *font_shaping_version(void);
void font_freetype_version(char *out, size_t size);
