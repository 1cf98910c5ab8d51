// SPDX-License-Identifier: MIT
/*
 * font.h - text of one line as glyphs, and their bitmaps
 *
 * A font has one or more faces in order of preference; each part of a text is in the first face
 * that has its characters (README.md 1).  A face is a TrueType or OpenType file with outlines or
 * color bitmaps, rendered by FreeType without hinting, or the built-in bitmap font
 * (base/bitmap_font.h), whose em is 10 of its pixels.  HarfBuzz shapes the text: kerning,
 * ligatures, marks, the forms of scripts.  Without HarfBuzz at build time every character is one
 * glyph.  Lines run from left to right; there is no bidirectional layout.  The result depends on
 * the bytes of the fonts, the size, the text and the versions of the libraries only.  Without
 * memory the process ends (base/memory.h).  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/file.h"

enum {
    FONT_MAX_SIZE = 1024,     /* pixels */
    FONT_BUILT_IN_EM = 10,    /* pixels per em of the built-in font, times its scale */
    FONT_UNITS_PER_PIXEL = 64 /* scale of positions */
};

/* A font file; path NULL: the built-in font. */
typedef struct FontSource {
    const char *path;   /* of a font that a script contains: its name there */
    const char *family; /* the first name of an installed font, else NULL */
    Bytes bytes;
    long face;   /* index of the font in a collection (.ttc), as FreeType and fontconfig count */
    bool colors; /* its glyphs have colors, as far as the catalog knows */
} FontSource;

/* Fonts in order of preference; none: the built-in font. */
typedef ARENA_LIST(FontSource) FontSources;

typedef enum FontUnit {
    FONT_PER_EM,
    FONT_PER_LINE, /* the size of each face is its line height, as libass has it */
} FontUnit;

typedef struct FontSpec {
    FontSources sources;
    int size; /* pixels, 1..FONT_MAX_SIZE; of the built-in font the nearest smaller scale */
    int outline_width; /* pixels, 0: none */
    FontUnit unit;     /* of the size */
} FontSpec;

typedef struct FontGlyph {
    int left;          /* pixels from the pen to the first column */
    int top;           /* pixels from the baseline up to the first row */
    int width, height; /* 0 without ink */
    uint8_t *coverage; /* [height][width], 0..255 */
    uint8_t *outline;  /* [height + 2 outline_width][width + 2 outline_width] */
    uint8_t *colors; /* [height][width][4], the first three are the color; NULL: that of the text */
} FontGlyph;

/* A glyph at a position, in units of 1 / FONT_UNITS_PER_PIXEL pixel, from the start of the line. */
typedef struct PlacedGlyph {
    size_t face;        /* index in the sources */
    uint32_t glyph;     /* index in that font */
    uint32_t character; /* the first one that the glyph stands for */
    bool missing;       /* no font has it: the glyph is a box */
    int x, y;           /* y is upwards from the baseline */
} PlacedGlyph;

typedef struct ShapedText {
    PlacedGlyph *items;
    size_t count, capacity;
    int advance; /* width of the whole line */
} ShapedText;

typedef struct Font Font;

/* The font keeps references to the sources.  NULL after an error, reported for the path of the
 * source: DIAG_DATA if the file is not such a font. */
Font *font_open(const FontSpec *spec, Diag *diag);
void font_close(Font *font); /* NULL is fine */

/* Pixels above and below the baseline, both >= 0: the largest of all faces. */
int font_ascent(const Font *font);
int font_descent(const Font *font);
int font_outline_width(const Font *font);

/* The name of the family of the first face, as the file has it; NULL if it has none. */
const char *font_family(const Font *font, Arena *arena);

/* Bytes that are not UTF-8 are U+FFFD. */
void font_shape(ShapedText *out, Font *font, const char *text, Arena *arena);

/* Whether a face has a character. */
bool font_has(const Font *font, uint32_t character);

/* Number of different characters of the text, besides control characters, that are drawn as boxes;
 * *first is set to the first. */
size_t font_missing(Font *font, const char *text, uint32_t *first);

/* The bitmap of a glyph, valid until font_close. */
const FontGlyph *font_glyph(Font *font, const PlacedGlyph *placed);

/* The versions of HarfBuzz (NULL if it was not there at build time) and of FreeType. */
const char *font_shaping_version(void);
void font_freetype_version(char *out, size_t size);
