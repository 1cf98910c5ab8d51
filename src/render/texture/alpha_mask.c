// SPDX-License-Identifier: MIT
#include "render/texture/alpha_mask.h"

enum { WORD = 32, HALF_OPAQUE = 128 };

unsigned alpha_level_kinds(const AlphaLevel *level, int left, int top, int right, int bottom)
{
    unsigned kinds = 0;

    for (int y = top / ALPHA_BLOCK; y <= bottom / ALPHA_BLOCK; y++)
        for (int x = left / ALPHA_BLOCK; x <= right / ALPHA_BLOCK; x++) {
            kinds |= level->blocks[(size_t)y * level->block_stride + (size_t)x];
            if (kinds == (ALPHA_CLEAR | ALPHA_OPAQUE))
                return kinds;
        }
    return kinds;
}

void alpha_mask_add(AlphaMask *mask, const Image *level, Arena *arena)
{
    const size_t width = (size_t)level->width, height = (size_t)level->height;
    const size_t stride = (width + WORD - 1) / WORD;

    if (mask->level_count == ALPHA_MASK_LEVELS)
        return;
    const size_t columns = (width + ALPHA_BLOCK - 1) / ALPHA_BLOCK;
    const size_t rows = (height + ALPHA_BLOCK - 1) / ALPHA_BLOCK;
    uint32_t *bits = arena_calloc(arena, stride * height, sizeof *bits);
    uint8_t *blocks = arena_calloc(arena, columns * rows, sizeof *blocks);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            const bool opaque = level->pixels[4 * (y * width + x) + 3] >= HALF_OPAQUE;

            bits[y * stride + x / WORD] |= (uint32_t)opaque << x % WORD;
            blocks[y / ALPHA_BLOCK * columns + x / ALPHA_BLOCK] |=
                opaque ? ALPHA_OPAQUE : ALPHA_CLEAR;
        }
    mask->levels[mask->level_count++] =
        (AlphaLevel){level->width, level->height, stride, bits, columns, blocks};
}
