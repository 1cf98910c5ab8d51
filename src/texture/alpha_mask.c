#include "texture/alpha_mask.h"

enum { WORD = 32, HALF_OPAQUE = 128 };

void alpha_mask_add(AlphaMask *mask, const Image *level, Arena *arena)
{
    const size_t width = (size_t)level->width, height = (size_t)level->height;
    const size_t stride = (width + WORD - 1) / WORD;

    if (mask->level_count == ALPHA_MASK_LEVELS)
        return;
    uint32_t *bits = arena_calloc(arena, stride * height, sizeof *bits);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            if (level->pixels[4 * (y * width + x) + 3] >= HALF_OPAQUE)
                bits[y * stride + x / WORD] |= 1u << x % WORD;
    mask->levels[mask->level_count++] = (AlphaLevel){level->width, level->height, stride, bits};
}
