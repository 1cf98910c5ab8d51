// SPDX-License-Identifier: MIT
/*
 * number.h - numbers as HLSL writes them
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct Number {
    double value;  /* finite */
    bool is_float; /* it has a point, an exponent or the suffix f or h */
} Number;

/* "12", "0x1F", "017", "1.5f", "1e-3", "3u"; false if it is none. */
bool number_parse(Number *out, const char *text);

/* The bits of a number as an int or, above 2^31, as an unsigned int; fractions are cut off, and
 * what lies outside of both ranges becomes their ends. */
uint32_t number_bits(double value);
