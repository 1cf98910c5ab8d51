// SPDX-License-Identifier: MIT
/*
 * weld.h - finds equal items in a list, such as vertices at the same position
 *
 * An item is a key of a few 64-bit words.  Each item gets the index of the first one that has the
 * same key.  Deterministic; nothing here fails.
 */
#pragma once

#include <stdint.h>

#include "base/arena.h"

enum { WELD_POSITION_WORDS = 3 };

/* [count]: the lowest index with the same key.  keys: [count][words].  In the arena. */
uint32_t *weld_keys(const uint64_t *keys, uint32_t words, uint32_t count, Arena *arena);

/* The key of a position in MMD units: the nearest point of a grid with a spacing of 0.001, a tenth
 * of a millimetre of a dancer. */
void weld_position_key(uint64_t key[WELD_POSITION_WORDS], const float position[3]);

/* A 64-bit hash of a number (the finalizer of MurmurHash3), and the size of a hash table for
 * `count` items: a power of two that keeps at least half of it empty. */
uint64_t weld_hash(uint64_t value);
size_t weld_table_size(size_t count);
