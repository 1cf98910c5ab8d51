// SPDX-License-Identifier: MIT
/*
 * random.h - random numbers that are the same on every machine
 */
#ifndef FUZZ_RANDOM_H
#define FUZZ_RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct Random {
    uint64_t state;
} Random;

static inline uint64_t random_next(Random *r) /* splitmix64 */
{
    uint64_t x = r->state += 0x9E3779B97F4A7C15u;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
    x = (x ^ x >> 27) * 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

/* 0..count - 1; count must not be 0. */
static inline size_t random_below(Random *r, size_t count)
{
    return (size_t)(random_next(r) % count);
}

#endif
