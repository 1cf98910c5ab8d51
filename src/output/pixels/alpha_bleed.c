// SPDX-License-Identifier: MIT
#include "output/pixels/alpha_bleed.h"

#include <assert.h>
#include <string.h>

enum { MAX_LEVELS = 16 }; /* IMAGE_MAX_SIDE halved down to 1 */

typedef struct Level {
    int width, height;
    uint8_t *pixels; /* R G B and coverage */
} Level;

struct AlphaBleed {
    int level_count;
    Level levels[MAX_LEVELS]; /* from the full image, each half the size of the previous one */
};

AlphaBleed *alpha_bleed_create(int width, int height, Arena *arena)
{
    AlphaBleed *bleed = arena_array(arena, AlphaBleed, 1);

    assert(width <= IMAGE_MAX_SIDE && height <= IMAGE_MAX_SIDE);
    for (;;) {
        const size_t bytes = 4 * (size_t)width * (size_t)height;

        bleed->levels[bleed->level_count++] =
            (Level){width, height, arena_array(arena, uint8_t, bytes)};
        if (width == 1 && height == 1)
            return bleed;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
}

/* Mean of four pixels of the larger level, weighted by coverage. */
static void average(uint8_t out[4], const Level *from, int x, int y)
{
    unsigned sum[3] = {0, 0, 0}, weight = 0;

    for (int i = 0; i < 4; i++) {
        const int fx = 2 * x + i % 2, fy = 2 * y + i / 2;
        if (fx >= from->width || fy >= from->height)
            continue;
        const uint8_t *p = from->pixels + 4 * ((size_t)fy * (size_t)from->width + (size_t)fx);

        for (int c = 0; c < 3; c++)
            sum[c] += (unsigned)p[c] * p[3];
        weight += p[3];
    }
    for (int c = 0; c < 3; c++)
        out[c] = (uint8_t)(weight > 0 ? (sum[c] + weight / 2) / weight : 0);
    out[3] = (uint8_t)(weight > 255 ? 255 : weight);
}

static void shrink(Level *to, const Level *from)
{
    uint8_t *out = to->pixels;

    for (int y = 0; y < to->height; y++)
        for (int x = 0; x < to->width; x++, out += 4)
            average(out, from, x, y);
}

static void fill_transparent(Level *level, const Level *smaller)
{
    uint8_t *p = level->pixels;

    for (int y = 0; y < level->height; y++) {
        const uint8_t *row = smaller->pixels + 4 * (size_t)(y / 2) * (size_t)smaller->width;

        for (int x = 0; x < level->width; x++, p += 4)
            if (p[3] == 0)
                memcpy(p, row + 4 * (x / 2), 3);
    }
}

const uint8_t *alpha_bleed_fill(AlphaBleed *bleed, const Image *image)
{
    Level *levels = bleed->levels;

    assert(image->width == levels[0].width && image->height == levels[0].height);
    memcpy(levels[0].pixels, image->pixels, 4 * (size_t)image->width * (size_t)image->height);
    for (int i = 1; i < bleed->level_count; i++)
        shrink(&levels[i], &levels[i - 1]);
    for (int i = bleed->level_count - 2; i >= 0; i--)
        fill_transparent(&levels[i], &levels[i + 1]);
    return levels[0].pixels;
}
