// SPDX-License-Identifier: MIT
/*
 * warm_film.h - a film that stays loaded, with its OpenGL context, for the jobs that follow
 *
 * The process that opened it draws no job: it forks processes, each of which changes its copy for
 * one job after another by warm_film_change and render_job_warm.  A frame does not depend on those
 * drawn before; what is kept of them are evaluated frames (state_cache.h).
 */
#pragma once

#include "film/film.h"
#include "run/pipeline/frame_drawer.h"
#include "run/progress.h"

typedef struct WarmFilm {
    Film film;
    FrameDrawer *drawer;
    const struct WarmKey *keys; /* [key_count] of its job */
    size_t key_count;
    FilmView changed; /* what any job has changed */
    Arena *arena;
} WarmFilm;

/* Loads the film of a job, which must live as long, and opens its OpenGL context in this process;
 * *kept: whether jobs can follow.  If not (several scenes, threads of a driver, ...), it is not
 * open, and only render_job draws it.  False after an error. */
bool warm_film_open(WarmFilm *warm, bool *kept, const Job *job, Progress *progress,
                    const volatile sig_atomic_t *stop, Arena *arena, Diag *diag);

/* Whether jobs whose values of a key differ can have the same film. */
bool warm_film_is_free(const char *key);

/* Whether its job is a still, which the process that has the film draws. */
bool warm_film_is_still(const WarmFilm *warm);

/* Whether the film can become that of a job: its keys differ in frames, outputs, limits, camera and
 * light only, and no input has changed.  *view: of the last two. */
bool warm_film_fits(FilmView *view, const WarmFilm *warm, const Job *job,
                    const volatile sig_atomic_t *stop);

/* Makes it that of a job that fits; job and arena must live until it is changed again.  *kept: as
 * of warm_film_open; if not, because its outputs have passes, it must not be drawn.  False after an
 * error. */
bool warm_film_change(WarmFilm *warm, bool *kept, const Job *job, FilmView view, Arena *arena,
                      Diag *diag);
