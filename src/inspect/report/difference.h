// SPDX-License-Identifier: MIT
/*
 * difference.h - before and after: a film compared with another one, with its worst frames
 */
#pragma once

#include "inspect/comparison/film_comparison.h"
#include "inspect/report/html.h"

enum {
    DIFFERENCE_WORST = 3,
    DIFFERENCE_MAP_END = 64 /* the difference (0..255) at which the colors of a map end */
};

typedef struct DifferencePoint {
    double number, psnr, ssim;
} DifferencePoint;

typedef struct WorstPair {
    int64_t number;
    double psnr, ssim;
    HtmlImage before, after, heat;
} WorstPair;

typedef struct Difference {
    const char *before, *after; /* names of the two sides, for people */
    FilmComparison film;
    ARENA_LIST(DifferencePoint) points;
    WorstPair worst[DIFFERENCE_WORST]; /* the lowest PSNR first */
    size_t worst_count;
    int64_t spacing; /* minimum distance of two worst frames, in frames */
    Arena *arena;
} Difference;

/* *out must not move: the comparison refers to it. */
void difference_init(Difference *out, int64_t spacing, Arena *arena);

/* Adds a pair. */
bool difference_add(Difference *difference, const Image *before, const Image *after, int64_t number,
                    Arena *scratch, Diag *diag);

/* Adds all pairs of two films (inspect/comparison/frame_source.h). */
bool difference_add_films(Difference *difference, const char *before, const char *after,
                          const volatile sig_atomic_t *stop, Diag *diag);

/*
 * The difference of two images of the same size as colors: the largest difference of the channels
 * of a pixel, from black (equal) over purple and orange to light yellow (DIFFERENCE_MAP_END and
 * above).  A pixel of a smaller map has the largest difference of the pixels that it covers, so
 * that single pixels stay visible.
 *
 * width   at most that of the images; the height is in proportion
 */
Image difference_map(const Image *a, const Image *b, int width, Arena *arena);
