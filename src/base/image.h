// SPDX-License-Identifier: MIT
/*
 * image.h - an image in memory
 *
 * 8 bits a channel, R G B A, alpha not premultiplied, rows from the top, rows packed (stride = 4
 * width). The pixels are owned elsewhere, usually by an arena or a slot of the ring of
 * run/workers/worker_pool.h.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum { IMAGE_MAX_SIDE = 16384 }; /* limit of width and height when reading; 1 GiB of pixels */

/* Pixels [left, right) x [top, bottom); an empty one is all zero. */
typedef struct ImageRect {
    int left, top, right, bottom;
} ImageRect;

typedef struct Image {
    int width, height;
    bool has_alpha; /* the source had an alpha channel that is not all opaque */
    uint8_t *pixels;
} Image;

/* Pixels of a pass, where they are not those of an Image: rows are packed too. */
typedef enum PixelFormat {
    PIXEL_RGBA8,
    PIXEL_GREY16, /* uint16_t, 65535 is white */
    PIXEL_TEXT,   /* instead of pixels: a text that ends with NUL */
    PIXEL_FLOAT,
    PIXEL_FLOAT4, /* four floats */
    PIXEL_HALF4,  /* four IEEE 754 binary16 */
    PIXEL_LABELS, /* uint8_t or uint16_t for each of several samples of the pixel; 0: nothing */
    PIXEL_CAMERA  /* instead of pixels: an ImageCamera */
} PixelFormat;

/*
 * The camera of an image.  Matrices act on row vectors, [x y z 1] M, as those of OpenEXR.
 *
 * Camera space is left-handed, in MMD units: x to the right, y up, z along the view.  NDC, after
 * the division by w: (0, 0) is the upper left corner of the image, (1, 1) the lower right one; z is
 * the inverse of the distance along the view, or the distance itself if it is orthographic.
 */
typedef struct ImageCamera {
    float world_to_camera[4][4], world_to_ndc[4][4];
    float half_extent[2]; /* half of its width and height at distance 1; orthographic: anywhere */
    bool orthographic;
} ImageCamera;

/* How an image of another aspect ratio fills a frame: cropped, with bars, or distorted. */
typedef enum ImageFit { IMAGE_COVER, IMAGE_CONTAIN, IMAGE_STRETCH } ImageFit;
