// SPDX-License-Identifier: MIT
/*
 * label_font.h - the font of labels in contact sheets, charts and pictures of models
 *
 * An installed font that has the characters of the text; where there is none, the built-in one.  So
 * these pictures depend on the machine, unlike the frames of a film.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "typesetting/font.h"

/* Advice on finding a font with all characters, for the end of a message; starts with "; ". */
const char *label_font_advice(void);

/*
 * Reads the font into the arena.  Warns about characters that it lacks, which are drawn as boxes.
 *
 * text     UTF-8, all characters that will be drawn; control characters as text_escape shows them
 * returns  false if the warning is an error by --strict
 */
bool label_font_load(FontSource *out, const char *text, Arena *arena, Diag *diag);
