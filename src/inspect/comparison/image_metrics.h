// SPDX-License-Identifier: MIT
/*
 * image_metrics.h - similarity of two images of the same size
 *
 * An image with alpha is compared as composited over black, and its alpha as one more channel.
 * Values only: nothing here fails or keeps state.
 *
 * PSNR   10 log10(255^2 / MSE), the mean squared error over all channels of all pixels.
 * SSIM   Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to
 * structural similarity", IEEE Transactions on Image Processing 13 (2004), equation 13, of the luma
 * of BT.709: C1 = (0.01 * 255)^2, C2 = (0.03 * 255)^2, windows of 8 x 8 pixels at a
 * distance of 4, equal weights, their mean; incomplete windows at the right and bottom are ignored.
 * The ffmpeg filter of that name works on each plane, with a C1 that is 64 times smaller, which
 * matters in nearly black regions.
 */
#pragma once

#include "base/arena.h"
#include "base/image.h"

typedef struct ImageMetrics {
    bool equal;         /* all samples equal */
    double mse;         /* 0..65025 */
    double ssim;        /* -1..1; 1: equal structure */
    int max_difference; /* largest difference, 0..65535; only set with words */
} ImageMetrics;

/* words: R G B A of all pixels at 16 bits, instead of the pixels of the image; NULL: those, times
 * 257.  mse stays in units of 8 bits, so that the PSNR is 10 log10(65535^2 / MSE). */
ImageMetrics image_metrics_compare(const Image *a, const uint16_t *words_a, const Image *b,
                                   const uint16_t *words_b, Arena *scratch);

/* In dB; infinite if mse is 0. */
double image_metrics_psnr(double mse);
