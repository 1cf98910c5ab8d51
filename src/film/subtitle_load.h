// SPDX-License-Identifier: MIT
/*
 * subtitle_load.h - the subtitles of a film: the section `subtitles` of its job, and their fonts
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

/* Sets film->subtitles, whose script is NULL for a job without subtitles.  Warns about fonts that
 * are not installed, characters that no font has, and lines after the end of the film. */
bool subtitle_load(Film *film, Arena *arena, Diag *diag);

/* The time of the subtitles in an output frame, rounded down. */
int64_t subtitle_time_ms(const Film *film, int64_t frame);
