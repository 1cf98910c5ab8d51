/*
 * look_load.h - the look of a film: the section `look` of its job, with the files that it names
 */
#ifndef FILM_LOOK_LOAD_H
#define FILM_LOOK_LOAD_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/diag.h"
#include "film/film_types.h"
#include "render/look/diffusion.h"
#include "render/look/glow.h"
#include "render/look/grade.h"
#include "render/look/ssao.h"

/* Depth of field. */
typedef struct FocusOptions {
    float aperture; /* diameter of the lens, MMD units; 0: everything is sharp */
    float distance; /* 0: that of the bone */
    uint32_t model; /* index in the scene */
    int32_t bone;   /* -1: the target of the camera is in focus */
} FocusOptions;

/* The section `look` of the job, with its files loaded. */
typedef struct FilmLook {
    FocusOptions focus;
    bool has_ssao;
    SsaoOptions ssao;
    bool has_glow;
    GlowOptions glow;
    bool has_diffusion;
    DiffusionOptions diffusion;
    bool has_grade;
    GradeOptions grade;
} FilmLook;

/* Sets film->look, except its focus. */
bool look_load(Film *film, Arena *arena, Diag *diag);

/* Sets the focus of film->look; the scene is loaded. */
bool look_load_focus(Film *film, Arena *arena, Diag *diag);

#endif
