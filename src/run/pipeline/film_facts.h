// SPDX-License-Identifier: MIT
/*
 * film_facts.h - what a film is made of, for people: the rows of a summary and of a report
 *
 * Length, frames, size, samples; of each scene its models, motions and camera; the sound.  Equal
 * jobs give equal texts.
 */
#pragma once

#include "base/arena.h"
#include "film/film_types.h"

typedef struct FilmFact {
    const char *name, *text; /* "Model", "gene.pmx: 12345 vertices, ..." */
} FilmFact;

typedef ARENA_LIST(FilmFact) FilmFacts;

FilmFacts film_facts(const Film *film, Arena *arena);
