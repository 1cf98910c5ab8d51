// SPDX-License-Identifier: MIT
/*
 * burn_in.h - the text that burn_in writes into every output frame: its font and where it is drawn
 *
 * White glyphs with a black outline, in a corner.  The size follows the image height and is
 * reduced, where possible, until the longest text fits the width; a text that is still too wide is
 * clipped at the right.  Uses the built-in bitmap font, a font file or installed fonts
 * (film_fonts.h).  A character without a glyph is drawn as a box.  The text is expanded in
 * job/burn_in_text.h.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "job/job.h"
#include "typesetting/font.h"

/* Reads the fonts, and warns about characters without a glyph.  Does nothing for a job without
 * burn_in. */
bool burn_in_load(Film *film, Arena *arena, Diag *diag);

typedef struct BurnIn BurnIn;

/* For frames of the film's size; NULL after an error.  The job must have burn_in. */
BurnIn *burn_in_open(const Film *film, Arena *arena, Diag *diag);
void burn_in_draw(Image *image, const BurnIn *burn_in, const Film *film, int64_t frame);

typedef struct BurnInSpec {
    FontSources fonts;
    CaptionCorner corner;
    const char *longest; /* the longest expected text; it must contain every character used, except
                            digits */
    int width, height;   /* size of the images, pixels */
} BurnInSpec;

/* Returns NULL after an error: a font cannot be loaded (typesetting/font.h). */
BurnIn *burn_in_create(const BurnInSpec *spec, Arena *arena, Diag *diag);
void burn_in_destroy(BurnIn *burn_in); /* NULL is fine */
void burn_in_draw_text(Image *image, const BurnIn *burn_in, const char *text);
