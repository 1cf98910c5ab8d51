/*
 * tiny_picture.h - picture files of a few pixels, put together byte by byte
 *
 * The headers are followed by whatever pixels the caller adds with tiny_put.
 */
#ifndef SUPPORT_TINY_PICTURE_H
#define SUPPORT_TINY_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <png.h>

#include "base/file.h"

typedef struct PictureFile {
    uint8_t data[8192];
    size_t size;
} PictureFile;

void tiny_put(PictureFile *b, const void *bytes, size_t count);
void tiny_put_le(PictureFile *b, uint32_t value, int count); /* the `count` lowest bytes */
Bytes tiny_bytes(const PictureFile *b);

/* All rows alike.  Written by libpng, with a gamma chunk that must change nothing. */
typedef struct TinyPng {
    const char *what;
    int type, bits, width;
    uint8_t raw[32];      /* one row, as the file has it */
    uint8_t expected[32]; /* RGBA */
    bool interlaced;
    png_color palette[4];
    uint8_t palette_alpha[4];
    int palette_count, alpha_count;
    const png_color_16 *transparent;
} TinyPng;

void tiny_png(PictureFile *out, const TinyPng *row, int height);

/* 54 bytes, and says that `colors` colours of 4 bytes follow; gives the file's size as 0. */
void tiny_bmp_header(PictureFile *b, int width, int height, uint32_t bits, uint32_t compression,
                     uint32_t colors);

/* Type 1 says that 2 colours of 24 bits follow; flags: 0x20 from the top, 0..15 bits of alpha. */
void tiny_tga_header(PictureFile *b, uint32_t type, uint32_t width, uint32_t height, uint32_t bits,
                     uint32_t flags);

void tiny_dds_header(PictureFile *b, uint32_t width, uint32_t height, uint32_t flags,
                     const char *four, uint32_t bits, const uint32_t masks[4]);

/*
 * A JPEG of 8 x 8 pixels of one colour.  All quantisers are 1, so the first coefficient is
 * 8 (value - 128); its Huffman codes are 4 bits long, the code of "no more" is one bit 0.
 * adobe_transform -1: without Adobe's marker.
 */
void tiny_jpeg(PictureFile *b, const uint8_t *values, uint32_t components, int adobe_transform);

#endif
