// SPDX-License-Identifier: MIT
#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <webp/encode.h>

#include "diag_log.h"
#include "media/picture.h"
#include "shared_data.h"
#include "tiny_picture.h"
#include "unit_test.h"

static void expect_pixels(const char *what, Bytes bytes, int width, int height, const uint8_t *rgba)
{
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    bool opaque = true;
    if (!picture_load(&image, bytes, arena, &log.diag))
        fail_msg("%s: reported '%s'", what, log.text);
    if (image.width != width || image.height != height)
        fail_msg("%s: %d x %d", what, image.width, image.height);
    for (int i = 0; i < width * height; i++) {
        const uint8_t *a = image.pixels + 4 * i, *e = rgba + 4 * i;
        if (memcmp(a, e, 4))
            fail_msg("%s: pixel %d is %d %d %d %d, not %d %d %d %d", what, i, a[0], a[1], a[2],
                     a[3], e[0], e[1], e[2], e[3]);
        opaque = opaque && e[3] == 255;
    }
    if (image.has_alpha == opaque)
        fail_msg("%s: has_alpha is %d", what, image.has_alpha);
    arena_destroy(arena);
}

static void expect_refused(const char *what, Bytes bytes, const char *expected)
{
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    const bool ok = picture_load(&image, bytes, arena, &log.diag);
    if (ok || !strstr(log.text, expected) || log.diag.kind != DIAG_DATA)
        fail_msg("%s: reported '%s'", what, log.text);
    arena_destroy(arena);
}

/* ---- PNG, written by libpng ---- */

static void test_png(void **state)
{
    (void)state;
    static const png_color_16 grey_key = {.gray = 7}, rgb_key = {.red = 1, .green = 2, .blue = 3};
    static const TinyPng rows[] = {
        {.what = "RGB",
         .type = PNG_COLOR_TYPE_RGB,
         .bits = 8,
         .width = 2,
         .raw = {1, 2, 3, 250, 128, 0},
         .expected = {1, 2, 3, 255, 250, 128, 0, 255}},
        {.what = "RGBA, color under alpha 0 kept",
         .type = PNG_COLOR_TYPE_RGBA,
         .bits = 8,
         .width = 2,
         .raw = {1, 2, 3, 0, 250, 128, 0, 77},
         .expected = {1, 2, 3, 0, 250, 128, 0, 77}},
        {.what = "RGBA, interlaced",
         .type = PNG_COLOR_TYPE_RGBA,
         .bits = 8,
         .width = 2,
         .raw = {1, 2, 3, 4, 5, 6, 7, 8},
         .expected = {1, 2, 3, 4, 5, 6, 7, 8},
         .interlaced = true},
        {.what = "RGB with one transparent color",
         .type = PNG_COLOR_TYPE_RGB,
         .bits = 8,
         .width = 2,
         .raw = {1, 2, 3, 1, 2, 4},
         .expected = {1, 2, 3, 0, 1, 2, 4, 255},
         .transparent = &rgb_key},
        {.what = "grey",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 8,
         .width = 2,
         .raw = {7, 200},
         .expected = {7, 7, 7, 255, 200, 200, 200, 255}},
        {.what = "grey with one transparent value",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 8,
         .width = 2,
         .raw = {7, 200},
         .expected = {7, 7, 7, 0, 200, 200, 200, 255},
         .transparent = &grey_key},
        {.what = "grey and alpha",
         .type = PNG_COLOR_TYPE_GRAY_ALPHA,
         .bits = 8,
         .width = 2,
         .raw = {7, 8, 9, 10},
         .expected = {7, 7, 7, 8, 9, 9, 9, 10}},
        {.what = "grey, 1 bit",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 1,
         .width = 3,
         .raw = {0xA0},
         .expected = {255, 255, 255, 255, 0, 0, 0, 255, 255, 255, 255, 255}},
        {.what = "grey, 2 bits",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 2,
         .width = 3,
         .raw = {0x1C},
         .expected = {0, 0, 0, 255, 85, 85, 85, 255, 255, 255, 255, 255}},
        {.what = "grey, 4 bits, one transparent value",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 4,
         .width = 2,
         .raw = {0x7F},
         .expected = {119, 119, 119, 0, 255, 255, 255, 255},
         .transparent = &grey_key},
        {.what = "grey, 4 bits",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 4,
         .width = 2,
         .raw = {0x5F},
         .expected = {85, 85, 85, 255, 255, 255, 255, 255}},
        {.what = "16 bits: 0x8000 is 127.5 of 255",
         .type = PNG_COLOR_TYPE_RGB,
         .bits = 16,
         .width = 2,
         .raw = {0, 0, 0xFF, 0xFF, 0x80, 0x00, 0x12, 0x12, 0x12, 0x92, 0x12, 0x93},
         .expected = {0, 255, 128, 255, 18, 18, 19, 255}},
        {.what = "16 bits with alpha",
         .type = PNG_COLOR_TYPE_RGBA,
         .bits = 16,
         .width = 1,
         .raw = {1, 1, 2, 2, 3, 3, 4, 4},
         .expected = {1, 2, 3, 4}},
        {.what = "grey, 16 bits",
         .type = PNG_COLOR_TYPE_GRAY,
         .bits = 16,
         .width = 2,
         .raw = {7, 7, 0xFE, 0xFE},
         .expected = {7, 7, 7, 255, 254, 254, 254, 255}},
        {.what = "palette of 2 bits, alpha for two of three",
         .type = PNG_COLOR_TYPE_PALETTE,
         .bits = 2,
         .width = 3,
         .raw = {0x18},
         .expected = {1, 2, 3, 0, 4, 5, 6, 128, 7, 8, 9, 255},
         .palette = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}},
         .palette_count = 3,
         .palette_alpha = {0, 128},
         .alpha_count = 2},
        {.what = "palette of 8 bits",
         .type = PNG_COLOR_TYPE_PALETTE,
         .bits = 8,
         .width = 2,
         .raw = {1, 0},
         .expected = {4, 5, 6, 255, 1, 2, 3, 255},
         .palette = {{1, 2, 3}, {4, 5, 6}},
         .palette_count = 2},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile png;
        uint8_t expected[3 * sizeof rows[i].expected];
        const size_t row_size = 4 * (size_t)rows[i].width;
        tiny_png(&png, &rows[i], 3);
        for (size_t y = 0; y < 3; y++)
            memcpy(expected + y * row_size, rows[i].expected, row_size);
        expect_pixels(rows[i].what, tiny_bytes(&png), rows[i].width, 3, expected);
    }
}

