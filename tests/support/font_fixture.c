// SPDX-License-Identifier: MIT
#include "font_fixture.h"

#include <string.h>

#include "byte_list.h"
#include "tiny_picture.h"

enum { GLYPHS = 3 }; /* missing glyph, square, space */

/* All numbers of a font are big-endian. */
static void put16(ByteList *list, int value)
{
    bytes_u8(list, (unsigned)value >> 8 & 255);
    bytes_u8(list, (unsigned)value & 255);
}

static void put32(ByteList *list, uint32_t value)
{
    put16(list, (int)(value >> 16));
    put16(list, (int)(value & 0xFFFF));
}

static void write_all(ByteList *list, const int *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        put16(list, values[i]);
}

#define PUT(list, ...)                                           \
    do {                                                         \
        static const int values[] = {__VA_ARGS__};               \
        write_all(list, values, sizeof values / sizeof *values); \
    } while (0)

static void write_cmap(ByteList *list, int letter, int other)
{
    PUT(list, 0, 1, 3, 1, 0, 12);    /* one table, for Unicode */
    PUT(list, 4, 48, 0, 8, 8, 2, 0); /* with four ranges */
    const int ranges[] = {' ', letter, other, 0xFFFF, 0, ' ', letter, other, 0xFFFF},
              glyphs[] = {2 - ' ', 1 - letter, 1 - other, 1, 0, 0, 0, 0};
    write_all(list, ranges, sizeof ranges / sizeof *ranges);
    write_all(list, glyphs, sizeof glyphs / sizeof *glyphs);
}

static void write_glyf(ByteList *list)
{
    PUT(list, 1, 100, 0, 600, 500, 3, 0); /* one outline, bounding box, last point, no program */
    bytes_u32(list, 0x01010101);          /* four corners */
    PUT(list, 100, 0, 500, 0, 0, 500, 0, -500, 0);
}

static void write_head(ByteList *list)
{
    PUT(list, 1, 0, 0, 0, 0, 0, 0x5F0F, 0x3CF5, 0, 1000);
    bytes_zeros(list, 16); /* dates */
    PUT(list, 100, 0, 600, 500, 0, 0, 2, 0, 0);
}

static void write_hhea(ByteList *list)
{
    PUT(list, 1, 0, 800, -200, 0, 700, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, GLYPHS);
}

static void write_hmtx(ByteList *list)
{
    PUT(list, 500, 0, 700, 100, 300, 0);
}

static void write_loca(ByteList *list)
{
    PUT(list, 0, 0, 18, 18); /* offsets in glyf, divided by 2 */
}

static void write_maxp(ByteList *list)
{
    PUT(list, 1, 0, GLYPHS, 4, 1, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0);
}

static void write_name(ByteList *list)
{
    PUT(list, 0, 1, 18);              /* one name, and where the texts start */
    PUT(list, 3, 1, 0x409, 1, 14, 0); /* the family, in UTF-16 */
    PUT(list, 'F', 'i', 'x', 't', 'u', 'r', 'e');
}

/* ---- color bitmaps: one strike of 8 pixels per em, one glyph, which is a PNG of 4 x 4 ---- */

enum { STRIKE = 8, SIDE = 4, PICTURE_HEADER = 9 };

static PictureFile red_square(void)
{
    static const TinyPng red = {.type = PNG_COLOR_TYPE_RGB,
                                .bits = 8,
                                .width = SIDE,
                                .raw = {200, 0, 0, 200, 0, 0, 200, 0, 0, 200}};
    PictureFile png = {.size = 0};
    tiny_png(&png, &red, SIDE);
    return png;
}

static void write_cblc(ByteList *list)
{
    PUT(list, 3, 0, 0, 1);
    put32(list, 8 + 48); /* the list of subtables follows */
    put32(list, 8 + 8 + 2 * 4);
    put32(list, 1);
    bytes_zeros(list, 4 + 2 * 12);
    PUT(list, 1, 1, STRIKE << 8 | STRIKE, 32 << 8 | 1);
    PUT(list, 1, 1, 0, 8, 1, 17); /* glyph 1, 8 bytes on; offsets of 32 bits to PNG files */
    put32(list, 4);               /* in CBDT */
    put32(list, 0);
    put32(list, PICTURE_HEADER + (uint32_t)red_square().size);
}

static void write_cbdt(ByteList *list)
{
    const PictureFile png = red_square();
    PUT(list, 3, 0);
    bytes_u8(list, SIDE);
    bytes_u8(list, SIDE);
    bytes_u8(list, 1);    /* from the pen */
    bytes_u8(list, SIDE); /* above the baseline */
    bytes_u8(list, 6);    /* the advance of hmtx is used instead */
    put32(list, (uint32_t)png.size);
    for (size_t i = 0; i < png.size; i++)
        bytes_u8(list, png.data[i]);
}

/* ---- files ---- */

typedef struct Table {
    const char *tag;
    void (*put)(ByteList *list); /* NULL: the characters */
} Table;

static Bytes write_font(const Table *tables, size_t count, int letter, int other, Arena *arena)
{
    ByteList *file = arena_array(arena, ByteList, 1), *body = arena_array(arena, ByteList, 1);

    PUT(file, 1, 0);
    put16(file, (int)count);
    PUT(file, 128, 3, 0);
    for (size_t i = 0; i < count; i++) {
        const size_t start = body->size;
        if (tables[i].put)
            tables[i].put(body);
        else
            write_cmap(body, letter, other);
        bytes_text(file, tables[i].tag, 4);
        put32(file, 0); /* checksums are not verified */
        put32(file, (uint32_t)(12 + 16 * count + start));
        put32(file, (uint32_t)(body->size - start));
        bytes_zeros(body, (4 - body->size % 4) % 4);
    }
    memcpy(file->data + file->size, body->data, body->size);
    file->size += body->size;
    return (Bytes){file->data, file->size};
}

Bytes fixture_font_of(int letter, int other, Arena *arena)
{
    static const Table tables[] = {{"cmap", NULL},       {"glyf", write_glyf}, {"head", write_head},
                                   {"hhea", write_hhea}, {"hmtx", write_hmtx}, {"loca", write_loca},
                                   {"maxp", write_maxp}, {"name", write_name}};
    return write_font(tables, sizeof tables / sizeof *tables, letter, other, arena);
}

Bytes fixture_font(Arena *arena)
{
    return fixture_font_of('A', 0x8E0A, arena);
}

Bytes fixture_color_font(int letter, int other, Arena *arena)
{
    static const Table tables[] = {{"CBDT", write_cbdt}, {"CBLC", write_cblc}, {"cmap", NULL},
                                   {"head", write_head}, {"hhea", write_hhea}, {"hmtx", write_hmtx},
                                   {"maxp", write_maxp}, {"name", write_name}};
    return write_font(tables, sizeof tables / sizeof *tables, letter, other, arena);
}

FontSources fixture_fonts(Arena *arena)
{
    FontSources fonts = {0};
    *arena_push(arena, &fonts) = (FontSource){.path = "fixture.ttf", .bytes = fixture_font(arena)};
    return fonts;
}
