// SPDX-License-Identifier: MIT
/*
 * cryptomatte.h - mattes of named things by coverage: Psyop's Cryptomatte specification, 1.2.0
 *
 * The id of a name is a hash, stored as the bits of a float.  Each pixel has a list of ids with the
 * part of the pixel that each covers, the largest first; two of them fill the channels of one layer
 * (CryptoObject00: R id, G coverage, B id, A coverage).  Values only, except the manifest.
 */
#pragma once

#include "base/arena.h"
#include "media/exr/exr_file.h"

/* MurmurHash3_x86_32 with seed 0. */
uint32_t cryptomatte_hash(const char *text);

/* The hash of a name whose bits, as a float, are neither infinite, NaN nor denormal. */
uint32_t cryptomatte_id(const char *name);
float cryptomatte_float(uint32_t id);

enum { CRYPTOMATTE_ATTRIBUTES = 4 };

/* The attributes of a layer: its name, how ids are made, and the ids of all names, of which equal
 * ones count once.  Texts are in the arena. */
void cryptomatte_attributes(ExrAttribute out[CRYPTOMATTE_ATTRIBUTES], const char *layer,
                            const char *const *names, size_t name_count, Arena *arena);

typedef struct CryptomatteRank {
    uint32_t id;
    int count; /* samples that show it */
} CryptomatteRank;

enum { CRYPTOMATTE_MAX_SAMPLES = 16 };

/* Counts the ids of the samples of a pixel, without 0; the most frequent first, then the smaller
 * id.  out: [count].  Returns the number of ranks.  count: up to CRYPTOMATTE_MAX_SAMPLES. */
int cryptomatte_rank(CryptomatteRank *out, const uint32_t *ids, int count);