/* ---- BMP ---- */

static void test_bmp(void **state)
{
    (void)state;
    PictureFile b;
    tiny_bmp_header(&b, 1, 2, 24, 0, 0);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0}, 8);
    expect_pixels("24 bits, from the bottom", tiny_bytes(&b), 1, 2,
                  (uint8_t[]){4, 5, 6, 255, 1, 2, 3, 255});

    tiny_bmp_header(&b, 1, -2, 24, 0, 0);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0}, 8);
    expect_pixels("24 bits, from the top", tiny_bytes(&b), 1, 2,
                  (uint8_t[]){1, 2, 3, 255, 4, 5, 6, 255});

    tiny_bmp_header(&b, 2, 1, 32, 0, 0);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 99, 6, 5, 4, 0}, 8);
    expect_pixels("32 bits: the fourth byte is alpha", tiny_bytes(&b), 2, 1,
                  (uint8_t[]){1, 2, 3, 99, 4, 5, 6, 0});

    tiny_bmp_header(&b, 2, 1, 32, 0, 0);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0}, 8);
    expect_pixels("32 bits: all 0 is no alpha", tiny_bytes(&b), 2, 1,
                  (uint8_t[]){1, 2, 3, 255, 4, 5, 6, 255});

    tiny_bmp_header(&b, 2, 1, 8, 0, 2);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0, 1, 0, 0, 0}, 12);
    expect_pixels("8 bits, palette", tiny_bytes(&b), 2, 1, (uint8_t[]){4, 5, 6, 255, 1, 2, 3, 255});

    tiny_bmp_header(&b, 2, 1, 1, 0, 2);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0, 0x40, 0, 0, 0}, 12);
    expect_pixels("1 bit, palette", tiny_bytes(&b), 2, 1, (uint8_t[]){1, 2, 3, 255, 4, 5, 6, 255});

    tiny_bmp_header(&b, 3, 1, 8, 1, 2);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0, 2, 1, 1, 0, 0, 1}, 14);
    expect_pixels("8 bits, run-length", tiny_bytes(&b), 3, 1,
                  (uint8_t[]){4, 5, 6, 255, 4, 5, 6, 255, 1, 2, 3, 255});

    tiny_bmp_header(&b, 2, 1, 16, 0, 0);
    tiny_put_le(&b, 0x7C00, 2); /* 5 bits each: red, and 16 of 31 of blue */
    tiny_put_le(&b, 0x0010, 2);
    expect_pixels("16 bits", tiny_bytes(&b), 2, 1, (uint8_t[]){255, 0, 0, 255, 0, 0, 132, 255});
}

