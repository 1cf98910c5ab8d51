// SPDX-License-Identifier: MIT
/*
 * mutate.h - changes a file where a parser is likely to be careless
 *
 * Of a binary file one field, by its grammar: a number, count, index or float gets an extreme
 * value, another field's value, or one that makes a loop; records and texts are repeated, removed
 * and exchanged, with their counts and sizes.  Of a text file one number, word, line or bracket.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include "random.h"

typedef struct Buffer {
    uint8_t *data;
    size_t size, max_size;
} Buffer;

/* Changes the buffer once or several times; false if the format has no grammar for it. */
bool mutate(Buffer *buffer, const char *format, Random *random);

/* Its two kinds, one change each. */
void mutate_layout(Buffer *buffer, const char *grammar, Random *random);
void mutate_text(Buffer *buffer, const char *const *words, Random *random);

/* Replaces `old_size` bytes at `at` by `size` bytes; false if the result would be too large.
 * `bytes` must be outside of the buffer. */
bool buffer_replace(Buffer *buffer, size_t at, size_t old_size, const void *bytes, size_t size);

#endif
