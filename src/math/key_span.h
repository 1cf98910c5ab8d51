// SPDX-License-Identifier: MIT
/*
 * key_span.h - the two keys around a time, among keys of a job
 *
 * Keys are structs that begin with their frame, a double, in ascending order.  Keys at most one
 * frame apart are a cut: the first one holds until the second (scene/README.md 2.4).
 */
#pragma once

#include <stddef.h>

typedef struct KeySpan {
    size_t left, right; /* equal on a key, in a cut, before the first and after the last key */
    double t;           /* 0..1 from left to right */
} KeySpan;

/* keys: [count] structs of `size` bytes, at least one */
KeySpan key_span(const void *keys, size_t size, size_t count, double frame);

/* The last key at or before a frame, or the first key: for values that jump. */
size_t key_span_find(const void *keys, size_t size, size_t count, double frame);