/* The header of OS/2 has 12 bytes: its size, width, height and planes and bits of 16 bits each. */
static void test_bmp_of_os2(void **state)
{
    (void)state;
    static const uint8_t file[] = {'B', 'M', 34, 0, 0, 0, 0, 0,  0, 0, 26, 0, 0, 0, 12, 0, 0,
                                   0,   1,   0,  2, 0, 1, 0, 24, 0, 3, 2,  1, 0, 6, 5,  4, 0};
    expect_pixels("12 byte header", (Bytes){file, sizeof file}, 1, 2,
                  (uint8_t[]){4, 5, 6, 255, 1, 2, 3, 255});
}

/* ---- TGA ---- */

static void test_tga(void **state)
{
    (void)state;
    enum { TOP = 0x20 };
    PictureFile b;
    tiny_tga_header(&b, 2, 1, 2, 24, 0);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 6, 5, 4}, 6);
    expect_pixels("24 bits, from the bottom", tiny_bytes(&b), 1, 2,
                  (uint8_t[]){4, 5, 6, 255, 1, 2, 3, 255});

    tiny_tga_header(&b, 2, 1, 2, 32, TOP | 8);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 9, 6, 5, 4, 0}, 8);
    expect_pixels("32 bits, from the top", tiny_bytes(&b), 1, 2,
                  (uint8_t[]){1, 2, 3, 9, 4, 5, 6, 0});

    tiny_tga_header(&b, 2, 2, 1, 32, TOP);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 9, 6, 5, 4, 0}, 8);
    expect_pixels("32 bits, alpha not announced", tiny_bytes(&b), 2, 1,
                  (uint8_t[]){1, 2, 3, 9, 4, 5, 6, 0});

    tiny_tga_header(&b, 2, 2, 1, 32, TOP);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 0, 6, 5, 4, 0}, 8);
    expect_pixels("32 bits, all 0 and not announced", tiny_bytes(&b), 2, 1,
                  (uint8_t[]){1, 2, 3, 255, 4, 5, 6, 255});

    tiny_tga_header(&b, 10, 3, 1, 24, TOP);
    tiny_write(&b, (uint8_t[]){0x81, 3, 2, 1, 0x00, 6, 5, 4}, 8);
    expect_pixels("24 bits, run-length", tiny_bytes(&b), 3, 1,
                  (uint8_t[]){1, 2, 3, 255, 1, 2, 3, 255, 4, 5, 6, 255});

    tiny_tga_header(&b, 3, 2, 1, 8, TOP);
    tiny_write(&b, (uint8_t[]){7, 200}, 2);
    expect_pixels("grey", tiny_bytes(&b), 2, 1, (uint8_t[]){7, 7, 7, 255, 200, 200, 200, 255});

    tiny_tga_header(&b, 1, 2, 1, 8, TOP);
    tiny_write(&b, (uint8_t[]){3, 2, 1, 6, 5, 4, 1, 0}, 8);
    expect_pixels("color map", tiny_bytes(&b), 2, 1, (uint8_t[]){4, 5, 6, 255, 1, 2, 3, 255});

    tiny_tga_header(&b, 2, 1, 1, 16, TOP);
    tiny_put_le(&b, 0x7C00, 2);
    expect_pixels("16 bits, the bit of alpha not meant", tiny_bytes(&b), 1, 1,
                  (uint8_t[]){255, 0, 0, 255});
}

/* ---- DDS ---- */

