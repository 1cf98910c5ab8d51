// SPDX-License-Identifier: MIT
/*
 * film_fonts.h - the fonts of the texts of a film, each file read once
 *
 * They decide pixels: all of them are part of the fingerprint, and `check` names them.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "typesetting/font.h"

/* What a text is drawn in. */
typedef struct FilmFontUse {
    const char *key; /* of the text: "burn_in", "titles.0", "credits", "subtitles" */
    FontSources fonts;
} FilmFontUse;

/*
 * Reads the fonts of a text and adds them to film->fonts.  Warns about characters that none has.
 *
 * key      of the text
 * font     value of the job: NULL for the built-in font, FONT_AUTO, or a file
 * text     all characters that will be drawn; control characters do not count
 * returns  false after an error
 */
bool film_fonts_load(FontSources *out, Film *film, const char *key, const char *font,
                     const char *text, Arena *arena, Diag *diag);

/* The parts of it, for fonts that are read by other means. */
void film_fonts_add(Film *film, const char *key, FontSources fonts, Arena *arena);
bool film_fonts_check(const Film *film, const char *key, const FontSources *fonts, const char *font,
                      const char *text, Arena *arena, Diag *diag);
