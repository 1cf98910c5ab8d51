// SPDX-License-Identifier: MIT
/*
 * coverage.h - which samples of a surface any of many triangles covers: scan conversion to one bit
 * a sample
 *
 * A sample (column i, row j) is covered by a triangle that contains (i + 0.5, j + 0.5).  Points on
 * an edge belong to one side of it, so neighbouring triangles leave no gap and overlaps do not
 * matter.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"

/* Zero-initialise.  Bit i of word w of a row is column 32 w + i. */
typedef struct Coverage {
    int width, height; /* samples */
    size_t words;      /* words in a row */
    uint32_t *bits;    /* [height][words] */
    int top, bottom;   /* rows with bits: [top, bottom) */
    size_t capacity;
} Coverage;

/* A point on the surface: samples from the left and the top. */
typedef struct CoveragePoint {
    float x, y;
} CoveragePoint;

/* Removes all bits.  Memory is taken from the arena and kept. */
void coverage_begin(Coverage *coverage, int width, int height, Arena *arena);

/* Sets the samples of a triangle with corners in any order, which may reach outside. */
void coverage_add(Coverage *coverage, CoveragePoint a, CoveragePoint b, CoveragePoint c);

/* The words [*left, *right) that contain all bits of the rows [top, bottom); empty: left == right.
 */
void coverage_extent(size_t *left, size_t *right, const Coverage *coverage, int top, int bottom);
