// SPDX-License-Identifier: MIT
#include "base/hash.h"

#include <string.h>

#include <nettle/sha2.h>

#include "base/memory.h"

/* Nettle uses the SHA instructions of the processor: 1.7 GB/s, against 0.1 GB/s of libavutil. */
struct Hash {
    struct sha256_ctx sha;
};

Hash *hash_create(void)
{
    Hash *hash = memory_alloc(1, sizeof *hash);
    sha256_init(&hash->sha);
    return hash;
}

void hash_add(Hash *hash, const void *data, size_t size)
{
    if (size)
        sha256_update(&hash->sha, size, data);
}

Digest hash_finish(Hash *hash)
{
    Digest digest;
    sha256_digest(&hash->sha, sizeof digest.bytes, digest.bytes);
    memory_free(hash);
    return digest;
}

Digest hash_bytes(const void *data, size_t size)
{
    Hash *hash = hash_create();
    hash_add(hash, data, size);
    return hash_finish(hash);
}

void digest_text(char out[DIGEST_TEXT_SIZE], const Digest *digest)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < sizeof digest->bytes; i++) {
        out[2 * i] = digits[digest->bytes[i] >> 4];
        out[2 * i + 1] = digits[digest->bytes[i] & 15];
    }
    out[DIGEST_TEXT_SIZE - 1] = '\0';
}

static int digit_value(char c)
{
    return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool digest_parse(Digest *out, const char *text)
{
    for (size_t i = 0; i < sizeof out->bytes; i++) {
        const int high = digit_value(text[2 * i]),
                  low = high < 0 ? -1 : digit_value(text[2 * i + 1]);
        if (low < 0)
            return false;
        out->bytes[i] = (uint8_t)(high << 4 | low);
    }
    return true;
}

bool digest_equal(const Digest *a, const Digest *b)
{
    return !memcmp(a->bytes, b->bytes, sizeof a->bytes);
}
