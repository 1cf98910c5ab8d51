// SPDX-License-Identifier: MIT
#include "tiny_picture.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void tiny_write(PictureFile *b, const void *bytes, size_t count)
{
    assert(count <= sizeof b->data - b->size);
    memcpy(b->data + b->size, bytes, count);
    b->size += count;
}

void tiny_put_le(PictureFile *b, uint32_t value, int count)
{
    for (int i = 0; i < count; i++)
        tiny_write(b, &(uint8_t){(uint8_t)(value >> (8 * i))}, 1);
}

Bytes tiny_bytes(const PictureFile *b)
{
    return (Bytes){b->data, b->size};
}

static void write_png(png_structp png, png_bytep data, size_t size)
{
    tiny_write(png_get_io_ptr(png), data, size);
}

void tiny_png(PictureFile *out, const TinyPng *row, int height)
{
    out->size = 0;
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, NULL, NULL, NULL);
    png_infop info = png_create_info_struct(png);
    png_set_write_fn(png, out, write_png, NULL);
    png_set_IHDR(png, info, (png_uint_32)row->width, (png_uint_32)height, row->bits, row->type,
                 row->interlaced ? PNG_INTERLACE_ADAM7 : PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    if (row->palette_count)
        png_set_PLTE(png, info, row->palette, row->palette_count);
    if (row->alpha_count || row->transparent)
        png_set_tRNS(png, info, row->palette_alpha, row->alpha_count, row->transparent);
    png_set_gAMA(png, info, 1.0); /* must have no effect */
    png_write_info(png, info);
    const int passes = png_set_interlace_handling(png);
    for (int i = 0; i < passes; i++)
        for (int y = 0; y < height; y++)
            png_write_row(png, row->raw);
    png_write_end(png, NULL);
    png_destroy_write_struct(&png, &info);
}

void tiny_bmp_header(PictureFile *b, int width, int height, uint32_t bits, uint32_t compression,
                     uint32_t colors)
{
    b->size = 0;
    tiny_write(b, "BM", 2);
    tiny_put_le(b, 0, 4); /* file size, which is often stored as 0 */
    tiny_put_le(b, 0, 4);
    tiny_put_le(b, 54 + 4 * colors, 4);
    tiny_put_le(b, 40, 4);
    tiny_put_le(b, (uint32_t)width, 4);
    tiny_put_le(b, (uint32_t)height, 4);
    tiny_put_le(b, 1, 2);
    tiny_put_le(b, bits, 2);
    tiny_put_le(b, compression, 4);
    tiny_put_le(b, 0, 4);
    tiny_put_le(b, 2835, 4);
    tiny_put_le(b, 2835, 4);
    tiny_put_le(b, colors, 4);
    tiny_put_le(b, 0, 4);
}

void tiny_tga_header(PictureFile *b, uint32_t type, uint32_t width, uint32_t height, uint32_t bits,
                     uint32_t flags)
{
    b->size = 0;
    tiny_put_le(b, 0, 1);
    tiny_put_le(b, type == 1, 1);
    tiny_put_le(b, type, 1);
    tiny_put_le(b, type == 1 ? 2u << 16 : 0, 4);
    tiny_put_le(b, type == 1 ? 24 : 0, 1);
    tiny_put_le(b, 0, 4);
    tiny_put_le(b, width, 2);
    tiny_put_le(b, height, 2);
    tiny_put_le(b, bits, 1);
    tiny_put_le(b, flags, 1);
}

void tiny_dds_header(PictureFile *b, uint32_t width, uint32_t height, uint32_t flags,
                     const char *four, uint32_t bits, const uint32_t masks[4])
{
    b->size = 0;
    tiny_write(b, "DDS ", 4);
    tiny_put_le(b, 124, 4);
    tiny_put_le(b, 0x1007, 4);
    tiny_put_le(b, height, 4);
    tiny_put_le(b, width, 4);
    for (int i = 0; i < 14; i++)
        tiny_put_le(b, 0, 4);
    tiny_put_le(b, 32, 4);
    tiny_put_le(b, flags, 4);
    tiny_write(b, four, 4);
    tiny_put_le(b, bits, 4);
    for (int i = 0; i < 4; i++)
        tiny_put_le(b, masks[i], 4);
    tiny_put_le(b, 0x1000, 4);
    for (int i = 0; i < 4; i++)
        tiny_put_le(b, 0, 4);
}

typedef struct BitWriter {
    PictureFile *out;
    uint32_t bits;
    int count;
} BitWriter;

static void write_bits(BitWriter *w, uint32_t value, int count)
{
    for (int i = count - 1; i >= 0; i--) {
        w->bits = w->bits << 1 | (value >> i & 1);
        if (++w->count == 8) {
            tiny_put_le(w->out, w->bits & 0xFF, 1);
            if ((w->bits & 0xFF) == 0xFF)
                tiny_put_le(w->out, 0, 1);
            w->count = 0;
        }
    }
}

void tiny_jpeg(PictureFile *b, const uint8_t *values, uint32_t components, int adobe_transform)
{
    b->size = 0;
    tiny_write(b, "\xFF\xD8", 2);
    if (adobe_transform >= 0) {
        tiny_write(b,
                   "\xFF\xEE\0\x0E"
                   "Adobe\0\x64\0\0\0\0",
                   15);
        tiny_put_le(b, (uint32_t)adobe_transform, 1);
    }
    tiny_write(b, "\xFF\xDB\0\x43\0", 5);
    for (int i = 0; i < 64; i++)
        tiny_put_le(b, 1, 1);
    tiny_write(b, "\xFF\xC0\0", 3);
    tiny_put_le(b, 8 + 3 * components, 1);
    tiny_write(b, "\x08\0\x08\0\x08", 5);
    tiny_put_le(b, components, 1);
    for (uint32_t i = 0; i < components; i++)
        tiny_put_le(b, (i + 1) | 0x1100, 3);
    tiny_write(b,
               "\xFF\xC4\0\x1F\0"
               "\0\0\0\x0C\0\0\0\0\0\0\0\0\0\0\0\0"
               "\0\1\2\3\4\5\6\7\10\11\12\13",
               33);
    tiny_write(b,
               "\xFF\xC4\0\x14\x10"
               "\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0"
               "\0",
               22);
    tiny_write(b, "\xFF\xDA\0", 3);
    tiny_put_le(b, 6 + 2 * components, 1);
    tiny_put_le(b, components, 1);
    for (uint32_t i = 0; i < components; i++)
        tiny_put_le(b, i + 1, 2);
    tiny_write(b, "\0\x3F\0", 3);
    BitWriter w = {b, 0, 0};
    for (uint32_t i = 0; i < components; i++) {
        const int dc = 8 * (values[i] - 128);
        int size = 0;
        while (abs(dc) >> size)
            size++;
        write_bits(&w, (uint32_t)size, 4);
        write_bits(&w, (uint32_t)(dc < 0 ? dc + (1 << size) - 1 : dc), size);
        write_bits(&w, 0, 1);
    }
    write_bits(&w, 0x7F, (8 - w.count) % 8);
    tiny_write(b, "\xFF\xD9", 2);
}
