// SPDX-License-Identifier: MIT
/*
 * film_types.h - what other modules name of a film; film.h has its contents
 */
#pragma once

#include <stdint.h>

typedef struct Film Film;
typedef struct FilmOutput FilmOutput;
typedef struct FilmScene FilmScene;
typedef struct Job Job;
typedef struct FrameRanges FrameRanges;
typedef struct FrameRange FrameRange;
typedef struct Scene Scene;

/* A shard of a film: `index` (from 1) of `count`; {1, 1} is the whole film, {0, 0} no part of it.
 */
typedef struct FilmShard {
    int index, count;
} FilmShard;

/* A half-open range of frame indices or of segments: first, ..., end - 1. */
typedef struct FilmSpan {
    int64_t first, end;
} FilmSpan;
