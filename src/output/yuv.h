/*
 * yuv.h - pictures to what video encoders eat
 *
 * R G B A to planar Y'CbCr 4:2:0 with the BT.709 matrix in limited range (16..235, 16..240): for
 * the common case, faster than swscale and rounded to nearest.  A chroma sample is the mean of its
 * 2x2 pixels and so sits at their centre.  The numbers are sRGB-encoded before and after; alpha is
 * ignored. Values only: nothing here allocates, fails or keeps state.
 */
#ifndef OUTPUT_YUV_H
#define OUTPUT_YUV_H

#include <stddef.h>
#include <stdint.h>

#include "base/image.h"

/* Where the planes go: Y, Cb, Cr, and the bytes from row to row. */
typedef struct YuvPlanes {
    uint8_t *planes[3];
    size_t strides[3];
} YuvPlanes;

/* Width and height must be even. */
void yuv_from_image(const YuvPlanes *out, const Image *image);

#endif
