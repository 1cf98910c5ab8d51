// SPDX-License-Identifier: MIT
#include "archive_fixture.h"

#include <string.h>
#include <zlib.h>

#include "byte_list.h"

static void put(ByteList *list, const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes_u8(list, ((const uint8_t *)bytes)[i]);
}

static uint32_t crc_of(const void *bytes, size_t size)
{
    return (uint32_t)crc32(0, bytes, (uInt)size);
}

static Bytes bytes_of(const ByteList *list)
{
    return (Bytes){list->data, list->size};
}

/* ---- RAR 4: a block is the lower half of its CRC, type, flags, size and fields ---- */

static void put_block4(ByteList *list, const ByteList *block)
{
    bytes_u16(list, crc_of(block->data, block->size) & 0xFFFF);
    put(list, block->data, block->size);
}

static void put_file4(ByteList *list, const StoredFile *file, Arena *arena)
{
    ByteList *block = arena_array(arena, ByteList, 1);
    const uint32_t size = (uint32_t)strlen(file->data), name = (uint32_t)strlen(file->name);
    bytes_u8(block, 0x74);
    bytes_u16(block, 0x8000);
    bytes_u16(block, 32 + name);
    bytes_u32(block, size);
    bytes_u32(block, size);
    bytes_u8(block, 2); /* Windows */
    bytes_u32(block, crc_of(file->data, size));
    bytes_u32(block, 0x58210000); /* a date */
    bytes_u8(block, 20);
    bytes_u8(block, 0x30); /* stored */
    bytes_u16(block, name);
    bytes_u32(block, 0x20);
    put(block, file->name, name);
    put_block4(list, block);
    put(list, file->data, size);
}

Bytes rar4_fixture(const StoredFile *files, size_t count, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1), *head = arena_array(arena, ByteList, 1);
    put(list, "Rar!\x1A\x07\x00", 7);
    bytes_u8(head, 0x73);
    bytes_u16(head, 0);
    bytes_u16(head, 13);
    bytes_zeros(head, 6);
    put_block4(list, head);
    for (size_t i = 0; i < count; i++)
        put_file4(list, &files[i], arena);
    put(list, "\xC4\x3D\x7B\x00\x40\x07\x00", 7);
    return bytes_of(list);
}

/* ---- RAR 5: a header is its CRC, size and fields, most of which have 7 bits a byte ---- */

static void put_vint(ByteList *list, uint32_t value)
{
    for (; value >= 0x80; value >>= 7)
        bytes_u8(list, (value & 0x7F) | 0x80);
    bytes_u8(list, value);
}

static void put_header5(ByteList *list, const ByteList *fields, Arena *arena)
{
    ByteList *sized = arena_array(arena, ByteList, 1);
    put_vint(sized, (uint32_t)fields->size);
    put(sized, fields->data, fields->size);
    bytes_u32(list, crc_of(sized->data, sized->size));
    put(list, sized->data, sized->size);
}

static void put_file5(ByteList *list, const StoredFile *file, Arena *arena)
{
    ByteList *fields = arena_array(arena, ByteList, 1);
    const uint32_t size = (uint32_t)strlen(file->data), name = (uint32_t)strlen(file->name);
    put_vint(fields, 2);
    put_vint(fields, 2); /* data follow */
    put_vint(fields, size);
    put_vint(fields, 4); /* with a CRC */
    put_vint(fields, size);
    put_vint(fields, 0x20);
    bytes_u32(fields, crc_of(file->data, size));
    put_vint(fields, 0); /* stored */
    put_vint(fields, 0); /* Windows */
    put_vint(fields, name);
    put(fields, file->name, name);
    put_header5(list, fields, arena);
    put(list, file->data, size);
}

Bytes rar5_fixture(const StoredFile *files, size_t count, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    ByteList main_header = {{1, 0, 0}, 3}, end = {{5, 0, 0}, 3};
    put(list, "Rar!\x1A\x07\x01\x00", 8);
    put_header5(list, &main_header, arena);
    for (size_t i = 0; i < count; i++)
        put_file5(list, &files[i], arena);
    put_header5(list, &end, arena);
    return bytes_of(list);
}

/* ---- LZH ---- */

/* CRC-16/ARC */
static uint32_t crc16(const char *bytes, size_t size)
{
    uint32_t crc = 0;
    for (size_t i = 0; i < size; i++) {
        crc ^= (uint8_t)bytes[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? crc >> 1 ^ 0xA001 : crc >> 1;
    }
    return crc;
}

static void put_lzh(ByteList *list, const StoredFile *file, Arena *arena)
{
    ByteList *fields = arena_array(arena, ByteList, 1);
    const uint32_t size = (uint32_t)strlen(file->data), name = (uint32_t)strlen(file->name);
    unsigned sum = 0;
    put(fields, "-lh0-", 5);
    bytes_u32(fields, size);
    bytes_u32(fields, size);
    bytes_u32(fields, 0x58210000);
    bytes_u8(fields, 0x20);
    bytes_u8(fields, 0); /* level */
    bytes_u8(fields, name);
    put(fields, file->name, name);
    bytes_u16(fields, crc16(file->data, size));
    for (size_t i = 0; i < fields->size; i++)
        sum += fields->data[i];
    bytes_u8(list, (unsigned)fields->size);
    bytes_u8(list, sum & 0xFF);
    put(list, fields->data, fields->size);
    put(list, file->data, size);
}

Bytes lzh_fixture(const StoredFile *files, size_t count, Arena *arena)
{
    ByteList *list = arena_array(arena, ByteList, 1);
    for (size_t i = 0; i < count; i++)
        put_lzh(list, &files[i], arena);
    bytes_u8(list, 0);
    return bytes_of(list);
}
