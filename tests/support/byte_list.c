// SPDX-License-Identifier: MIT
#include "byte_list.h"

#include <assert.h>
#include <string.h>

void bytes_u8(ByteList *list, unsigned value)
{
    assert(list->size < sizeof list->data);
    list->data[list->size++] = (uint8_t)value;
}

void bytes_u16(ByteList *list, unsigned value)
{
    bytes_u8(list, value & 0xFF);
    bytes_u8(list, value >> 8 & 0xFF);
}

void bytes_u32(ByteList *list, uint32_t value)
{
    bytes_u16(list, value & 0xFFFF);
    bytes_u16(list, value >> 16);
}

void bytes_f32(ByteList *list, float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    bytes_u32(list, bits);
}

void bytes_f32_3(ByteList *list, float x, float y, float z)
{
    bytes_f32(list, x);
    bytes_f32(list, y);
    bytes_f32(list, z);
}

void bytes_zeros(ByteList *list, size_t count)
{
    while (count--)
        bytes_u8(list, 0);
}

void bytes_text(ByteList *list, const char *bytes, size_t size)
{
    const size_t length = strlen(bytes);
    for (size_t i = 0; i < size; i++)
        bytes_u8(list, i < length ? (uint8_t)bytes[i] : 0);
}

void bytes_sized_text(ByteList *list, const char *bytes)
{
    const size_t length = strlen(bytes);
    bytes_u32(list, (uint32_t)length);
    bytes_text(list, bytes, length);
}
