// SPDX-License-Identifier: MIT
#include "render/sample_filter.h"

#include <stdbool.h>
#include <string.h>

enum { CHUNK = SAMPLE_CHUNK, LINE_ALPHA = SAMPLE_LINE_ALPHA };
enum { OWN = SAMPLE_OWN, BESIDE = SAMPLE_BESIDE, FRACTION_BITS = 22 };

typedef uint8_t Bytes __attribute__((vector_size(CHUNK)));
typedef uint16_t Words __attribute__((vector_size(CHUNK)));
typedef uint32_t Samples __attribute__((vector_size(CHUNK)));

/* A row of the image as rows of samples, from the one beside it on. */
typedef struct Rows {
    const uint8_t *samples;
    size_t stride; /* bytes of a row of samples */
    size_t scale;
} Rows;

static SampleArea square(int side)
{
    const uint32_t value = (uint32_t)(side * side);

    return (SampleArea){value, ((1u << FRACTION_BITS) + value - 1) / value};
}

/* Rounded; exact for sums of equal samples. */
static uint8_t divide(uint32_t sum, SampleArea area)
{
    return (uint8_t)((sum + area.value / 2) * area.inverse >> FRACTION_BITS);
}

/* Makes the alpha of opaque samples of outlines 255. */
static Bytes without_marks(Bytes samples)
{
    static const Bytes least = {255, 255, 255, LINE_ALPHA, 255, 255, 255, LINE_ALPHA,
                                255, 255, 255, LINE_ALPHA, 255, 255, 255, LINE_ALPHA};

    return samples | (Bytes)(samples >= least);
}

/* Sums the columns of `scale` rows of samples that are the image's own, and finds those that need
 * weights, also for the rows beside them.  Up to CHUNK bytes more are written. */
static inline void sum_columns(const SampleFilter *filter, const Rows *rows, size_t scale)
{
    /* Bits of alpha + 1 that are set only if it is neither 0 nor 255. */
    static const Bytes line = {0, 0, 0, 254, 0, 0, 0, 254, 0, 0, 0, 254, 0, 0, 0, 254};
    const uint8_t *own = rows->samples + rows->stride, *end = own + scale * rows->stride;

    for (size_t i = 0; i < rows->stride; i += CHUNK) {
        Bytes bytes, last, successors;
        Words low = {0}, high = {0};

        memcpy(&bytes, rows->samples + i, sizeof bytes);
        memcpy(&last, end + i, sizeof last);
        successors = (bytes + 1) | (last + 1);
        for (size_t row = 0; row < scale; row++) {
            memcpy(&bytes, own + row * rows->stride + i, sizeof bytes);
            successors |= bytes + 1;
            low += (Words)bytes & 255;
            high += (Words)bytes >> 8;
        }
        const Bytes lines = successors & line;
        memcpy(filter->lines + i, &lines, sizeof lines);
        memcpy(filter->sums[0] + i / 2, &low, sizeof low);
        memcpy(filter->sums[1] + i / 2, &high, sizeof high);
    }
}

/* Whether one of some columns needs weights. */
static bool has_lines(const SampleFilter *filter, size_t column, size_t count)
{
    uint32_t found = 0, sample;

    for (size_t i = column; i < column + count; i++) {
        memcpy(&sample, filter->lines + 4 * i, sizeof sample);
        found |= sample;
    }
    return found != 0;
}

/* column: the one beside the first of the pixel's own */
static void weighted_mean(uint8_t out[4], const SampleFilter *filter, const Rows *rows,
                          size_t column)
{
    const size_t n = rows->scale + 2;
    uint32_t sums[4] = {0};

    for (size_t first = 0; first < n; first += CHUNK / 4) {
        Words words[2] = {{0}};

        for (size_t y = 0; y < n; y++) {
            const uint16_t weight = y % (n - 1) > 0 ? OWN : BESIDE;
            Bytes bytes;

            memcpy(&bytes, rows->samples + y * rows->stride + 4 * (column + first), sizeof bytes);
            bytes = without_marks(bytes);
            words[0] += ((Words)bytes & 255) * weight;
            words[1] += ((Words)bytes >> 8) * weight;
        }
        for (size_t x = first; x < n && x < first + CHUNK / 4; x++)
            for (size_t c = 0; c < 4; c++)
                sums[c] += words[c % 2][2 * (x - first) + c / 2] *
                           (uint32_t)(x % (n - 1) > 0 ? OWN : BESIDE);
    }
    for (size_t c = 0; c < 4; c += 2) {
        const uint16_t word = (uint16_t)(divide(sums[c], filter->weighted) |
                                         divide(sums[c + 1], filter->weighted) << 8);
        memcpy(out + c, &word, sizeof word);
    }
}

