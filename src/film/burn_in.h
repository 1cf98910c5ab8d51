/*
 * burn_in.h - the font and the caption of the text that burn_in writes into every output frame
 *
 * The text itself is expanded in job/burn_in_text.h.
 */
#ifndef FILM_BURN_IN_H
#define FILM_BURN_IN_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/caption.h"
#include "film/film_types.h"

/* Reads the font file that the job names, or with auto that of an installed font, and warns about
 * characters without a glyph.  Does nothing for a job without burn_in. */
bool burn_in_load(Film *film, Arena *arena, Diag *diag);

/* The caption for frames of the film's size; NULL after an error.  The job must have burn_in. */
Caption *burn_in_caption(const Film *film, Arena *arena, Diag *diag);

#endif
