// SPDX-License-Identifier: MIT
/*
 * text_fonts.h - the fonts of a text, their files read
 *
 * Installed fonts that together have the characters of the text, and after them the built-in one if
 * it has more.  So what is drawn in them depends on the machine.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "typesetting/font.h"

/* Advice on finding a font with all characters, for the end of a message; starts with "; ". */
const char *text_fonts_advice(void);

/* "VL Gothic, DejaVu Sans"; of a file that is not from the catalog its name. */
const char *text_fonts_names(const FontSources *fonts, Arena *arena);

/*
 * The fonts for a text.  Fonts that cannot be read are skipped; none: the built-in font.
 *
 * read   files that were read earlier, whose bytes are shared; NULL: none
 * text   UTF-8; "" if it is not known
 */
FontSources text_fonts_find(const FontSources *read, const char *text, Arena *arena);

/* A file; false after an error. */
bool text_fonts_load(FontSources *out, const FontSources *read, const char *file, Arena *arena,
                     Diag *diag);

/*
 * The fonts of labels in contact sheets, charts and pictures of models.  Warns about characters
 * that no font has, which are drawn as boxes.
 *
 * text     UTF-8, all characters that will be drawn; control characters as text_escape shows them
 * returns  false if the warning is an error by --strict
 */
bool text_fonts_find_for_labels(FontSources *out, const char *text, Arena *arena, Diag *diag);
