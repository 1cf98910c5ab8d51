// SPDX-License-Identifier: MIT
/*
 * corpus.h - small valid files of each format, generated in memory
 *
 * They are the seeds of the fuzzers; each test run also truncates and modifies them (damage.c).
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "base/file.h"

typedef struct Corpus {
    Bytes *items;
    size_t count, capacity;
} Corpus;

/* format: as in fuzz_<format>.c, e.g. "vmd"; an unknown format has no files. */
Corpus corpus_make(const char *format, Arena *arena);

/* ---- parts ---- */

void corpus_add(Corpus *corpus, Bytes bytes, Arena *arena); /* a copy */
void corpus_make_evaluate(Corpus *corpus, Arena *arena);    /* corpus_scene.c */

#endif
