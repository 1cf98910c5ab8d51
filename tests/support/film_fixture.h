// SPDX-License-Identifier: MIT
/*
 * film_fixture.h - a small film in a temporary directory, which is not rendered
 *
 * The directory contains quad.pmx with the texture quad.png, strip.pmx, move.vmd, camera.vmd,
 * song.wav and what a test adds.  PNG and .sha256 outputs have sink kinds for tests, whose files
 * the test writes: a still is any file, a segment is a text with one line per frame.
 */
#ifndef SUPPORT_FILM_FIXTURE_H
#define SUPPORT_FILM_FIXTURE_H

#include "diag_log.h"
#include "film/film.h"
#include "scratch.h"

enum { FILM_FIXTURE_PIECE = 30 }; /* frames per segment */

typedef struct FilmFixture {
    Scratch scratch;
    DiagLog log;
    Arena *arena;
    const char *set; /* a "key=value" as of --set, or NULL */
} FilmFixture;

void film_fixture_make(FilmFixture *fixture);
void film_fixture_remove(FilmFixture *fixture);

/* "directory/name", in the arena. */
const char *film_fixture_path(FilmFixture *fixture, const char *name);
void film_fixture_save(FilmFixture *fixture, const char *name, const char *text);

/* Loads a job from a text; fails the test if that is not possible. */
Film *film_fixture_load(FilmFixture *fixture, const char *job);

#endif
