// SPDX-License-Identifier: MIT
#include "zip_fixture.h"

#include <string.h>
#include <zlib.h>

typedef struct Zip {
    uint8_t *items;
    size_t count, capacity;
    Arena *arena;
} Zip;

static void put(Zip *zip, const void *data, size_t size)
{
    for (size_t i = 0; i < size; i++)
        *arena_push(zip->arena, zip) = ((const uint8_t *)data)[i];
}

static void put_u16(Zip *zip, unsigned value)
{
    put(zip, (uint8_t[]){(uint8_t)value, (uint8_t)(value >> 8)}, 2);
}

static void put_u32(Zip *zip, size_t value)
{
    put_u16(zip, (unsigned)(value & 0xFFFF));
    put_u16(zip, (unsigned)(value >> 16 & 0xFFFF));
}

static Bytes deflate_bytes(const ZipEntry *entry, Arena *arena)
{
    const uLong bound = compressBound((uLong)entry->size);
    uint8_t *out = arena_alloc(arena, bound + 64);
    z_stream z = {.next_in = (z_const Bytef *)(uintptr_t)entry->data,
                  .avail_in = (uInt)entry->size,
                  .next_out = out,
                  .avail_out = (uInt)bound + 64};
    if (deflateInit2(&z, 9, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY) != Z_OK)
        return (Bytes){0};
    deflate(&z, Z_FINISH);
    deflateEnd(&z);
    return (Bytes){out, z.total_out};
}

/* What the local and the central header have in common. */
static void put_common(Zip *zip, const ZipEntry *entry, size_t stored)
{
    const uLong crc = crc32(0, entry->size ? entry->data : (const Bytef *)"", (uInt)entry->size);
    put_u16(zip, 20);
    put_u16(zip, entry->flags);
    put_u16(zip, entry->deflated ? 8 : 0);
    put_u32(zip, 0x58210000); /* 2024-01-01 */
    put_u32(zip, crc ^ (entry->wrong_crc ? 1 : 0));
    put_u32(zip, stored);
    put_u32(zip, entry->size);
    put_u16(zip, (unsigned)strlen(entry->name));
    put_u16(zip, 0);
}

static void put_central(Zip *zip, const ZipEntry *entry, size_t stored, size_t offset)
{
    put(zip, "PK\1\2", 4);
    put_u16(zip, 3 << 8 | 20); /* made by Unix */
    put_common(zip, entry, stored);
    put_u16(zip, 0);
    put_u16(zip, 0);
    put_u16(zip, 0);
    put_u32(zip, (size_t)(entry->unix_mode ? entry->unix_mode : 0100644) << 16);
    put_u32(zip, offset);
    put(zip, entry->name, strlen(entry->name));
}

Bytes zip_fixture(const ZipEntry *entries, size_t count, Arena *arena)
{
    Zip zip = {.arena = arena};
    size_t *offsets = arena_array(arena, size_t, count), *sizes = arena_array(arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        const Bytes data = entries[i].deflated ? deflate_bytes(&entries[i], arena)
                                               : (Bytes){entries[i].data, entries[i].size};
        offsets[i] = zip.count;
        sizes[i] = data.size;
        put(&zip, "PK\3\4", 4);
        put_common(&zip, &entries[i], data.size);
        put(&zip, entries[i].name, strlen(entries[i].name));
        put(&zip, data.data, data.size);
    }
    const size_t start = zip.count;
    for (size_t i = 0; i < count; i++)
        put_central(&zip, &entries[i], sizes[i], offsets[i]);
    const size_t end = zip.count;
    put(&zip, "PK\5\6\0\0\0\0", 8);
    put_u16(&zip, (unsigned)count);
    put_u16(&zip, (unsigned)count);
    put_u32(&zip, end - start);
    put_u32(&zip, start);
    put_u16(&zip, 0);
    return (Bytes){zip.items, zip.count};
}
