// SPDX-License-Identifier: MIT
/*
 * burn_in.h - the text that burn_in writes into every output frame
 *
 * Uses the built-in bitmap font, a font file or installed fonts (film_fonts.h).  The text is
 * expanded in job/burn_in_text.h and drawn by picture/caption.h.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "picture/caption.h"

/* Reads the fonts, and warns about characters without a glyph.  Does nothing for a job without
 * burn_in. */
bool burn_in_load(Film *film, Arena *arena, Diag *diag);

/* For frames of the film's size; NULL after an error.  The job must have burn_in. */
Caption *burn_in_open(const Film *film, Arena *arena, Diag *diag);
void burn_in_draw(Image *image, const Caption *caption, const Film *film, int64_t frame);
