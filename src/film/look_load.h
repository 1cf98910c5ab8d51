/*
 * look_load.h - the look of a film: the section `look` of its job, with the files that it names
 */
#ifndef FILM_LOOK_LOAD_H
#define FILM_LOOK_LOAD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film.h"

/* Sets film->look, except its focus. */
bool look_load(Film *film, Arena *arena, Diag *diag);

/* Sets film->look.focus; the scene is loaded. */
bool look_load_focus(Film *film, Arena *arena, Diag *diag);

#endif
