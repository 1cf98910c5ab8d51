/*
 * corpus.h - small files of each format, made by our own writers
 *
 * They are where the fuzzers start from, and what every test run cuts and flips.
 */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "base/file.h"

typedef struct Corpus {
    Bytes *items;
    size_t count, room;
} Corpus;

/* format: "vmd", "picture", as in fuzz_<format>.c; an unknown one has no files. */
Corpus corpus_make(const char *format, Arena *arena);

#endif
