/*
 * look_load.h - the look of a film: the section `look` of its job, with the files that it names
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "render/look/look.h"

/* Sets film->look, except its depth of field. */
bool look_load(Film *film, Arena *arena, Diag *diag);

/* Sets the depth of field of film->look; the scene is loaded. */
bool look_load_focus(Film *film, Arena *arena, Diag *diag);
