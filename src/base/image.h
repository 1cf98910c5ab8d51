/*
 * image.h - a picture in memory
 *
 * 8 bits a channel, R G B A, alpha not premultiplied, rows from the top, rows packed (stride = 4
 * width). The pixels belong to whoever made them (usually an arena or a ring slot).
 */
#ifndef BASE_IMAGE_H
#define BASE_IMAGE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    IMAGE_MAX_SIDE = 16384
}; /* width and height limit for what is read; bounds memory at 1 GiB */

typedef struct Image {
    int width, height;
    bool has_alpha; /* the source had an alpha channel that is not all opaque */
    uint8_t *pixels;
} Image;

/* How a picture of another shape fills a frame: cut, with bars, or out of shape. */
typedef enum ImageFit { IMAGE_COVER, IMAGE_CONTAIN, IMAGE_STRETCH } ImageFit;

#endif
