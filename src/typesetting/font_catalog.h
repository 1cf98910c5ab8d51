// SPDX-License-Identifier: MIT
/*
 * font_catalog.h - the fonts that are installed, by fontconfig
 *
 * Which font is found depends on the machine: what is drawn with it is covered by the digest of its
 * file.  Without fontconfig at build time nothing is found.  Not thread-safe.
 */
#pragma once

#include <stdbool.h>

#include "base/arena.h"

typedef struct FontFile {
    const char *path;
    long face;          /* index in a collection, as in FontSource */
    const char *family; /* its first name */
    bool same_family;   /* as was asked for */
    bool complete;      /* has all characters of the text */
} FontFile;

/* The version of fontconfig; NULL if it was not there at build time. */
const char *font_catalog_version(void);

/* Reads the configuration and the lists of fonts, before this process gives up files. */
void font_catalog_prepare(void);

/* The directories with fonts, in the arena; NULL after the last. */
const char **font_catalog_directories(Arena *arena);

/*
 * The best font with outlines for a text: of the family, if it is installed, else one that has all
 * characters of the text, a sans-serif for Japanese if possible.
 *
 * family   NULL: any
 * text     UTF-8; "" if it is not known
 * returns  false if there is none
 */
bool font_catalog_find(FontFile *out, const char *family, const char *text, Arena *arena);
