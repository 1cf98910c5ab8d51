// SPDX-License-Identifier: MIT
/*
 * file_contents.h - what the video files of a film contain besides images and sound: metadata,
 * chapters, the cover, how players show the images
 */
#pragma once

#include "film/film.h"

/* film->frames must be known.  False after an error. */
bool film_load_contents(SinkContents *contents, const Film *film, Arena *arena, Diag *diag);
