// SPDX-License-Identifier: MIT
#include "font_fixture.h"

#include <string.h>

#include "byte_list.h"

enum { TABLES = 8, GLYPHS = 3 }; /* missing glyph, square, space */

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

static void write_cmap(ByteList *list)
{
    PUT(list, 0, 1, 3, 1, 0, 12);    /* one table, for Unicode */
    PUT(list, 4, 48, 0, 8, 8, 2, 0); /* with four ranges */
    PUT(list, ' ', 'A', 0x8E0A, 0xFFFF, 0, ' ', 'A', 0x8E0A, 0xFFFF);
    PUT(list, 2 - ' ', 1 - 'A', 1 - 0x8E0A, 1, 0, 0, 0, 0);
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

Bytes fixture_font(Arena *arena)
{
    static const struct {
        const char *tag;
        void (*put)(ByteList *list);
    } tables[TABLES] = {{"cmap", write_cmap}, {"glyf", write_glyf}, {"head", write_head},
                        {"hhea", write_hhea}, {"hmtx", write_hmtx}, {"loca", write_loca},
                        {"maxp", write_maxp}, {"name", write_name}};
    ByteList *file = arena_array(arena, ByteList, 1), *body = arena_array(arena, ByteList, 1);

    PUT(file, 1, 0, TABLES, 128, 3, 0);
    for (size_t i = 0; i < TABLES; i++) {
        const size_t start = body->size;
        tables[i].put(body);
        bytes_text(file, tables[i].tag, 4);
        put32(file, 0); /* checksums are not verified */
        put32(file, (uint32_t)(12 + 16 * TABLES + start));
        put32(file, (uint32_t)(body->size - start));
        bytes_zeros(body, (4 - body->size % 4) % 4);
    }
    memcpy(file->data + file->size, body->data, body->size);
    file->size += body->size;
    return (Bytes){file->data, file->size};
}
