// SPDX-License-Identifier: MIT
/*
 * sample_filter.h - pixels from the samples of a surface (render/README.md 10)
 *
 * A pixel is the mean of its scale x scale samples; if one of them, or one of the row or column of
 * samples beside each of its four sides, is neither transparent nor opaque, as those of outlines,
 * it is a weighted mean of all of these.  Samples are RGBA8, premultiplied, and averaged as stored.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

/* Opaque samples that an outline covers have an alpha of at least SAMPLE_LINE_ALPHA and below 255,
 * and count as opaque.  Weights are those in a row or column: of a pixel's own samples, and of
 * those beside it.  Buffers of samples are SAMPLE_CHUNK bytes longer than their samples. */
enum { SAMPLE_LINE_ALPHA = 252, SAMPLE_OWN = 3, SAMPLE_BESIDE = 1, SAMPLE_CHUNK = 16 };

/* A divisor of sums. */
typedef struct SampleArea {
    uint32_t value, inverse;
} SampleArea;

typedef struct SampleFilter {
    int scale; /* 2..4 */
    SampleArea own, weighted;
    uint16_t *sums[2]; /* of the columns of samples of one row of the image, two channels each */
    uint8_t *lines;    /* which of these columns need weights */
} SampleFilter;

/* For rows of at most `width` pixels. */
void sample_filter_init(SampleFilter *filter, int scale, int width, Arena *arena);

/* Bytes of a row of samples: of `count` pixels, and of a sample beside them on both sides. */
size_t sample_filter_stride(const SampleFilter *filter, int count);

/* Writes `count` pixels: of `scale` rows of samples, with a row beside them above and below. */
void sample_filter_row(uint8_t *to, const SampleFilter *filter, const uint8_t *samples, int count);

/* Gives `count` samples of overlays the alpha of the picture's: the same ones need weights, and
 * outlines that only the overlay has. */
void sample_filter_take_alphas(uint8_t *samples, const uint8_t *alphas, size_t count);
