// SPDX-License-Identifier: MIT
/*
 * video_options.h - what a job says of its video files: the encoder, metadata, chapters, the cover
 */
#pragma once

#include "film/film.h"

/* Sets tags, chapters and the cover, which all outputs share.  film->frames must be known.  False
 * after an error. */
bool film_load_tags(SinkVideoOptions *video, const Film *film, Arena *arena, Diag *diag);

/* Sets the options of the encoder of an output. */
void film_set_encoder(SinkVideoOptions *video, const JobOutput *output, Arena *arena);
