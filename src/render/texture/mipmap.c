// SPDX-License-Identifier: MIT
#include "render/texture/mipmap.h"

#include <math.h>
#include <string.h>

enum { HALF_OPAQUE = 128, CLEAR_BELOW = 16, OPAQUE_FROM = 240, MAX_STRETCH = 4 };
static const double CUT_OUT_SHARE = 0.9;

static size_t pixel_count(const Image *image)
{
    return (size_t)image->width * (size_t)image->height;
}

static int halve(int side)
{
    return side > 1 ? side / 2 : 1;
}

/* The mean of four pixels; colors are weighted by alpha. */
static void average_four(uint8_t *out, const uint8_t *const from[4])
{
    const unsigned alpha = (unsigned)from[0][3] + from[1][3] + from[2][3] + from[3][3];

    if (alpha == 0 || alpha == 4 * 255) { /* the usual case, without a division by a variable */
        for (int c = 0; c < 4; c++)
            out[c] = (uint8_t)((from[0][c] + from[1][c] + from[2][c] + from[3][c] + 2) / 4);
        return;
    }
    for (int c = 0; c < 3; c++) {
        unsigned sum = 0;

        for (int i = 0; i < 4; i++)
            sum += (unsigned)from[i][c] * from[i][3];
        out[c] = (uint8_t)((sum + alpha / 2) / alpha);
    }
    out[3] = (uint8_t)((alpha + 2) / 4);
}

Image mipmap_half(const Image *image, Arena *arena)
{
    Image out = {.width = halve(image->width),
                 .height = halve(image->height),
                 .has_alpha = image->has_alpha};
    const size_t stride = (size_t)image->width * 4;
    const size_t right = image->width > 1 ? 4 : 0, down = image->height > 1 ? stride : 0;

    out.pixels = arena_array(arena, uint8_t, pixel_count(&out) * 4);
    uint8_t *to = out.pixels;
    for (int y = 0; y < out.height; y++) {
        const uint8_t *from = image->pixels + 2 * (size_t)y * stride;

        for (int x = 0; x < out.width; x++, from += 8, to += 4) {
            const uint8_t *const four[4] = {from, from + right, from + down, from + right + down};

            average_four(to, four);
        }
    }
    return out;
}

/* Histogram of the alpha channel. */
static void count_alphas(size_t counts[256], const Image *image)
{
    memset(counts, 0, 256 * sizeof *counts);
    for (size_t i = 0; i < pixel_count(image); i++)
        counts[image->pixels[4 * i + 3]]++;
}

bool mipmap_is_cutout(const Image *image)
{
    size_t counts[256], clear = 0, opaque = 0;

    if (!image->has_alpha)
        return false;
    count_alphas(counts, image);
    for (int a = 0; a < CLEAR_BELOW; a++)
        clear += counts[a];
    for (int a = OPAQUE_FROM; a < 256; a++)
        opaque += counts[a];
    return clear > 0 && opaque > 0 &&
           (double)(clear + opaque) >= CUT_OUT_SHARE * (double)pixel_count(image);
}

double mipmap_coverage(const Image *image)
{
    size_t counts[256], covered_count = 0;

    count_alphas(counts, image);
    for (int a = HALF_OPAQUE; a < 256; a++)
        covered_count += counts[a];
    return (double)covered_count / (double)pixel_count(image);
}

/* The alpha threshold at which the level has the wanted coverage; of equally good thresholds, the
 * one nearest to half. */
static int best_threshold(const Image *level, double coverage)
{
    size_t counts[256], covered_count = 0;
    const double target = coverage * (double)pixel_count(level);
    double min_error = (double)INFINITY;
    int best = HALF_OPAQUE;

    count_alphas(counts, level);
    for (int a = 255; a >= HALF_OPAQUE / MAX_STRETCH; a--) {
        covered_count += counts[a];
        const double error = fabs((double)covered_count - target);
        if (error < min_error || (error == min_error && a >= HALF_OPAQUE)) {
            min_error = error;
            best = a;
        }
    }
    return best;
}

Image mipmap_match_coverage(const Image *level, double coverage, Arena *arena)
{
    const unsigned threshold = (unsigned)best_threshold(level, coverage);
    Image out = *level;

    out.pixels = arena_copy(arena, level->pixels, pixel_count(level) * 4);
    for (size_t i = 0; i < pixel_count(level); i++) {
        uint8_t *alpha = &out.pixels[4 * i + 3];
        const unsigned stretched = (*alpha * (unsigned)HALF_OPAQUE + threshold / 2) / threshold;

        *alpha = (uint8_t)(stretched < 255 ? stretched : 255);
    }
    return out;
}