static void test_dds_without_compression(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t flags, bits, masks[4], pixel;
        uint8_t expected[4];
    } rows[] = {
        {"A8R8G8B8", 0x41, 32, {0xFF0000, 0xFF00, 0xFF, 0xFF000000}, 0x04010203, {1, 2, 3, 4}},
        {"X8R8G8B8", 0x40, 32, {0xFF0000, 0xFF00, 0xFF, 0}, 0x04010203, {1, 2, 3, 255}},
        {"A8B8G8R8", 0x41, 32, {0xFF, 0xFF00, 0xFF0000, 0xFF000000}, 0x04030201, {1, 2, 3, 4}},
        {"R8G8B8", 0x40, 24, {0xFF0000, 0xFF00, 0xFF, 0}, 0x010203, {1, 2, 3, 255}},
        {"R5G6B5",
         0x40,
         16,
         {0xF800, 0x7E0, 0x1F, 0},
         0x8 << 11 | 0x20 << 5 | 31,
         {66, 130, 255, 255}},
        {"A1R5G5B5", 0x41, 16, {0x7C00, 0x3E0, 0x1F, 0x8000}, 0x7C00, {255, 0, 0, 0}},
        {"A4R4G4B4", 0x41, 16, {0xF00, 0xF0, 0xF, 0xF000}, 0x1234, {34, 51, 68, 17}},
        {"L8", 0x20000, 8, {0xFF, 0, 0, 0}, 77, {77, 77, 77, 255}},
        {"A8L8", 0x20001, 16, {0xFF, 0, 0, 0xFF00}, 0x054D, {77, 77, 77, 5}},
        {"L16", 0x20000, 16, {0xFFFF, 0, 0, 0}, 0x4D4D, {77, 77, 77, 255}},
        {"A8", 0x2, 8, {0, 0, 0, 0xFF}, 9, {0, 0, 0, 9}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile b;
        tiny_dds_header(&b, 1, 1, rows[i].flags, "\0\0\0", rows[i].bits, rows[i].masks);
        tiny_put_le(&b, rows[i].pixel, (int)rows[i].bits / 8);
        expect_pixels(rows[i].what, tiny_bytes(&b), 1, 1, rows[i].expected);
    }
}

/* One block of 4 x 4: its end colors are red and blue, pixel 0 the first, 1 the second, 2 and 3
 * between. */
