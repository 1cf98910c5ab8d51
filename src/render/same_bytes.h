// SPDX-License-Identifier: MIT
/*
 * same_bytes.h - whether values are bit for bit equal
 *
 * For values that are kept from frame to frame: 0 and -0, or bytes of padding, that differ cost
 * time, but never a pixel.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* size  0 is allowed, also with NULL */
static inline bool same_bytes(const void *a, const void *b, size_t size)
{
    return size == 0 || memcmp(a, b, size) == 0;
}
