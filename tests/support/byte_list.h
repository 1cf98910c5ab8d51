// SPDX-License-Identifier: MIT
/*
 * byte_list.h - builds binary files value by value, little-endian
 */
#ifndef SUPPORT_BYTE_LIST_H
#define SUPPORT_BYTE_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "base/file.h"

typedef struct ByteList {
    uint8_t data[64 * 1024];
    size_t size;
} ByteList; /* {0} is empty */

void bytes_u8(ByteList *list, unsigned value);
void bytes_u16(ByteList *list, unsigned value);
void bytes_u32(ByteList *list, uint32_t value);
void bytes_f32(ByteList *list, float value);
void bytes_f32_3(ByteList *list, float x, float y, float z);
void bytes_zeros(ByteList *list, size_t count);
void bytes_text(ByteList *list, const char *bytes,
                size_t size);                             /* truncated or NUL-padded to `size` */
void bytes_sized_text(ByteList *list, const char *bytes); /* after its size as u32 */

#endif
