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
    PIXEL_LABELS  /* uint8_t or uint16_t for each of several samples of the pixel; 0: nothing */
} PixelFormat;

/* How an image of another aspect ratio fills a frame: cropped, with bars, or distorted. */
typedef enum ImageFit { IMAGE_COVER, IMAGE_CONTAIN, IMAGE_STRETCH } ImageFit;
