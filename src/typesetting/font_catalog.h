// SPDX-License-Identifier: MIT
/*
 * font_catalog.h - the fonts that are installed, by fontconfig
 *
 * Which font is found depends on the machine: what is drawn with it is covered by the digest of its
 * file.  Without fontconfig at build time nothing is found.  Not thread-safe.
 */
#pragma once

#include "base/arena.h"
#include "typesetting/font.h"

/* The version of fontconfig; NULL if it was not there at build time. */
const char *font_catalog_version(void);

/* Reads the configuration and the lists of fonts, before this process gives up files. */
void font_catalog_prepare(void);

/* The directories with fonts, in the arena; NULL after the last. */
const char **font_catalog_directories(Arena *arena);

enum { FONT_CATALOG_MAX = 16 }; /* fonts for a text */

/*
 * Appends the fonts for a text, without their bytes: one that has all its characters, a sans-serif
 * for Japanese if possible.  Where none has all, the first that has some (or none, if there is no
 * other), then for each part of the text that is still missing the one that has its longest
 * beginning.  Fonts with colors are only for characters that no font with outlines has.
 * Returns false if no font has some of its characters.
 */
bool font_catalog_choose(FontSources *out, const char *text, Arena *arena);

/* The font with outlines of a family, without its bytes; false if there is none. */
bool font_catalog_find(FontSource *out, const char *family, Arena *arena);
