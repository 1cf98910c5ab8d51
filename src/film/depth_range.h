// SPDX-License-Identifier: MIT
/*
 * depth_range.h - the distances that are white and black in the depth pass of a film
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

/*
 * Sets film->passes.depth: what the job declares, else the range of distances at which the camera
 * sees the models over all frames of the film.  It is found from the keys, without physics, and
 * rounded to whole units, so that every process and shard of the film finds the same.
 *
 * Models count, not stages, unless there are only stages.  False after an error was reported: near
 * is not less than far.
 */
bool depth_range_load(Film *film, Arena *arena, Diag *diag);
