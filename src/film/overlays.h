// SPDX-License-Identifier: MIT
/*
 * overlays.h - titles and pictures that are drawn over the frames of a film
 *
 * Those of a scene are drawn on its image and take part in its transitions, those of the job on the
 * frame.  The main process checks every file; a worker prepares an overlay when its first frame is
 * drawn, and forgets it after its last one.
 */
#pragma once

#include "base/arena.h"
#include "base/diag.h"
#include "base/image.h"
#include "film/film_types.h"
#include "job/job.h"
#include "typesetting/font.h"

#define OVERLAY_OF_FILM SIZE_MAX

typedef struct FilmOverlay {
    const char *key;               /* "titles.0", "scenes.1.pictures.0" */
    size_t scene;                  /* whose overlay it is; OVERLAY_OF_FILM */
    const TitleOptions *title;     /* or NULL */
    const PictureOptions *picture; /* or NULL */
    FrameRanges frames;            /* frames of the film */
    int64_t fade;                  /* frames */
    FontSources fonts;             /* of a title */
} FilmOverlay;

/* Sets film->overlays; those that are drawn later come later.  The scenes are placed. */
bool overlays_load(Film *film, Arena *arena, Diag *diag);

/* Of an overlay in a frame, 0..1; 0: it is not shown. */
double overlay_opacity(const FilmOverlay *overlay, int64_t frame);

/* Upper bound of the memory that they need in a worker, bytes. */
uint64_t overlays_bytes(const Film *film);

typedef struct Overlays Overlays;

/* In the arena; for frames of the film's size, which are drawn in ascending order. */
Overlays *overlays_open(const Film *film, Arena *arena);
void overlays_close(Overlays *overlays); /* NULL is fine */

/* Draws those of a scene, or OVERLAY_OF_FILM.  frame: of the film.  False after an error: a file
 * has changed. */
bool overlays_draw(Image *image, Overlays *overlays, size_t scene, int64_t frame, Diag *diag);