static void test_dds_compressed(void **state)
{
    (void)state;
    static const uint32_t none[4] = {0};
    static const uint8_t color[8] = {0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    static const struct {
        const char *four;
        uint8_t alpha[8], expected[16];
        uint8_t rest; /* alpha of the other pixels, which are red */
    } rows[] = {
        /* 4 bits each: 0, 5, 10, 15 of 15 */
        {"DXT3",
         {0x50, 0xFA, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
         {255, 0, 0, 0, 0, 0, 255, 85, 170, 0, 85, 170, 85, 0, 170, 255},
         255},
        /* ends 240 and 30; 3 bits each: 0, 1, 2 (6/7 of the first), 7 (1/7 of it) */
        {"DXT5",
         {240, 30, 0x88, 0x0E, 0, 0, 0, 0},
         {255, 0, 0, 240, 0, 0, 255, 30, 170, 0, 85, 210, 85, 0, 170, 60},
         240},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile b;
        uint8_t expected[64];
        tiny_dds_header(&b, 4, 4, 4, rows[i].four, 0, none);
        tiny_write(&b, rows[i].alpha, 8);
        tiny_write(&b, color, 8);
        for (int p = 0; p < 16; p++)
            memcpy(expected + 4 * p, (uint8_t[]){255, 0, 0, rows[i].rest}, 4);
        memcpy(expected, rows[i].expected, 16);
        expect_pixels(rows[i].four, tiny_bytes(&b), 4, 4, expected);
    }
    PictureFile b;
    uint8_t expected[64];
    tiny_dds_header(&b, 4, 4, 4, "DXT1", 0, none);
    tiny_write(&b, (uint8_t[]){0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0},
               8); /* first < second: one bit of alpha */
    for (int p = 0; p < 16; p++)
        memcpy(expected + 4 * p, (uint8_t[]){0, 0, 255, 255}, 4);
    memcpy(expected, (uint8_t[]){0, 0, 255, 255, 255, 0, 0, 255, 127, 0, 127, 255, 0, 0, 0, 0}, 16);
    expect_pixels("DXT1", tiny_bytes(&b), 4, 4, expected);
}

/* The header of an image of `width` x `height` floats; dxgi 0: of Direct3D 9, without a second
 * header. */
static void float_dds_header(PictureFile *b, uint32_t width, uint32_t height, const char *four,
                             uint32_t dxgi)
{
    static const uint32_t none[4] = {0};
    tiny_dds_header(b, width, height, 4, four, 0, none);
    if (dxgi) {
        tiny_put_le(b, dxgi, 4);
        tiny_put_le(b, 3, 4); /* two-dimensional */
        tiny_put_le(b, 0, 4);
        tiny_put_le(b, 1, 4); /* one surface */
        tiny_put_le(b, 0, 4);
    }
}

/* 'q' is 113 and 't' is 116, the numbers of the formats in Direct3D 9. */
static void expect_floats(const char *four, uint32_t dxgi, int channel_size, const uint32_t *values,
                          const uint8_t *expected, int count)
{
    PictureFile b;
    float_dds_header(&b, (uint32_t)count / 8, 2, four, dxgi);
    for (int i = 0; i < count; i++)
        tiny_put_le(&b, values[i], channel_size);
    tiny_write(&b, "a second surface or a mipmap", 28);
    expect_pixels(four, tiny_bytes(&b), count / 8, 2, expected);
}

static void test_dds_half(void **state)
{
    (void)state;
    enum { COUNT = 24 };
    static const uint32_t halves[COUNT] = {
        0x0000, 0x3C00, 0x3800, 0x3400, /* 0, 1, 0.5 -> 127.5, 0.25 -> 63.75 */
        0x3A00, 0x1C00, 0x1804, 0x1805, /* 0.75 -> 191.25, 2^-8 -> 0.996, 0.499992, 0.500479 */
        0x3BFB, 0x3BFC, 0x3BFF, 0x3C01, /* 254.377, 254.502, 254.875, more than 1 */
        0x4200, 0x7BFF, 0x7C00, 0x8000, /* 3, 65504, infinity, -0 */
        0xBC00, 0xFC00, 0x7E00, 0x7C01, /* -1, -infinity, quiet and signaling NaN */
        0xFE00, 0x03FF, 0x0001, 0x3C00, /* NaN with a sign, subnormal numbers, 1 */
    };
    static const uint8_t expected[COUNT] = {0,   255, 128, 64, 191, 1, 0, 1, 254, 255, 255, 255,
                                            255, 255, 255, 0,  0,   0, 0, 0, 0,   0,   0,   255};
    expect_floats("q\0\0\0", 0, 2, halves, expected, COUNT);
    expect_floats("DX10", 10, 2, halves, expected, COUNT);
}

static void test_dds_float(void **state)
{
    (void)state;
    enum { COUNT = 16 };
    static const uint32_t floats[COUNT] = {
        0x00000000, 0x3F800000, 0x3F000000, 0x3E800000, /* 0, 1, 0.5, 0.25 */
        0x3EFFFFFF, 0x3F7F0000, 0x3F400000, 0x00000001, /* less than 0.5, 254.004, 191.25, 2^-149 */
        0x7F800000, 0xFF800000, 0x7FC00000, 0xFFC00000, /* infinities, NaN */
        0xBF800000, 0x80000000, 0x7F7FFFFF, 0x3F800001, /* -1, -0, largest, more than 1 */
    };
    static const uint8_t expected[COUNT] = {0,   255, 128, 64, 127, 254, 191, 0,
                                            255, 0,   0,   0,  0,   0,   255, 255};
    expect_floats("t\0\0\0", 0, 4, floats, expected, COUNT);
    expect_floats("DX10", 2, 4, floats, expected, COUNT);
}

static void test_dds_float_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what, *four;
        uint32_t dxgi, width, height;
        size_t size; /* of the file */
        const char *expected;
    } rows[] = {
        {"no pixels", "q\0\0\0", 0, 1, 1, 128, "DDS is truncated: 128 bytes cannot hold 1 pixels"},
        {"half, a byte short", "q\0\0\0", 0, 2, 1, 143,
         "DDS is truncated: 143 bytes cannot hold 2 pixels"},
        {"float, a byte short", "t\0\0\0", 0, 1, 2, 159,
         "DDS is truncated: 159 bytes cannot hold 2 pixels"},
        {"half of Direct3D 10, a byte short", "DX10", 10, 1, 1, 155,
         "DDS is truncated: 155 bytes cannot hold 1 pixels"},
        {"float of Direct3D 10, a byte short", "DX10", 2, 1, 1, 163,
         "DDS is truncated: 163 bytes cannot hold 1 pixels"},
        {"second header cut", "DX10", 10, 1, 1, 132,
         "DDS is truncated: 132 bytes cannot hold 1 pixels"},
        {"second header cut in its format", "DX10", 10, 1, 1, 131, "DDS is damaged"},
        {"two channels of halves", "DX10", 34, 1, 1, 156, "DDS is damaged"},
        {"many pixels", "t\0\0\0", 0, 1024, 1024, 200,
         "DDS is truncated: 200 bytes cannot hold 1048576 pixels"},
        {"too many pixels for the file", "q\0\0\0", 0, 8192, 8192, 200,
         "DDS of 8192 x 8192 pixels cannot be stored in 200 bytes"},
        {"product of 2^64 pixels", "q\0\0\0", 0, 0xFFFFFFFF, 0xFFFFFFFF, 200,
         "DDS of 4294967295 x 4294967295 pixels is too large"},
        {"empty", "q\0\0\0", 0, 0, 4, 200, "DDS is truncated or empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile b = {0};
        float_dds_header(&b, rows[i].width, rows[i].height, rows[i].four, rows[i].dxgi);
        expect_refused(rows[i].what, (Bytes){b.data, rows[i].size}, rows[i].expected);
    }
}

/* ---- GIF and JPEG ---- */

/* Two pixels, color 0 transparent: LZW codes of 3 bits: clear 4, 1, 0, end 5. */
static void test_gif(void **state)
{
    (void)state;
    static const uint8_t gif[] = {'G', 'I', 'F', '8', '9', 'a',  2,    0,    1,    0,    0x80,
                                  0,   0,   9,   9,   9,   4,    5,    6,    0x21, 0xF9, 4,
                                  1,   0,   0,   0,   0,   0x2C, 0,    0,    0,    0,    2,
                                  0,   1,   0,   0,   2,   2,    0x0C, 0x0A, 0,    0x3B};
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    assert_true(picture_load(&image, (Bytes){gif, sizeof gif}, arena, &log.diag));
    static const uint8_t second[4] = {4, 5, 6, 255};
    assert_int_equal(image.width, 2);
    assert_memory_equal(image.pixels, second, 4);
    assert_int_equal(image.pixels[7], 0);
    assert_true(image.has_alpha);
    arena_destroy(arena);
}

/* Losslessly encoded pixels are the same; one color needs few bytes. */
static void test_webp(void **state)
{
    (void)state;
    enum { WIDTH = 5, HEIGHT = 3, LARGE = 1024 };
    uint8_t pixels[4 * WIDTH * HEIGHT], *bytes = NULL;
    Arena *arena = arena_create();
    DiagLog log;
    Image image;
    diag_log_init(&log);
    for (size_t i = 0; i < sizeof pixels; i++)
        pixels[i] = (uint8_t)(i % 4 == 3 ? 255 - i : 7 * i);
    const size_t size = WebPEncodeLosslessRGBA(pixels, WIDTH, HEIGHT, 4 * WIDTH, &bytes);
    assert_true(size > 0);
    assert_true(picture_load(&image, (Bytes){bytes, size}, arena, &log.diag));
    assert_true(image.width == WIDTH && image.height == HEIGHT && image.has_alpha);
    assert_memory_equal(image.pixels, pixels, sizeof pixels);
    assert_false(picture_load(&image, (Bytes){bytes, size / 2}, arena, &log.diag));
    WebPFree(bytes);
    uint8_t *same = arena_calloc(arena, (size_t)LARGE * LARGE, 3);
    const size_t small = WebPEncodeLosslessRGB(same, LARGE, LARGE, 3 * LARGE, &bytes);
    assert_true(small > 0 && small < 200);
    assert_true(picture_load(&image, (Bytes){bytes, small}, arena, &log.diag));
    assert_true(!image.has_alpha && image.pixels[4 * LARGE] == 0);
    WebPFree(bytes);
    arena_destroy(arena);
}

static void test_jpeg(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        uint32_t components;
        int adobe;
        uint8_t values[4], expected[3];
    } rows[] = {
        {"grey", 1, -1, {77}, {77, 77, 77}},
        {"YCbCr, grey", 3, -1, {200, 128, 128}, {200, 200, 200}},
        /* JFIF: R = 100 + 1.402 * 60, G = 100 - 0.714 * 60, B = 100 */
        {"YCbCr, reddish", 3, -1, {100, 128, 188}, {184, 57, 100}},
        {"RGB, as Adobe marks it", 3, 0, {10, 20, 30}, {10, 20, 30}},
        /* Adobe writes CMYK inverted: R = C K / 255 */
        {"CMYK, as Adobe writes it", 4, 0, {255, 128, 0, 255}, {255, 128, 0}},
        {"CMYK, half black", 4, 0, {255, 255, 0, 128}, {128, 128, 0}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        PictureFile b;
        DiagLog log;
        Image image;
        Arena *arena = arena_create();
        diag_log_init(&log);
        tiny_jpeg(&b, rows[i].values, rows[i].components, rows[i].adobe);
        if (!picture_load(&image, tiny_bytes(&b), arena, &log.diag) || image.width != 8 ||
            image.has_alpha)
            fail_msg("%s: reported '%s'", rows[i].what, log.text);
        for (int c = 0; c < 3; c++)
            if (abs(image.pixels[100 + c] - rows[i].expected[c]) > 1)
                fail_msg("%s: channel %d is %d, not %d", rows[i].what, c, image.pixels[100 + c],
                         rows[i].expected[c]);
        arena_destroy(arena);
    }
}

/* ---- refused files ---- */

static void test_refused(void **state)
{
    (void)state;
    static const uint32_t none[4] = {0};
    PictureFile wide, huge, dense, cut, tall;
    tiny_bmp_header(&wide, 20000, 1, 24, 0, 0);
    tiny_bmp_header(&huge, 16384, 16384, 24, 0, 0);
    tiny_bmp_header(&dense, 4096, 4096, 8, 1, 0);
    tiny_dds_header(&cut, 4, 4, 0x40, "\0\0\0", 32, none);
    tiny_bmp_header(&tall, 1, INT32_MIN, 24, 0, 0);
    const struct {
        const char *what;
        Bytes bytes;
        const char *expected;
    } rows[] = {
        {"empty file", {NULL, 0}, "not an image of a supported format"},
        {"text",
         {(const uint8_t *)"hello, world, this is text", 26},
         "not an image of a supported format"},
        {"too wide", tiny_bytes(&wide),
         "BMP of 20000 x 1 pixels is too large (at most 16384 per side"},
        {"too many", tiny_bytes(&huge), "BMP of 16384 x 16384 pixels is too large"},
        {"most negative height", tiny_bytes(&tall), "BMP of 1 x 2147483648 pixels is too large"},
        {"more than the bytes can hold", tiny_bytes(&dense),
         "BMP of 4096 x 4096 pixels cannot be stored in 54 bytes"},
        {"without its pixels", tiny_bytes(&cut),
         "DDS is truncated: 128 bytes cannot hold 16 pixels"},
        {"only a magic number",
         {(const uint8_t *)"\x89PNG\r\n\x1a\n", 8},
         "PNG is truncated or empty"},
        {"only a mark and zeros",
         {(const uint8_t *)"GIF89a\0\0\0\0\0\0", 12},
         "GIF is truncated or empty"},
        {"a JPEG that ends",
         {(const uint8_t *)"\xff\xd8\xff\xe0\0\x10", 6},
         "JPEG is truncated or empty"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect_refused(rows[i].what, rows[i].bytes, rows[i].expected);
}

/* ---- published files ---- */

/* Must equal the pixels that libpng decodes. */
static void test_real_png(void **state)
{
    (void)state;
    static const char *const names[] = {"gene/light/iraira.png", "glasses/mfgl1.png",
                                        "yohawing-fixtures/generated/png-hair-shadow-alpha.png",
                                        "textures/saba/日本語.png"};
    Arena *arena = arena_create();
    bool absent = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !absent; i++) {
        Bytes bytes;
        DiagLog log;
        Image image;
        absent = !shared_data_load(&bytes, names[i], arena);
        if (absent)
            break;
        diag_log_init(&log);
        png_image png = {.version = PNG_IMAGE_VERSION};
        assert_true(picture_load(&image, bytes, arena, &log.diag));
        assert_true(png_image_begin_read_from_memory(&png, bytes.data, bytes.size));
        png.format = PNG_FORMAT_RGBA;
        const size_t size = PNG_IMAGE_SIZE(png);
        uint8_t *expected = arena_alloc(arena, size);
        assert_true(png_image_finish_read(&png, NULL, expected, 0, NULL));
        assert_int_equal(size, 4 * (size_t)image.width * (size_t)image.height);
        if (memcmp(image.pixels, expected, size))
            fail_msg("%s", names[i]);
    }
    arena_destroy(arena);
    if (absent)
        skip();
}

/* One image in several formats: equal if the format is lossless, else similar. */
static void test_real_formats_agree(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        int most;
    } rows[] = {{"textures/saba/test.tga", 0},
                {"textures/saba/test.jpg", 90},
                {"textures/saba/test.dds", 40}};
    Arena *arena = arena_create();
    Bytes bytes;
    DiagLog log;
    Image png, other;
    diag_log_init(&log);
    if (!shared_data_load(&bytes, "textures/saba/test.png", arena)) {
        arena_destroy(arena);
        skip();
    }
    assert_true(picture_load(&png, bytes, arena, &log.diag));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_true(shared_data_load(&bytes, rows[i].name, arena));
        assert_true(picture_load(&other, bytes, arena, &log.diag));
        int most = 0;
        for (int p = 0; p < 4 * png.width * png.height; p++)
            most = abs(png.pixels[p] - other.pixels[p]) > most
                       ? abs(png.pixels[p] - other.pixels[p])
                       : most;
        if (most > rows[i].most)
            fail_msg("%s: differs by %d", rows[i].name, most);
    }
    arena_destroy(arena);
}

