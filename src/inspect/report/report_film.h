// SPDX-License-Identifier: MIT
/*
 * report_film.h - the moving pictures of a report: the film itself, or a short part of it
 *
 * The film is embedded if a browser plays its container, and it is not larger than the limit.
 * Otherwise a few seconds are rendered at a small size: as the first animated preview of the job,
 * or from the middle of the film.
 */
#pragma once

#include "base/file.h"
#include "film/film_types.h"
#include "run/progress.h"

typedef enum FilmState {
    FILM_MISSING, /* there is no file, or the outputs are no videos */
    FILM_OTHER,   /* a file that the checkpoint directory does not confirm: of an earlier version */
    FILM_CURRENT  /* complete, and of this job */
} FilmState;

typedef struct ReportFilm {
    const char *file; /* the first output that a browser could play; NULL: none */
    FilmState state;
    uint64_t bytes;        /* size of the file; 0 if there is none */
    const char *type;      /* type of the embedded file: "video/mp4", "image/webp"; NULL: nothing */
    Bytes contents;        /* the embedded file */
    bool is_part;          /* an animation, not the film */
    int width, height;     /* pixels of the embedded film */
    double start_s, end_s; /* the part of the film, if is_part */
} ReportFilm;

/* Finds the film and loads it if it has at most `limit` bytes.  current: the checkpoint confirms
 * that the outputs are complete. */
bool report_film_load(ReportFilm *out, const Film *film, bool current, uint64_t limit, Arena *arena,
                      Diag *diag);

/* Renders a part of the film; the frames are those of `film`. */
bool report_film_render_part(ReportFilm *out, const Film *film, Progress *progress,
                             const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);
