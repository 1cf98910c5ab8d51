// SPDX-License-Identifier: MIT
/*
 * look_load.h - the look of a scene: the section `look` of its job, with the files that it names
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "render/look/look.h"

/* Sets scene->look, except its depth of field. */
bool look_load(FilmScene *scene, Arena *arena, Diag *diag);

/* Sets the depth of field of scene->look; the scene is loaded. */
bool look_load_focus(FilmScene *scene, Arena *arena, Diag *diag);
