#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <libavutil/mem.h>
#include <libavutil/sha.h>

struct Hash {
    struct AVSHA *sha;
};

Hash *hash_create(void)
{
    Hash *hash = av_mallocz(sizeof *hash);
    struct AVSHA *sha = av_sha_alloc();
    if (!hash || !sha) {
        fprintf(stderr, "odori: error: out of memory\n");
        fflush(stderr);
        _Exit(69);
    }
    hash->sha = sha;
    av_sha_init(sha, 256);
    return hash;
}

void hash_add(Hash *hash, const void *data, size_t size)
{
    if (size)
        av_sha_update(hash->sha, data, size);
}

Digest hash_finish(Hash *hash)
{
    Digest digest;
    av_sha_final(hash->sha, digest.bytes);
    av_free(hash->sha);
    av_free(hash);
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

bool digest_read(Digest *out, const char *text)
{
    for (size_t i = 0; i < sizeof out->bytes; i++) {
        const int high = digit_value(text[2 * i]), low = high < 0 ? -1 : digit_value(text[2 * i + 1]);
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
