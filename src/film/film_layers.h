// SPDX-License-Identifier: MIT
/*
 * film_layers.h - the layers of an output with several of them (.exr, .tar): passes, channels,
 * names
 */
#pragma once

#include "film/film.h"

/* Sets `pass`, `layers` and the layers of the options of an output whose kind is known; checks that
 * the kind can contain its passes.  False after an error was reported. */
bool film_layers_load(FilmOutput *out, const Film *film, size_t index, Arena *arena, Diag *diag);

/* As for RenderOptions: samples of a pixel in each direction, for mattes. */
int film_label_scale(const RenderOptions *render);

/* The labels that scenes before one have, with an index of scene_count those of all. */
struct PassLabels film_labels_before(const Film *film, size_t scene);
