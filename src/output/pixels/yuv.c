// SPDX-License-Identifier: MIT
#include "output/pixels/yuv.h"

#include <assert.h>
#include <string.h>

/*
 * BT.709 (ITU-R BT.709-6, 3.2 to 3.4): Y = 0.2126 R + 0.7152 G + 0.0722 B, Cb = (B - Y) / 1.8556,
 * Cr = (R - Y) / 1.5748; limited range scales by 219/255 and 224/255.  In 1/32768, rounded so that
 * the weights of Y sum to 219/255 and those of Cb and Cr to 0: greys stay grey and white is 235.
 */
enum {
    Y_R = 5983,
    Y_G = 20127,
    Y_B = 2032,
    CB_R = -3298,
    CB_G = -11094,
    CB_B = 14392,
    CR_R = 14392,
    CR_G = -13072,
    CR_B = -1320,
    BITS = 15,
    CHROMA_BITS = BITS + 2 /* sums of four pixels */
};

/* Two rows are converted in blocks of a fixed width: compilers vectorise a loop of constant count
 * over 16-bit numbers even at -O2 and for baseline x86-64. */
enum { BLOCK = 32 };

/* A pixel as an integer, R in the lowest byte. */
static uint32_t pixel_at(const uint8_t *pixels, int i)
{
    uint32_t p;
    memcpy(&p, pixels + 4 * i, sizeof p);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    p = p >> 24 | (p >> 8 & 0xff00) | (p << 8 & 0xff0000) | p << 24;
#endif
    return p;
}

static void luma(uint8_t *restrict y, const uint8_t *restrict pixels)
{
    enum { START = (16 << BITS) + (1 << (BITS - 1)) };
    int16_t r[BLOCK], g[BLOCK], b[BLOCK];

    for (int i = 0; i < BLOCK; i++) {
        const uint32_t p = pixel_at(pixels, i);
        r[i] = (int16_t)(p & 0xff);
        g[i] = (int16_t)(p >> 8 & 0xff);
        b[i] = (int16_t)(p >> 16 & 0xff);
    }
    for (int i = 0; i < BLOCK; i++)
        y[i] = (uint8_t)((Y_R * r[i] + Y_G * g[i] + Y_B * b[i] + START) >> BITS);
}

static void chroma(uint8_t *restrict cb, uint8_t *restrict cr, const uint8_t *restrict upper,
                   const uint8_t *restrict lower)
{
    enum { PAIR = 0x00ff00ff, START = (128 << CHROMA_BITS) + (1 << (CHROMA_BITS - 1)) };
    int16_t r[BLOCK / 2], g[BLOCK / 2], b[BLOCK / 2];

    for (int i = 0; i < BLOCK / 2; i++) { /* sums of R and B in one integer, and of G */
        const uint32_t p = pixel_at(upper, 2 * i), q = pixel_at(upper, 2 * i + 1);
        const uint32_t s = pixel_at(lower, 2 * i), t = pixel_at(lower, 2 * i + 1);
        const uint32_t rb = (p & PAIR) + (q & PAIR) + (s & PAIR) + (t & PAIR);
        const uint32_t ga = (p >> 8 & PAIR) + (q >> 8 & PAIR) + (s >> 8 & PAIR) + (t >> 8 & PAIR);
        r[i] = (int16_t)(rb & 0xffff);
        g[i] = (int16_t)(ga & 0xffff);
        b[i] = (int16_t)(rb >> 16);
    }
    for (int i = 0; i < BLOCK / 2; i++) {
        cb[i] = (uint8_t)((CB_R * r[i] + CB_G * g[i] + CB_B * b[i] + START) >> CHROMA_BITS);
        cr[i] = (uint8_t)((CR_R * r[i] + CR_G * g[i] + CR_B * b[i] + START) >> CHROMA_BITS);
    }
}

typedef struct RowPair {
    const uint8_t *upper, *lower; /* R G B A */
    uint8_t *y_upper, *y_lower, *cb, *cr;
} RowPair;

static void convert_block(const RowPair *rows)
{
    luma(rows->y_upper, rows->upper);
    luma(rows->y_lower, rows->lower);
    chroma(rows->cb, rows->cr, rows->upper, rows->lower);
}

/* Converts the last `count` < BLOCK pixels of two rows through a full block. */
static void convert_remainder(const RowPair *rows, size_t count)
{
    uint8_t pixels[2][4 * BLOCK] = {{0}}, y[2][BLOCK], cb[BLOCK / 2], cr[BLOCK / 2];

    memcpy(pixels[0], rows->upper, 4 * count);
    memcpy(pixels[1], rows->lower, 4 * count);
    convert_block(&(RowPair){pixels[0], pixels[1], y[0], y[1], cb, cr});
    memcpy(rows->y_upper, y[0], count);
    memcpy(rows->y_lower, y[1], count);
    memcpy(rows->cb, cb, count / 2);
    memcpy(rows->cr, cr, count / 2);
}

/* Whether a block has the pixels of the one before it, as in plain backgrounds. */
static bool repeats_block(const RowPair *rows)
{
    enum { BYTES = 4 * BLOCK };
    return !memcmp(rows->upper, rows->upper - BYTES, BYTES) &&
           !memcmp(rows->lower, rows->lower - BYTES, BYTES);
}

static void repeat_block(const RowPair *rows)
{
    memcpy(rows->y_upper, rows->y_upper - BLOCK, BLOCK);
    memcpy(rows->y_lower, rows->y_lower - BLOCK, BLOCK);
    memcpy(rows->cb, rows->cb - BLOCK / 2, BLOCK / 2);
    memcpy(rows->cr, rows->cr - BLOCK / 2, BLOCK / 2);
}

static RowPair rows_at(const YuvPlanes *out, const Image *image, size_t x, size_t y)
{
    const size_t stride = 4 * (size_t)image->width;
    const uint8_t *upper = image->pixels + y * stride + 4 * x;
    uint8_t *y_row = out->planes[0] + y * out->strides[0] + x;

    return (RowPair){upper,
                     upper + stride,
                     y_row,
                     y_row + out->strides[0],
                     out->planes[1] + y / 2 * out->strides[1] + x / 2,
                     out->planes[2] + y / 2 * out->strides[2] + x / 2};
}

void yuv_from_image(const YuvPlanes *out, const Image *image)
{
    assert(image->width > 0 && image->width % 2 == 0);
    assert(image->height > 0 && image->height % 2 == 0);
    const size_t width = (size_t)image->width, height = (size_t)image->height;

    for (size_t y = 0; y < height; y += 2) {
        size_t x = 0;
        for (; x + BLOCK <= width; x += BLOCK) {
            const RowPair rows = rows_at(out, image, x, y);
            if (x > 0 && repeats_block(&rows))
                repeat_block(&rows);
            else
                convert_block(&rows);
        }
        if (x < width) {
            const RowPair rows = rows_at(out, image, x, y);
            convert_remainder(&rows, width - x);
        }
    }
}