/* Each scan of a progressive JPEG decodes all pixels. */
static void test_jpeg_with_many_scans(void **state)
{
    (void)state;
    static const uint8_t head[] = {
        0xFF, 0xD8, 0xFF, 0xE0, 0, 6,    0xFF, 0xDA, 1, 2, /* thumbnail */
        0xFF, 0xC2, 0,    11,   8, 0x10, 0,    0x10, 0, 1, 1, 0x11, 0};
    static const uint8_t scan[] = {0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0};
    for (size_t scans = 64; scans <= 65; scans++) {
        Arena *arena = arena_create();
        const size_t size = 10000;
        uint8_t *bytes = arena_calloc(arena, size, 1);
        DiagLog log;
        Image image;
        diag_log_init(&log);
        memcpy(bytes, head, sizeof head);
        for (size_t i = 0; i < scans; i++)
            memcpy(bytes + sizeof head + i * sizeof scan, scan, sizeof scan);
        const bool loaded = picture_load(&image, (Bytes){bytes, size}, arena, &log.diag);
        const bool refused = strstr(log.text, "too many scans: 65 (at most 64)") != NULL;
        if (refused != (scans == 65) || (refused && loaded))
            fail_msg("%zu scans: %s", scans, log.text);
        arena_destroy(arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_bmp),
        cmocka_unit_test(test_bmp_of_os2),
        cmocka_unit_test(test_tga),
        cmocka_unit_test(test_dds_without_compression),
        cmocka_unit_test(test_dds_compressed),
        cmocka_unit_test(test_dds_half),
        cmocka_unit_test(test_dds_float),
        cmocka_unit_test(test_dds_float_refused),
        cmocka_unit_test(test_gif),
        cmocka_unit_test(test_webp),
        cmocka_unit_test(test_jpeg),
        cmocka_unit_test(test_jpeg_with_many_scans),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_real_png),
        cmocka_unit_test(test_real_formats_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
