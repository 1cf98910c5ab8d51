// SPDX-License-Identifier: MIT
/*
 * yuv.h - converts RGBA images to planar Y'CbCr 4:2:0 for video encoders
 *
 * BT.709 matrix in limited range (16..235, 16..240); the common case, faster than swscale and
 * rounded to nearest.  A chroma sample is the mean of its 2x2 pixels, so it is located at their
 * center.  Values stay sRGB-encoded; alpha is ignored.  Values only: nothing here allocates, fails
 * or keeps state.
 */
#pragma once

#include <stddef.h>

#include "base/image.h"

/* The planes Y, Cb and Cr of the caller, and their bytes from row to row. */
typedef struct YuvPlanes {
    uint8_t *planes[3];
    size_t strides[3];
} YuvPlanes;

/* Width and height must be even. */
void yuv_from_image(const YuvPlanes *out, const Image *image);
