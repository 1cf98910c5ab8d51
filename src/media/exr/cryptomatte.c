// SPDX-License-Identifier: MIT
#include "media/exr/cryptomatte.h"

#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "base/text_stream.h"

static uint32_t rotate(uint32_t value, int bits)
{
    return value << bits | value >> (32 - bits);
}

static uint32_t mixed(uint32_t block)
{
    return rotate(block * 0xcc9e2d51u, 15) * 0x1b873593u;
}

static uint32_t little_endian(const uint8_t *bytes, size_t count)
{
    uint32_t value = 0;
    for (size_t i = 0; i < count; i++)
        value |= (uint32_t)bytes[i] << (8 * i);
    return value;
}

uint32_t cryptomatte_hash(const char *text)
{
    const uint8_t *bytes = (const uint8_t *)text;
    const size_t size = strlen(text), rest = size % 4;
    uint32_t hash = 0;

    for (size_t i = 0; i + 4 <= size; i += 4)
        hash = rotate(hash ^ mixed(little_endian(bytes + i, 4)), 13) * 5 + 0xe6546b64u;
    if (rest)
        hash ^= mixed(little_endian(bytes + size - rest, rest));
    hash ^= (uint32_t)size;
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

uint32_t cryptomatte_id(const char *name)
{
    const uint32_t hash = cryptomatte_hash(name), exponent = hash >> 23 & 255;

    return exponent == 0 || exponent == 255 ? hash ^ 1u << 23 : hash;
}

float cryptomatte_float(uint32_t id)
{
    float value;
    memcpy(&value, &id, sizeof value);
    return value;
}

/* By name, each once. */
static const char *manifest(const char *const *names, size_t count, Arena *arena)
{
    Arena *scratch = arena_create();
    const char **sorted = arena_copy(scratch, names, count * sizeof *names);
    TextStream stream;
    Json json = json_init(text_stream_open(&stream, scratch));

    qsort(sorted, count, sizeof *sorted, text_compare);
    json_print(&json, "{");
    for (size_t i = 0; i < count; i++)
        if (i == 0 || strcmp(sorted[i], sorted[i - 1]) != 0) {
            json_key(&json, sorted[i]);
            json_text(&json, arena_printf(scratch, "%08x", cryptomatte_id(sorted[i])));
        }
    json_print(&json, "}");
    const char *text = arena_strdup(arena, text_stream_close(&stream));
    arena_destroy(scratch);
    return text;
}

void cryptomatte_attributes(ExrAttribute out[CRYPTOMATTE_ATTRIBUTES], const char *layer,
                            const char *const *names, size_t name_count, Arena *arena)
{
    const char *prefix = arena_printf(arena, "cryptomatte/%07x", cryptomatte_hash(layer) >> 4);

    out[0] = (ExrAttribute){arena_printf(arena, "%s/conversion", prefix), "uint32_to_float32"};
    out[1] = (ExrAttribute){arena_printf(arena, "%s/hash", prefix), "MurmurHash3_32"};
    out[2] = (ExrAttribute){arena_printf(arena, "%s/manifest", prefix),
                            manifest(names, name_count, arena)};
    out[3] = (ExrAttribute){arena_printf(arena, "%s/name", prefix), layer};
}

static bool is_before(CryptomatteRank a, CryptomatteRank b)
{
    return a.count != b.count ? a.count > b.count : a.id < b.id;
}

static int count_ids(CryptomatteRank *out, const uint32_t *ids, int count)
{
    int ranks = 0;

    for (int i = 0; i < count; i++) {
        int at = 0;
        if (ids[i] == 0)
            continue;
        while (at < ranks && out[at].id != ids[i])
            at++;
        if (at == ranks)
            out[ranks++] = (CryptomatteRank){ids[i], 0};
        out[at].count++;
    }
    return ranks;
}

int cryptomatte_rank(CryptomatteRank *out, const uint32_t *ids, int count)
{
    const int ranks = count_ids(out, ids, count);

    for (int i = 1; i < ranks; i++) {
        const CryptomatteRank rank = out[i];
        int at = i;
        for (; at > 0 && is_before(rank, out[at - 1]); at--)
            out[at] = out[at - 1];
        out[at] = rank;
    }
    return ranks;
}
