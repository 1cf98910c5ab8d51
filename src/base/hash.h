// SPDX-License-Identifier: MIT
/*
 * hash.h - digests (SHA-256) of files and frames
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Digest {
    uint8_t bytes[32];
} Digest;

typedef struct Hash Hash;

Hash *hash_create(void);
void hash_add(Hash *hash, const void *data, size_t size);
Digest hash_finish(Hash *hash); /* also destroys it */

Digest hash_bytes(const void *data, size_t size);

enum { DIGEST_TEXT_SIZE = 65 };
void digest_text(char out[DIGEST_TEXT_SIZE], const Digest *digest); /* lower-case hex */

/* Parses the first 64 characters, lower-case hex digits; false if they are not. */
bool digest_parse(Digest *out, const char *text);
bool digest_equal(const Digest *a, const Digest *b);
