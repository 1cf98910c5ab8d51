// SPDX-License-Identifier: MIT
/*
 * subtitle_fonts.h - fonts of subtitles: those attached to a script, and how large their glyphs are
 *
 * libass scales a font so that its line height, not its em, is the size of the text: by the
 * ascent and descent of Windows (OS/2), else of the font.  A font of a stranger can name a line
 * height of 1/1000 em, or have glyphs of any size, for bitmaps of gigabytes.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "typesetting/font.h"

/* Appends the fonts that a script contains, decoded as libass does. */
void subtitle_fonts_add_attached(FontSources *out, const char *script, Arena *arena);

/*
 * Checks all fonts of a file.  *growth is raised to the product of width and height of their
 * largest glyphs, each in units of SUBTITLE_GLYPH_LINES line heights, at least 1; a width contains
 * the distance from the pen and the advance.  A file that is no outline font, with a line height
 * below 1/4 em, or with more than 64 fonts is an error (DIAG_DATA).
 */
enum { SUBTITLE_GLYPH_LINES = 2 };
bool subtitle_fonts_measure(double *growth, Bytes file, Diag *diag);
