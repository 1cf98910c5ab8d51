// SPDX-License-Identifier: MIT
/*
 * credits.h - who made the parts of a film: found in its files, and shown at its end
 *
 * `auto` among the lines of a job's credits stands for what models, motions and sounds say: names,
 * and the lines of comments that name an author or a term of use.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "picture/credit_roll.h"

/* Sets film->credits, and the font if they are shown.  The scene must be loaded. */
bool credits_load(Film *film, Arena *arena, Diag *diag);

/* The lines between line breaks. */
const char *credits_text(const Film *film, Arena *arena);

/* For frames of the film's size; *roll is NULL if they are not shown.  False after an error. */
bool credits_open(CreditRoll **roll, const Film *film, Arena *arena, Diag *diag);

/* How much of the credits a frame shows, 0..256: they fade in. */
int credits_visibility(const Film *film, int64_t frame);

/* Draws them over the last seconds of a film, which they darken. */
void credits_draw(Image *image, CreditRoll *roll, const Film *film, int64_t frame);
