/*
 * hash.h - digests (SHA-256) of files and frames
 */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Digest {
    uint8_t bytes[32];
} Digest;

typedef struct Hash Hash;

Hash *hash_create(void);
void hash_add(Hash *hash, const void *data, size_t size);
Digest hash_finish(Hash *hash); /* and destroys it */

Digest hash_bytes(const void *data, size_t size);

enum { DIGEST_TEXT_SIZE = 65 };
void digest_text(char out[DIGEST_TEXT_SIZE], const Digest *digest); /* lower-case hex */

/* From 64 lower-case hex digits, whatever follows them; false if these are none. */
bool digest_read(Digest *out, const char *text);
bool digest_equal(const Digest *a, const Digest *b);

#endif