/* The same for scale 2, whose rows of four samples are one chunk: sums are 64 times the mean. */
static void weighted_mean_2(uint8_t out[4], const Rows *rows, size_t column)
{
    static const Words weights = {BESIDE, BESIDE, OWN, OWN, OWN, OWN, BESIDE, BESIDE};
    Words sums[2] = {{0}};

    for (size_t y = 0; y < 4; y++) {
        const uint16_t weight = y == 0 || y == 3 ? BESIDE : OWN;
        Bytes bytes;

        memcpy(&bytes, rows->samples + y * rows->stride + 4 * column, sizeof bytes);
        bytes = without_marks(bytes);
        sums[0] += ((Words)bytes & 255) * weight;
        sums[1] += ((Words)bytes >> 8) * weight;
    }
    for (size_t c = 0; c < 2; c++) {
        const Words all = sums[c] * weights;
        const Words pairs = all + __builtin_shufflevector(all, all, 4, 5, 6, 7, 0, 1, 2, 3);

        sums[c] = (pairs + __builtin_shufflevector(pairs, pairs, 2, 3, 0, 1, 6, 7, 4, 5) + 32) >> 6;
    }
    sums[0] |= sums[1] << 8;
    memcpy(out, &sums[0], 4);
}

static void mean(uint8_t out[4], const SampleFilter *filter, size_t column)
{
    for (size_t c = 0; c < 2; c++) {
        uint32_t low = 0, high = 0;

        for (size_t i = column + 1; i <= column + (size_t)filter->scale; i++) {
            low += filter->sums[0][2 * i + c];
            high += filter->sums[1][2 * i + c];
        }
        const uint16_t word = (uint16_t)(divide(low, filter->own) | divide(high, filter->own) << 8);
        memcpy(out + 2 * c, &word, sizeof word);
    }
}

/* Pixels of a row of the image. */
static void average_row(uint8_t *to, const SampleFilter *filter, const Rows *rows, size_t column,
                        int count)
{
    for (int x = 0; x < count; x++, column += rows->scale, to += 4)
        if (!has_lines(filter, column, rows->scale + 2))
            mean(to, filter, column);
        else if (rows->scale == 2)
            weighted_mean_2(to, rows, column);
        else
            weighted_mean(to, filter, rows, column);
}

/* The means of two channels of four pixels of 2 x 2 samples. */
static Words means_of_2(const uint16_t *sums)
{
    Samples first, last; /* each of two pixels */

    memcpy(&first, sums, sizeof first);
    memcpy(&last, sums + 8, sizeof last);
    const Words sum = (Words)__builtin_shufflevector(first, last, 0, 2, 4, 6) +
                      (Words)__builtin_shufflevector(first, last, 1, 3, 5, 7);
    return (sum + 2) >> 2;
}

/* The same for scale 2, the usual case: four pixels without weights at once. */
static void average_row_2(uint8_t *to, const SampleFilter *filter, const Rows *rows, int count)
{
    size_t column = 0;
    int x = 0;

    for (; x + 4 <= count; x += 4, column += 8, to += 16) {
        uint64_t lines[5]; /* of ten columns */

        memcpy(lines, filter->lines + 4 * column, sizeof lines);
        if ((lines[0] | lines[1] | lines[2] | lines[3] | lines[4]) != 0) {
            average_row(to, filter, rows, column, 4);
            continue;
        }
        const Words words = means_of_2(filter->sums[0] + 2 * column + 2) |
                            means_of_2(filter->sums[1] + 2 * column + 2) << 8;
        memcpy(to, &words, sizeof words);
    }
    average_row(to, filter, rows, column, count - x);
}

void sample_filter_row(uint8_t *to, const SampleFilter *filter, const uint8_t *samples, int count)
{
    const Rows rows = {samples, sample_filter_stride(filter, count), (size_t)filter->scale};

    if (filter->scale == 2) {
        sum_columns(filter, &rows, 2);
        average_row_2(to, filter, &rows, count);
    } else {
        sum_columns(filter, &rows, rows.scale);
        average_row(to, filter, &rows, 0, count);
    }
}

void sample_filter_take_alphas(uint8_t *samples, const uint8_t *alphas, size_t count)
{
    for (size_t i = 0; i < count; i++, samples += 4)
        if (alphas[i] > 0 && alphas[i] < 255)
            samples[3] = alphas[i];
        else if (samples[3] < LINE_ALPHA)
            samples[3] = 255;
}

size_t sample_filter_stride(const SampleFilter *filter, int count)
{
    return 4 * (size_t)(count * filter->scale + 2);
}

void sample_filter_init(SampleFilter *filter, int scale, int width, Arena *arena)
{
    *filter = (SampleFilter){
        .scale = scale, .own = square(scale), .weighted = square(OWN * scale + 2 * BESIDE)};
    const size_t size = sample_filter_stride(filter, width) + CHUNK;

    for (int i = 0; i < 2; i++)
        filter->sums[i] = arena_array(arena, uint16_t, size / 2);
    filter->lines = arena_array(arena, uint8_t, size);
}
