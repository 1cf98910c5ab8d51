// SPDX-License-Identifier: MIT
#include "base/image_scale.h"

#include <assert.h>

/* The pixels of one axis that a pixel of the result covers, in units of 1 / size of the result.  In
 * a larger result each has as much as the middles of the pixels beside it are away (bilinear). */
typedef struct Span {
    int first, last;
    int64_t start, end;
} Span;

static Span span_of(int index, int from, int to)
{
    const int64_t start = (int64_t)index * from, end = start + from;
    if (from >= to)
        return (Span){(int)(start / to), (int)((end - 1) / to), start, end};
    const int64_t left = (start + end - to) / 2, last = (int64_t)(from - 1) * to;
    const int64_t at = left < 0 ? 0 : left > last ? last : left;
    return (Span){(int)(at / to), (int)((at + to - 1) / to), at, at + to};
}

static int64_t overlap(const Span *span, int index, int to)
{
    const int64_t start = (int64_t)index * to, end = start + to;
    return (end < span->end ? end : span->end) - (start > span->start ? start : span->start);
}

static void add_row(uint64_t sums[5], const uint8_t *row, const Span *x, uint64_t weight, int to)
{
    for (int i = x->first; i <= x->last; i++) {
        const uint8_t *p = row + 4 * (size_t)i;
        const uint64_t w = weight * (uint64_t)overlap(x, i, to);
        for (size_t k = 0; k < 3; k++)
            sums[k] += w * p[k] * p[3];
        sums[3] += w * p[3];
        sums[4] += w;
    }
}

static void mean_pixel(uint8_t out[4], const Image *image, const Span *x, const Span *y,
                       const int to[2])
{
    uint64_t sums[5] = {0};
    for (int i = y->first; i <= y->last; i++)
        add_row(sums, image->pixels + 4 * (size_t)image->width * (size_t)i, x,
                (uint64_t)overlap(y, i, to[1]), to[0]);
    assert(sums[4] > 0); /* the area */
    for (size_t k = 0; k < 3 && sums[3]; k++)
        out[k] = (uint8_t)((sums[k] + sums[3] / 2) / sums[3]);
    out[3] = (uint8_t)((sums[3] + sums[4] / 2) / sums[4]);
}

Image image_scale(const Image *image, int width, int height, Arena *arena)
{
    const int to[2] = {width, height};
    const Image out = {width, height, image->has_alpha,
                       arena_calloc(arena, (size_t)width * (size_t)height, 4)};
    for (int row = 0; row < height; row++) {
        const Span y = span_of(row, image->height, height);
        for (int column = 0; column < width; column++) {
            const Span x = span_of(column, image->width, width);
            mean_pixel(out.pixels + 4 * ((size_t)row * (size_t)width + (size_t)column), image, &x,
                       &y, to);
        }
    }
    return out;
}

Image image_scale_to_width(const Image *image, int width, Arena *arena)
{
    if (image->width <= width)
        return *image;
    const int64_t height =
        (2 * (int64_t)image->height * width + image->width) / (2 * (int64_t)image->width);
    return image_scale(image, width, height < 1 ? 1 : (int)height, arena);
}
