/*
 * burn_in.h - the text that burn_in writes into every picture
 *
 * {name} is the job's name, {frame} the output frame's number, {time} its moment in the film as
 * m:ss.mmm, rounded to the nearest thousandth; {{ and }} are braces.
 */
#ifndef FILM_BURN_IN_H
#define FILM_BURN_IN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"
#include "render/caption.h"

enum { BURN_IN_TEXT_SIZE = 1024 }; /* a longer text is cut */

/* The first {word} that is none of ours into `word`, cut to `size`, with what there is of its
 * braces. */
bool burn_in_is_known(const char *text, char *word, size_t size);

/* The text of an output frame, whole characters. */
void burn_in_text(char out[BURN_IN_TEXT_SIZE], const Job *job, int64_t frame);

/* Reads the font, if the job names one, and tells what cannot be written with it. */
bool burn_in_load(Film *film, Arena *arena, Diag *diag);

/* What writes it into pictures of the film's size; NULL after an error.  Only for jobs with
 * burn_in. */
Caption *burn_in_caption(const Film *film, Arena *arena, Diag *diag);

#endif
