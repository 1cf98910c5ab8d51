// SPDX-License-Identifier: MIT
#include "typesetting/font_rename.h"

#include <string.h>

/*
 * A font, big-endian (OpenType specification, "Organization of an OpenType font"):
 *    0  u32  version          4  u16  number of tables      6  u16[3]  for binary searches
 *   12  of each table: u32 tag, u32 checksum, u32 offset from the start of the file, u32 size
 * A collection: "ttcf", u32 version, u32 number of fonts, u32[] offsets of the fonts.
 */
enum { HEADER = 12, RECORD = 16, MAX_TABLES = 256 };

/* A name in the table `name`: Windows, Unicode, English, family; then one for the full name. */
enum { NAME_HEADER = 6, NAME_RECORD = 12, FAMILY = 1, FULL_NAME = 4 };

static const char COLLECTION[] = "ttcf", NAME[] = "name", CHARACTERS[] = "cmap";

static uint32_t read_u32(const uint8_t *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static void write_u16(uint8_t *at, size_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static void write_u32(uint8_t *at, size_t value)
{
    write_u16(at, value >> 16);
    write_u16(at + 2, value & 0xFFFF);
}

static bool is_inside(const Bytes *file, size_t offset, size_t size)
{
    return offset <= file->size && size <= file->size - offset;
}

/* The offset of the font in its file; 0 for a file with one font, and for damaged ones. */
static size_t find_font(const FontSource *font)
{
    const Bytes *file = &font->bytes;
    const size_t entry = HEADER + 4 * (size_t)(font->face & 0xFFFF);
    return file->size >= 4 && !memcmp(file->data, COLLECTION, 4) && is_inside(file, entry, 4)
               ? read_u32(file->data + entry)
               : 0;
}

/*
 * Makes the incomplete table of characters one of another platform, if there is a complete one.
 *
 * Table `cmap`: u16 version, u16 count; of each table of characters: u16 platform, u16 encoding,
 * u32 offset.  Platform 3 is Windows, with encoding 1 for characters up to U+FFFF, 10 for all.
 */
static void hide_incomplete_characters(uint8_t *table, size_t size)
{
    static const uint8_t incomplete[] = {0, 3, 0, 1}, complete[] = {0, 3, 0, 10},
                         other[] = {0, 0, 0, 3};
    const size_t count = size < 4 ? 0 : (size_t)table[2] << 8 | table[3];
    bool has_complete = false;
    if (4 + 8 * count > size)
        return;
    for (size_t i = 0; i < count; i++)
        has_complete |= !memcmp(table + 4 + 8 * i, complete, sizeof complete);
    for (size_t i = 0; has_complete && i < count; i++)
        if (!memcmp(table + 4 + 8 * i, incomplete, sizeof incomplete))
            memcpy(table + 4 + 8 * i, other, sizeof other);
}

static Bytes make_names(const char *family, Arena *arena)
{
    static const uint8_t ids[] = {FAMILY, FULL_NAME};
    const size_t count = sizeof ids, length = strlen(family);
    const size_t start = NAME_HEADER + count * NAME_RECORD, size = start + 2 * length;
    uint8_t *names = arena_calloc(arena, size, 1);
    write_u16(names + 2, count);
    write_u16(names + 4, start);
    for (size_t i = 0; i < count; i++) {
        uint8_t *record = names + NAME_HEADER + i * NAME_RECORD;
        write_u16(record, 3);
        write_u16(record + 2, 1);
        write_u16(record + 4, 0x409);
        write_u16(record + 6, ids[i]);
        write_u16(record + 8, 2 * length);
    }
    for (size_t i = 0; i < length; i++)
        write_u16(names + start + 2 * i, (uint8_t)family[i]);
    return (Bytes){names, size};
}

Bytes font_rename(const FontSource *font, const char *family, Arena *arena)
{
    const Bytes *file = &font->bytes;
    const size_t start = find_font(font);
    if (!is_inside(file, start, HEADER))
        return (Bytes){0};
    const size_t count = (size_t)file->data[start + 4] << 8 | file->data[start + 5];
    if (count > MAX_TABLES || !is_inside(file, start, HEADER + count * RECORD))
        return (Bytes){0};

    const Bytes names = make_names(family, arena);
    size_t end = HEADER + count * RECORD;
    bool named = false;
    for (size_t i = 0; i < count; i++) {
        const uint8_t *record = file->data + start + HEADER + i * RECORD;
        const bool is_name = !memcmp(record, NAME, 4);
        if (!is_inside(file, read_u32(record + 8), read_u32(record + 12)))
            return (Bytes){0};
        named |= is_name;
        end += ((is_name ? names.size : read_u32(record + 12)) + 3) / 4 * 4;
    }
    if (!named || end > FILE_MAX_SIZE)
        return (Bytes){0};

    uint8_t *out = arena_calloc(arena, end, 1);
    memcpy(out, file->data + start, HEADER + count * RECORD);
    size_t at = HEADER + count * RECORD;
    for (size_t i = 0; i < count; i++) {
        uint8_t *record = out + HEADER + i * RECORD;
        const bool is_name = !memcmp(record, NAME, 4);
        const uint8_t *data = is_name ? names.data : file->data + read_u32(record + 8);
        const size_t size = is_name ? names.size : read_u32(record + 12);
        memcpy(out + at, data, size);
        if (!memcmp(record, CHARACTERS, 4))
            hide_incomplete_characters(out + at, size);
        write_u32(record + 8, at);
        write_u32(record + 12, size);
        at += (size + 3) / 4 * 4;
    }
    return (Bytes){out, end};
}
