/*
 * image_metrics.h - how alike two pictures are, in numbers
 *
 * Of two pictures of one size.  Where a picture has alpha it is compared as it looks over black,
 * and its alpha as a channel of its own.  Values only: nothing here fails or keeps state.
 *
 * PSNR   10 log10(255^2 / MSE), the mean squared error taken over all channels of all pixels.
 * SSIM   Wang, Bovik, Sheikh, Simoncelli, "Image quality assessment: from error visibility to
 * structural similarity", IEEE Transactions on Image Processing 13 (2004), equation 13, of the luma
 * of BT.709: C1 = (0.01 * 255)^2, C2 = (0.03 * 255)^2, windows of 8 x 8 pixels, one every 4, all
 * alike in weight, their mean; what is left at the right and below is not looked at.  ffmpeg's
 * filter of that name does so on each plane, but with a C1 that is 64 times smaller, which counts
 * where it is nearly black.
 */
#ifndef BASE_IMAGE_METRICS_H
#define BASE_IMAGE_METRICS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/image.h"

typedef struct ImageMetrics {
    bool equal;  /* to the bit */
    double mse;  /* 0..65025 */
    double ssim; /* -1..1; 1: equal in structure */
} ImageMetrics;

ImageMetrics image_metrics_compare(const Image *a, const Image *b, Arena *scratch);

/* In dB; infinite for 0. */
double image_metrics_psnr(double mse);

#endif
