/*
 * film_fixture.h - a small film from files of its own, which nobody draws
 *
 * In the folder: quad.pmx with the texture quad.png, strip.pmx, move.vmd, camera.vmd, song.wav; and
 * what a test adds.  PNG and .sha256 outputs get kinds made for tests, whose files a test writes
 * itself: a still is any file; a piece is a text with a line for each picture.
 */
#ifndef SUPPORT_FILM_FIXTURE_H
#define SUPPORT_FILM_FIXTURE_H

#include "heard.h"
#include "film/film.h"
#include "scratch.h"

enum { FILM_FIXTURE_PIECE = 30 }; /* pictures */

typedef struct FilmFixture {
    Scratch scratch;
    Heard heard;
    Arena *arena;
} FilmFixture;

void film_fixture_make(FilmFixture *fixture);
void film_fixture_remove(FilmFixture *fixture);

/* "folder/name", in the arena. */
const char *film_fixture_path(FilmFixture *fixture, const char *name);
void film_fixture_save(FilmFixture *fixture, const char *name, const char *text);

/* Loads a job of this text; fails the test when it cannot be loaded. */
Film *film_fixture_load(FilmFixture *fixture, const char *job);

#endif
