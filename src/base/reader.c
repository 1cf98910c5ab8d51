// SPDX-License-Identifier: MIT
#include "base/reader.h"

#include <string.h>

Reader reader_init(const void *data, size_t size)
{
    return (Reader){.data = data, .size = size};
}

size_t reader_left(const Reader *r)
{
    return r->failed ? 0 : r->size - r->at;
}

const uint8_t *read_bytes(Reader *r, size_t count)
{
    if (r->failed || count > r->size - r->at) {
        r->failed = true;
        return NULL;
    }
    const uint8_t *at = r->data + r->at;
    r->at += count;
    return at;
}

uint64_t reader_bits(const uint8_t *bytes, size_t size)
{
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++)
        bits |= (uint64_t)bytes[i] << (8 * i);
    return bits;
}

int64_t reader_integer(const uint8_t *bytes, size_t size)
{
    const uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return (int64_t)((reader_bits(bytes, size) ^ sign) - sign);
}

double reader_real(const uint8_t *bytes, size_t size)
{
    const uint64_t bits = reader_bits(bytes, size);
    const uint32_t low = (uint32_t)bits;
    double real;
    float single;
    memcpy(&real, &bits, sizeof real);
    memcpy(&single, &low, sizeof single);
    return size == sizeof single ? (double)single : real;
}

uint8_t read_u8(Reader *r)
{
    const uint8_t *b = read_bytes(r, 1);
    return b ? b[0] : 0;
}

uint16_t read_u16(Reader *r)
{
    const uint8_t *b = read_bytes(r, 2);
    return b ? (uint16_t)(b[0] + 256u * b[1]) : 0;
}

uint32_t read_u32(Reader *r)
{
    const uint8_t *b = read_bytes(r, 4);
    return b ? (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24
             : 0;
}

int8_t read_i8(Reader *r)
{
    return (int8_t)read_u8(r);
}

int16_t read_i16(Reader *r)
{
    return (int16_t)read_u16(r);
}

int32_t read_i32(Reader *r)
{
    return (int32_t)read_u32(r);
}

float read_f32(Reader *r)
{
    const uint32_t bits = read_u32(r);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

void read_floats(float *out, size_t count, Reader *r)
{
    for (size_t i = 0; i < count; i++)
        out[i] = read_f32(r);
}
