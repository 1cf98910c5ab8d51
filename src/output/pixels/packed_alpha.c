// SPDX-License-Identifier: MIT
#include "output/pixels/packed_alpha.h"

#include <string.h>

#include "output/pixels/alpha_bleed.h"

struct PackedAlpha {
    AlphaBleed *bleed;
    uint8_t (*pixels)[4]; /* [height][2 * width] */
};

PackedAlpha *packed_alpha_create(int width, int height, Arena *arena)
{
    PackedAlpha *packed = arena_array(arena, PackedAlpha, 1);
    packed->bleed = alpha_bleed_create(width, height, arena);
    packed->pixels = arena_calloc(arena, 2 * (size_t)width * (size_t)height, 4);
    return packed;
}

Image packed_alpha_image(PackedAlpha *packed, const Image *image)
{
    const size_t width = (size_t)image->width;
    const uint8_t *colors = alpha_bleed_fill(packed->bleed, image);
    for (size_t y = 0; y < (size_t)image->height; y++) {
        uint8_t(*row)[4] = packed->pixels + 2 * width * y;
        memcpy(row, colors + 4 * width * y, 4 * width);
        for (size_t x = 0; x < width; x++) {
            const uint8_t alpha = row[x][3];
            const uint8_t grey[4] = {alpha, alpha, alpha, 255};
            memcpy(row[width + x], grey, 4);
            row[x][3] = 255;
        }
    }
    return (Image){
        .width = 2 * image->width, .height = image->height, .pixels = (uint8_t *)packed->pixels};
}
