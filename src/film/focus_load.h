// SPDX-License-Identifier: MIT
/*
 * focus_load.h - what is in focus: the bones that a look with depth of field names
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"

/* Sets the depth of field of scene->look; the scene is loaded. */
bool focus_load(FilmScene *scene, Arena *arena, Diag *diag);
