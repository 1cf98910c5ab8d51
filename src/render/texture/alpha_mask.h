// SPDX-License-Identifier: MIT
/*
 * alpha_mask.h - which texels of an image are at least half opaque, in each mip level
 *
 * For what the CPU draws with cut-out textures.  One bit for each texel, so a mask takes a
 * thirty-second of the image.  It is allocated in an arena.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

enum { ALPHA_MASK_LEVELS = 15 }; /* number of levels of an image with the side IMAGE_MAX_SIDE */

typedef struct AlphaLevel {
    int width, height;
    size_t stride;  /* words of a row */
    uint32_t *bits; /* bit i of word w of a row: column 32 w + i */
    size_t block_stride;
    uint8_t *blocks; /* AlphaKinds of each 8 x 8 texels */
} AlphaLevel;

enum AlphaKinds { ALPHA_CLEAR = 1, ALPHA_OPAQUE = 2 }; /* bits */
enum { ALPHA_BLOCK = 8 };

/* Zero-initialise. */
typedef struct AlphaMask {
    AlphaLevel levels[ALPHA_MASK_LEVELS];
    int level_count;
    uint8_t wrap[2]; /* PmxWrap along u and v */
} AlphaMask;

/* Adds the next level, of half the size; ignored if there are ALPHA_MASK_LEVELS. */
void alpha_mask_add(AlphaMask *mask, const Image *level, Arena *arena);

/* Which kinds of texels columns left to right of the rows top to bottom may have: at least those
 * that they have.  All are inside of the level. */
unsigned alpha_level_kinds(const AlphaLevel *level, int left, int top, int right, int bottom);

/* x, y   inside of the level */
static inline bool alpha_level_at(const AlphaLevel *level, int x, int y)
{
    return level->bits[(size_t)y * level->stride + (size_t)x / 32] >> (unsigned)x % 32 & 1;
}
