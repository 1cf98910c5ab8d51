// SPDX-License-Identifier: MIT
/*
 * tiny_picture.h - image files of a few pixels, built byte by byte
 *
 * The caller adds the pixels after the headers with tiny_write.
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

void tiny_write(PictureFile *b, const void *bytes, size_t count);
void tiny_put_le(PictureFile *b, uint32_t value, int count); /* the `count` lowest bytes */
Bytes tiny_bytes(const PictureFile *b);

/* All rows are equal.  Written by libpng, with a gamma chunk that must have no effect. */
typedef struct TinyPng {
    const char *what;
    int type, bits, width;
    uint8_t raw[32];      /* one row as stored in the file */
    uint8_t expected[32]; /* RGBA */
    bool interlaced;
    png_color palette[4];
    uint8_t palette_alpha[4];
    int palette_count, alpha_count;
    const png_color_16 *transparent;
} TinyPng;

void tiny_png(PictureFile *out, const TinyPng *row, int height);

/* 54 bytes; `colors` colors of 4 bytes follow; the file size is stored as 0. */
void tiny_bmp_header(PictureFile *b, int width, int height, uint32_t bits, uint32_t compression,
                     uint32_t colors);

/* Type 1: 2 colors of 24 bits follow; flags: 0x20 rows from the top, 0..15 bits of alpha. */
void tiny_tga_header(PictureFile *b, uint32_t type, uint32_t width, uint32_t height, uint32_t bits,
                     uint32_t flags);

void tiny_dds_header(PictureFile *b, uint32_t width, uint32_t height, uint32_t flags,
                     const char *four, uint32_t bits, const uint32_t masks[4]);

/*
 * A JPEG of 8 x 8 pixels of one color.  All quantisers are 1, so the first coefficient is
 * 8 (value - 128); its Huffman codes are 4 bits long, the end-of-block code is one bit 0.
 * adobe_transform -1: without the Adobe marker.
 */
void tiny_jpeg(PictureFile *b, const uint8_t *values, uint32_t components, int adobe_transform);

#endif
