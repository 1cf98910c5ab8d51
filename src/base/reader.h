// SPDX-License-Identifier: MIT
/*
 * reader.h - reading little-endian values from bytes, never past the end
 *
 * After a read past the end a Reader stays failed and returns zeros: check `failed` once per
 * record.  The bytes belong to the caller and must outlive the Reader.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Reader {
    const uint8_t *data;
    size_t size, at;
    bool failed;
} Reader;

Reader reader_init(const void *data, size_t size);
size_t reader_left(const Reader *r);

uint8_t read_u8(Reader *r);
uint16_t read_u16(Reader *r);
uint32_t read_u32(Reader *r);
int8_t read_i8(Reader *r);
int16_t read_i16(Reader *r);
int32_t read_i32(Reader *r);
float read_f32(Reader *r); /* as stored; the caller checks for NaN and infinity */
void read_floats(float *out, size_t count, Reader *r);

/* A number of 1 to 8 bytes, little-endian: without or with a sign; a float of 4 or 8 bytes. */
uint64_t reader_bits(const uint8_t *bytes, size_t size);
int64_t reader_integer(const uint8_t *bytes, size_t size);
double reader_real(const uint8_t *bytes, size_t size);

/* The next `count` bytes, not copied, or NULL (and failed) if fewer are left. */
const uint8_t *read_bytes(Reader *r, size_t count);
