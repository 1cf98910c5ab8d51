// SPDX-License-Identifier: MIT
/*
 * film_sound.h - the sound of a film: one sound, or several that are mixed, at a loudness
 */
#pragma once

#include "film/film_types.h"
#include "job/job.h"
#include "output/sink.h"

/* The sound of all ranges of frames, one after another; no samples if the job has none.  The sounds
 * of a scene begin with it. */
bool film_load_sound(SinkSound *out, const Film *film, Arena *arena, Diag *diag);
